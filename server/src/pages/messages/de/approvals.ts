// German: requests that wait on another device (RFC 8628, CIBA). People are addressed with “Sie”.

import type { approvals as english } from '../en/approvals.ts'
import type { Texts } from '../texts.ts'

export const approvals: Texts<typeof english> = {
  'userCode.title': 'Ein Gerät verbinden',
  'userCode.text': 'Ihr Gerät zeigt einen Code. Geben Sie ihn hier ein, um fortzufahren.',
  'userCode.label': 'Code auf Ihrem Gerät',
  'userCode.hint': 'Zum Beispiel BCDF-GHJK. Kleinbuchstaben und Leerzeichen sind erlaubt.',
  'userCode.submit': 'Weiter',
  'userCode.missing': 'Geben Sie den Code ein, den Ihr Gerät zeigt.',
  'userCode.unknown': 'Diesen Code gibt es nicht. Vergleichen Sie ihn Buchstabe für Buchstabe mit Ihrem Gerät.',
  'userCode.expired': 'Dieser Code ist abgelaufen. Fordern Sie auf Ihrem Gerät einen neuen an.',
  'userCode.used': 'Dieser Code wurde bereits benutzt. Fordern Sie auf Ihrem Gerät einen neuen an.',

  'approval.device.title': '{app} mit Ihrem Konto verbinden?',
  'approval.device.compare': 'Ihr Gerät muss diesen Code zeigen',
  'approval.device.caution':
    'Fahren Sie nur fort, wenn Sie dies selbst begonnen haben, auf einem Gerät, das diesen Code zeigt.',
  'approval.device.origin': 'Woher die Anfrage kommt',
  'approval.ciba.title': '{app} bittet um Ihre Zustimmung',
  'approval.ciba.compare': 'Vergleichen Sie dies mit dem, was die Anwendung Ihnen zeigt',
  'approval.ciba.caution': 'Fahren Sie nur fort, wenn Sie diese Anfrage erwarten und wissen, wofür sie ist.',
  'approval.ciba.origin': 'Die Anfrage',
  'approval.device': 'Gerät',
  'approval.address': 'IP-Adresse',
  'approval.asked': 'Gestellt',
  'approval.left': 'Noch gültig',
  'approval.agent': '{browser} auf {system}',
  'approval.unknown': 'Unbekannt',

  'answered.device.approved.title': 'Zurück zu Ihrem Gerät',
  'answered.device.approved.text':
    '{app} ist mit Ihrem Konto verbunden. Ihr Gerät macht in wenigen Sekunden von selbst weiter.',
  'answered.device.approved.unnamed':
    'Es ist mit Ihrem Konto verbunden und macht in wenigen Sekunden von selbst weiter.',
  'answered.device.denied.title': 'Sie haben die Anfrage abgelehnt',
  'answered.device.denied.text': '{app} wurde nicht mit Ihrem Konto verbunden.',
  'answered.device.denied.unnamed': 'Das Gerät wurde nicht mit Ihrem Konto verbunden.',
  'answered.device.ended.title': 'Diese Anfrage ist beendet',
  'answered.device.ended.text':
    'Es hat zu lange gedauert, oder sie wurde schon beantwortet. Wenn Sie Ihr Gerät noch verbinden möchten, fordern Sie dort einen neuen Code an.',
  'answered.ciba.approved.title': 'Sie haben zugestimmt',
  'answered.ciba.approved.text': '{app} macht in wenigen Sekunden von selbst weiter.',
  'answered.ciba.approved.unnamed': 'Die Anwendung macht in wenigen Sekunden von selbst weiter.',
  'answered.ciba.denied.title': 'Sie haben die Anfrage abgelehnt',
  'answered.ciba.denied.text': '{app} erfährt, dass Sie abgelehnt haben.',
  'answered.ciba.denied.unnamed': 'Die Anwendung erfährt, dass Sie abgelehnt haben.',
  'answered.ciba.ended.title': 'Diese Anfrage ist beendet',
  'answered.ciba.ended.text':
    'Es hat zu lange gedauert, oder sie wurde schon beantwortet. Wenn Sie noch fortfahren möchten, beginnen Sie von vorn.',
  'answered.close': 'Sie können diese Seite schließen.',
}
