// French: requests that wait on another device (RFC 8628, CIBA). People are addressed with “vous”.

import type { approvals as english } from '../en/approvals.ts'
import type { Texts } from '../texts.ts'

export const approvals: Texts<typeof english> = {
  'userCode.title': 'Connecter un appareil',
  'userCode.text': 'Votre appareil affiche un code. Saisissez-le ici pour continuer.',
  'userCode.label': 'Code affiché par votre appareil',
  'userCode.hint': 'Par exemple BCDF-GHJK. Les minuscules et les espaces conviennent aussi.',
  'userCode.submit': 'Continuer',
  'userCode.missing': 'Saisissez le code affiché par votre appareil.',
  'userCode.unknown': 'Ce code n’existe pas. Comparez-le lettre par lettre avec celui de votre appareil.',
  'userCode.expired': 'Ce code a expiré. Demandez-en un nouveau sur votre appareil.',
  'userCode.used': 'Ce code a déjà servi. Demandez-en un nouveau sur votre appareil.',

  'approval.device.title': 'Donner à {app} l’accès à votre compte ?',
  'approval.device.compare': 'Votre appareil doit afficher ce code',
  'approval.device.caution':
    'Ne continuez que si vous avez vous-même commencé ceci, sur un appareil qui affiche ce code.',
  'approval.device.origin': 'D’où vient la demande',
  'approval.ciba.title': '{app} demande votre accord',
  'approval.ciba.compare': 'Comparez ceci avec ce que l’application vous montre',
  'approval.ciba.caution': 'Ne continuez que si vous attendez cette demande et savez à quoi elle sert.',
  'approval.ciba.origin': 'La demande',
  'approval.device': 'Appareil',
  'approval.address': 'Adresse IP',
  'approval.asked': 'Envoyée',
  'approval.left': 'Temps restant',
  'approval.agent': '{browser} sur {system}',
  'approval.unknown': 'Inconnu',

  'answered.device.approved.title': 'Retournez à votre appareil',
  'answered.device.approved.text':
    '{app} a maintenant accès à votre compte. Votre appareil continue automatiquement dans quelques secondes.',
  'answered.device.approved.unnamed': 'Il a accès à votre compte et continue automatiquement dans quelques secondes.',
  'answered.device.denied.title': 'Vous avez refusé la demande',
  'answered.device.denied.text': '{app} n’a pas obtenu l’accès à votre compte.',
  'answered.device.denied.unnamed': 'L’appareil n’a pas obtenu l’accès à votre compte.',
  'answered.device.ended.title': 'Cette demande est terminée',
  'answered.device.ended.text':
    'Elle a pris trop de temps ou a déjà reçu une réponse. Pour connecter votre appareil, demandez-y un nouveau code.',
  'answered.ciba.approved.title': 'Vous avez donné votre accord',
  'answered.ciba.approved.text': '{app} continue automatiquement dans quelques secondes.',
  'answered.ciba.approved.unnamed': 'L’application continue automatiquement dans quelques secondes.',
  'answered.ciba.denied.title': 'Vous avez refusé la demande',
  'answered.ciba.denied.text': 'Votre refus est transmis à {app}.',
  'answered.ciba.denied.unnamed': 'Votre refus est transmis à l’application.',
  'answered.ciba.ended.title': 'Cette demande est terminée',
  'answered.ciba.ended.text':
    'Elle a pris trop de temps ou a déjà reçu une réponse. Si vous voulez continuer, recommencez.',
  'answered.close': 'Vous pouvez fermer cette page.',
}
