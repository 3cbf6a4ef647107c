// German: the frame of every page, and the pages after a sign-in: landing, consent, sign-out, errors. People are addressed with “Sie”.

import type { shared as english } from '../en/shared.ts'
import type { Texts } from '../texts.ts'

export const shared: Texts<typeof english> = {
  'shell.footer': 'Gesichert durch Gatehouse',
  'shell.terms': 'Nutzungsbedingungen',
  'shell.privacy': 'Datenschutz',
  'shell.support': 'Hilfe',
  'shell.footerLinks': 'Über diesen Dienst',
  'shell.languages': 'Sprache',

  'landing.consoleTitle': 'Verwaltung',
  'landing.signedInAs': 'Angemeldet als',
  'landing.noEmail': 'Keine E-Mail-Adresse hinterlegt',
  'landing.permissions': 'Ihre Berechtigungen',
  'landing.noPermissions': 'Sie haben in diesem Realm keine Verwaltungsrechte.',
  'landing.links': 'Nützliche Links',
  'landing.sessionEnds': 'Ihre Sitzung endet spätestens am {time} UTC.',
  'landing.signOut': 'Abmelden',

  'consent.title': '{app} möchte auf Ihr Konto zugreifen',
  'consent.published':
    'Unter dieser Adresse beschreibt sich die Anwendung selbst. Niemand hier hat sie geprüft, und ihren Namen kann jeder wählen.',
  'consent.unchecked':
    'Die Anwendung hat sich selbst registriert. Niemand hier hat sie geprüft, und ihren Namen kann jeder wählen.',
  'consent.leadsTo': 'Ihre Antwort geht an {host}.',
  'consent.leadsToDevice': 'Ihre Antwort geht an ein Programm auf diesem Gerät.',
  'consent.more': 'Sie haben {app} schon einmal zugelassen. Nun wird um mehr gebeten.',
  'consent.signedInAs': 'Angemeldet als',
  'consent.switch': 'Nicht Sie? Anderes Konto verwenden',
  'consent.scopes': 'Worum gebeten wird',
  'consent.nothing': 'Die Anwendung möchte nur wissen, dass Sie angemeldet sind.',
  'consent.resources': 'Was in Ihrem Namen genutzt wird',
  'consent.new': 'Neu',
  'consent.trust': 'Erlauben Sie das nur, wenn Sie {app} kennen und ihr vertrauen.',
  'consent.allow': 'Erlauben',
  'consent.deny': 'Ablehnen',

  'logout.title': 'Von {realm} abmelden?',
  'logout.askedBy': '{app} bittet darum, Sie abzumelden.',
  'logout.asked': 'Eine Anwendung bittet darum, Sie abzumelden.',
  'logout.effect': 'Sie werden hier abgemeldet und in jeder Anwendung, die Sie mit dieser Anmeldung erreicht haben.',
  'logout.account': 'Angemeldet als {username}',
  'logout.submit': 'Abmelden',
  'logout.stay': 'Angemeldet bleiben',

  'loggedOut.title': 'Sie sind abgemeldet',
  'loggedOut.ended': 'Ihre Sitzung bei {realm} ist beendet.',
  'loggedOut.text': 'Ihre Sitzung bei {realm} ist beendet. Sie können diese Seite schließen.',
  'loggedOut.elsewhere': 'Ihre Sitzung bei {realm} ist beendet. Die benutzten Anwendungen werden benachrichtigt.',
  'loggedOut.frame': 'Abmeldung von einer Anwendung',
  'loggedOut.continue': 'Weiter zu {app}',
  'loggedOut.continueUnnamed': 'Weiter',
  'loggedOut.signIn': 'Wieder anmelden',

  'clientError.title': 'Diese Anfrage kann nicht angenommen werden',
  'clientError.reassurance':
    'Die Anwendung hat Sie mit einer Anfrage hergeschickt, die wir nicht annehmen können. Mit Ihrem Konto ist alles in Ordnung.',
  'clientError.advice':
    'Gehen Sie zurück zur Anwendung und versuchen Sie es noch einmal. Wenn diese Seite wiederkommt, sagen Sie es deren Betreibern.',
  'clientError.developers': 'Für die Entwickler der Anwendung',
  'clientError.whatToDo': 'Was zu tun ist',
  'clientError.facts': 'Die Anfrage',

  'passOn.title': 'Einen Moment',
  'passOn.text': 'Sie werden zu {app} gebracht.',
  'passOn.textUnnamed': 'Sie werden zur Anwendung gebracht.',
  'passOn.help': 'Wenn nichts geschieht, drücken Sie den Knopf.',
  'passOn.continue': 'Weiter',

  'error.status': 'Fehler {status}',
  'error.reference': 'Kennung',
  'error.referenceHelp': 'Nennen Sie diese Kennung, wenn Sie um Hilfe bitten.',
  'error.explained': 'Was geschehen ist',
  'error.whatToDo': 'Was zu tun ist',
  'error.code': 'Code',
  'error.httpStatus': 'HTTP-Status',
  'error.allCodes': 'Alle Fehlercodes',
  'error.indexTitle': 'Fehlercodes',
  'error.indexIntro': 'Jeder Fehler, mit dem dieser Dienst antwortet, trägt einen dieser Codes.',
  'error.causes': 'Übliche Ursachen',
  'error.answeredAt': 'Antwort von',
  'error.standard': 'Festgelegt in {standard}.',
  'error.indexOauth': 'OAuth und OpenID Connect',
  'error.indexOauthIntro': 'In error, wo Anwendungen und Geräte um Token bitten.',
  'error.indexApi': 'Verwaltungs-API',
  'error.indexApiIntro': 'In code und type eines Problemdokuments (RFC 9457).',
}
