// German: questions that a device of the person answers, and QR codes. People are addressed with “Sie”.

import type { deviceApprovals as english } from '../en/device-approvals.ts'
import type { Texts } from '../texts.ts'

export const deviceApprovals: Texts<typeof english> = {
  'login.qr': 'Mit einem QR-Code anmelden',
  'wait.continue': 'Ich habe geantwortet, weiter',
  'push.title': 'Schauen Sie auf Ihr Telefon',
  'push.text': 'Wir haben Ihrem Gerät eine Frage geschickt. Öffnen Sie sie dort und sagen Sie, ob Sie es sind.',
  'push.number': 'Wählen Sie diese Zahl auf Ihrem Gerät',
  'push.resend': 'Noch einmal fragen',
  'deviceKey.title': 'Mit Ihrem Gerät bestätigen',
  'deviceKey.text': 'Öffnen Sie Ihre Authenticator-App und bestätigen Sie diese Anmeldung.',
  'deviceKey.scan': 'Die App findet die Frage von selbst, oder Sie lesen dieses Bild mit ihr ein.',
  'deviceKey.picture': 'QR-Code mit der Frage für Ihre Authenticator-App',
  'deviceKey.resend': 'Noch einmal fragen',
  'qr.title': 'Mit einem QR-Code anmelden',
  'qr.text': 'Lesen Sie dieses Bild mit einem Telefon ein, auf dem Sie schon angemeldet sind, und bestätigen Sie dort.',
  'qr.picture': 'QR-Code für die Anmeldung',
  'qr.number': 'Tippen Sie diese Zahl auf Ihrem Telefon ein',
  'qr.scanned': 'Eingelesen. Bestätigen Sie jetzt auf Ihrem Telefon.',
  'qr.again': 'Neuen Code zeigen',
  'qr.elsewhere': 'Anders anmelden',
  'pushPage.title': 'Melden Sie sich gerade an?',
  'pushPage.text': 'Jemand möchte sich bei {app} als {username} anmelden.',
  'pushPage.choose': 'Wählen Sie die Zahl, die der andere Bildschirm zeigt',
  'pushPage.approve': 'Ja, ich bin es',
  'pushPage.deny': 'Nein, nicht hereinlassen',
  'pushPage.fraud': 'Das war ich nicht',
  'pushPage.device': 'Nur Ihre Authenticator-App kann hier zustimmen. Auf dieser Seite können Sie nur ablehnen.',
  'qrPage.title': 'Auf einem anderen Bildschirm anmelden?',
  'qrPage.text': 'Der Bildschirm, der den Code zeigt, wird bei {app} als {username} angemeldet.',
  'qrPage.caution':
    'Gehen Sie nur weiter, wenn dieser Bildschirm vor Ihnen steht und Sie ihn selbst geöffnet haben. Lesen Sie nie einen Code ein, den Ihnen jemand geschickt hat.',
  'qrPage.code': 'Zahl auf dem anderen Bildschirm',
  'qrPage.codeMissing': 'Tippen Sie die Zahl ein, die der andere Bildschirm zeigt.',
  'qrPage.confirm': 'Dort anmelden',
  'qrPage.leave': 'Wenn nicht, schließen Sie diese Seite. Dann geschieht nichts.',
  'error.approvalDenied':
    'Die Anmeldung wurde auf Ihrem Gerät abgelehnt. War das ein Versehen, fragen Sie noch einmal.',
  'error.approvalExpired':
    'Niemand hat rechtzeitig geantwortet. Fragen Sie noch einmal, wenn Sie Ihr Gerät zur Hand haben.',
  'error.approvalLimited':
    'Zu viele Fragen blieben ohne Antwort. Warten Sie eine Weile oder nehmen Sie einen anderen Weg.',
  'answered.push.approved.title': 'Sie haben der Anmeldung zugestimmt',
  'answered.push.approved.text': 'Der andere Bildschirm geht von selbst zu {app} weiter.',
  'answered.push.approved.unnamed': 'Der andere Bildschirm geht von selbst weiter.',
  'answered.push.denied.title': 'Die Anmeldung wurde abgelehnt',
  'answered.push.denied.text':
    'Niemand wurde zu {app} hereingelassen. Haben Sie das nicht begonnen, ändern Sie Ihr Passwort.',
  'answered.push.denied.unnamed':
    'Niemand wurde hereingelassen. Haben Sie das nicht begonnen, ändern Sie Ihr Passwort.',
  'answered.push.ended.title': 'Diese Frage hat sich erledigt',
  'answered.push.ended.text':
    'Es hat zu lange gedauert, oder sie wurde schon beantwortet. Möchten Sie sich noch anmelden, fragen Sie dort noch einmal.',
  'answered.qr.approved.title': 'Zurück zum anderen Bildschirm',
  'answered.qr.approved.text': 'Er meldet Sie von selbst bei {app} an.',
  'answered.qr.approved.unnamed': 'Er meldet Sie von selbst an.',
  'answered.qr.denied.title': 'Die Zahl war nicht richtig',
  'answered.qr.denied.text': 'Der andere Bildschirm wurde nicht bei {app} angemeldet. Beginnen Sie dort von vorn.',
  'answered.qr.denied.unnamed': 'Der andere Bildschirm wurde nicht angemeldet. Beginnen Sie dort von vorn.',
  'answered.qr.ended.title': 'Dieser Code gilt nicht mehr',
  'answered.qr.ended.text':
    'Es hat zu lange gedauert, oder er wurde schon benutzt. Zeigen Sie auf dem anderen Bildschirm einen neuen Code.',
}
