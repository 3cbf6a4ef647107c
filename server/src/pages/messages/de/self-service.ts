// German: registration, forgotten passwords and links from mail. People are addressed with “Sie”.

import type { selfService as english } from '../en/self-service.ts'
import type { Texts } from '../texts.ts'

export const selfService: Texts<typeof english> = {
  'register.title': 'Konto anlegen',
  'register.subtitle': 'für {realm}',
  'register.password': 'Passwort',
  'register.confirmPassword': 'Passwort wiederholen',
  'register.submit': 'Konto anlegen',
  'register.hasAccount': 'Haben Sie schon ein Konto?',
  'register.signIn': 'Anmelden',

  'resetPassword.title': 'Passwort vergessen?',
  'resetPassword.text':
    'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
  'resetPassword.submit': 'Link senden',
  'resetPassword.back': 'Zurück zur Anmeldung',

  'mailSent.title': 'Sehen Sie in Ihre E-Mails',
  'mailSent.REGISTER':
    'Wir haben eine Nachricht an die angegebene Adresse gesendet. Öffnen Sie den Link darin, um weiterzumachen.',
  'mailSent.RESET': 'Falls es ein Konto mit diesem Namen gibt, haben wir einen Link an dessen E-Mail-Adresse gesendet.',
  'mailSent.help':
    'Nach einigen Minuten noch nichts? Sehen Sie im Spam-Ordner nach und prüfen Sie, was Sie eingegeben haben.',

  'link.MAGIC_LINK.title': 'Bei {realm} anmelden',
  'link.MAGIC_LINK.text':
    'Drücken Sie den Knopf, um sich anzumelden. Wenn Sie diesen Link nicht angefordert haben, schließen Sie die Seite.',
  'link.MAGIC_LINK.submit': 'Anmelden',
  'link.MAGIC_LINK.done': 'Sie sind angemeldet',
  'link.VERIFY_EMAIL.title': 'E-Mail-Adresse für {realm} bestätigen',
  'link.VERIFY_EMAIL.text': 'Drücken Sie den Knopf, wenn diese Adresse Ihnen gehört und Sie dort ein Konto haben.',
  'link.VERIFY_EMAIL.submit': 'Adresse bestätigen',
  'link.VERIFY_EMAIL.done': 'Ihre E-Mail-Adresse ist bestätigt',
  'link.RESET_PASSWORD.title': 'Neues Passwort für {realm} wählen',
  'link.RESET_PASSWORD.text':
    'Drücken Sie den Knopf, um weiterzumachen. Wenn Sie diesen Link nicht angefordert haben, schließen Sie die Seite: Es hat sich nichts geändert.',
  'link.RESET_PASSWORD.submit': 'Weiter',
  'link.RESET_PASSWORD.done': 'Ihr Passwort ist geändert',
  'link.ACTIONS.title': 'Für Ihr Konto bei {realm} ist etwas zu tun',
  'link.ACTIONS.text': 'Die Betreiber bitten Sie um Folgendes:',
  'link.ACTIONS.submit': 'Weiter',
  'link.ACTIONS.done': 'Alles erledigt',
  'link.REGISTER.title': 'Registrierung bei {realm} abschließen',
  'link.REGISTER.text': 'Drücken Sie den Knopf, um Ihre E-Mail-Adresse zu bestätigen und Ihr Konto zu eröffnen.',
  'link.REGISTER.submit': 'Mein Konto eröffnen',
  'link.REGISTER.done': 'Ihr Konto ist bereit',
  'link.expired.title': 'Dieser Link gilt nicht mehr',
  'link.expired.text': 'Ein Link gilt einmal und nur begrenzte Zeit. Beginnen Sie neu, um einen neuen zu bekommen.',
  'link.otherBrowser.title': 'Öffnen Sie diesen Link im anderen Browser',
  'link.otherBrowser.text':
    'Er gehört zu einer Anmeldung, die in einem anderen Browser oder auf einem anderen Gerät begonnen hat. Öffnen Sie ihn dort, oder beginnen Sie hier neu.',
  'link.signIn': 'Zur Anmeldung',
  'link.continue': 'Weiter',
  'link.close': 'Sie können diese Seite schließen.',
}
