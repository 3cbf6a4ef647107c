// Dutch: requests that wait on another device (RFC 8628, CIBA). People are addressed with “u”.

import type { approvals as english } from '../en/approvals.ts'
import type { Texts } from '../texts.ts'

export const approvals: Texts<typeof english> = {
  'userCode.title': 'Een apparaat koppelen',
  'userCode.text': 'Uw apparaat toont een code. Typ die hier om verder te gaan.',
  'userCode.label': 'Code op uw apparaat',
  'userCode.hint': 'Bijvoorbeeld BCDF-GHJK. Kleine letters en spaties mogen ook.',
  'userCode.submit': 'Verder',
  'userCode.missing': 'Vul de code in die uw apparaat toont.',
  'userCode.unknown': 'Deze code bestaat niet. Vergelijk hem letter voor letter met uw apparaat.',
  'userCode.expired': 'Deze code is verlopen. Vraag op uw apparaat een nieuwe aan.',
  'userCode.used': 'Deze code is al gebruikt. Vraag op uw apparaat een nieuwe aan.',

  'approval.device.title': '{app} aan uw account koppelen?',
  'approval.device.compare': 'Uw apparaat moet deze code tonen',
  'approval.device.caution': 'Ga alleen verder als u dit zelf bent begonnen, op een apparaat dat deze code toont.',
  'approval.device.origin': 'Waar het verzoek vandaan komt',
  'approval.ciba.title': '{app} vraagt om uw toestemming',
  'approval.ciba.compare': 'Vergelijk dit met wat de toepassing u toont',
  'approval.ciba.caution': 'Ga alleen verder als u dit verzoek verwacht en weet waar het voor is.',
  'approval.ciba.origin': 'Het verzoek',
  'approval.device': 'Apparaat',
  'approval.address': 'IP-adres',
  'approval.asked': 'Gevraagd',
  'approval.left': 'Nog geldig',
  'approval.agent': '{browser} op {system}',
  'approval.unknown': 'Onbekend',

  'answered.device.approved.title': 'Ga terug naar uw apparaat',
  'answered.device.approved.text':
    '{app} is aan uw account gekoppeld. Uw apparaat gaat binnen enkele seconden vanzelf verder.',
  'answered.device.approved.unnamed': 'Het is aan uw account gekoppeld en gaat binnen enkele seconden vanzelf verder.',
  'answered.device.denied.title': 'U hebt het verzoek geweigerd',
  'answered.device.denied.text': '{app} is niet aan uw account gekoppeld.',
  'answered.device.denied.unnamed': 'Het apparaat is niet aan uw account gekoppeld.',
  'answered.device.ended.title': 'Dit verzoek is afgelopen',
  'answered.device.ended.text':
    'Het duurde te lang of is al beantwoord. Wilt u uw apparaat nog koppelen? Vraag daar dan een nieuwe code aan.',
  'answered.ciba.approved.title': 'U hebt het verzoek goedgekeurd',
  'answered.ciba.approved.text': '{app} gaat binnen enkele seconden vanzelf verder.',
  'answered.ciba.approved.unnamed': 'De toepassing gaat binnen enkele seconden vanzelf verder.',
  'answered.ciba.denied.title': 'U hebt het verzoek geweigerd',
  'answered.ciba.denied.text': '{app} krijgt te horen dat u hebt geweigerd.',
  'answered.ciba.denied.unnamed': 'De toepassing krijgt te horen dat u hebt geweigerd.',
  'answered.ciba.ended.title': 'Dit verzoek is afgelopen',
  'answered.ciba.ended.text': 'Het duurde te lang of is al beantwoord. Wilt u nog verder? Begin dan opnieuw.',
  'answered.close': 'U kunt deze pagina sluiten.',
}
