// French: questions that a device of the person answers, and QR codes. People are addressed with “vous”.

import type { deviceApprovals as english } from '../en/device-approvals.ts'
import type { Texts } from '../texts.ts'

export const deviceApprovals: Texts<typeof english> = {
  'login.qr': 'Se connecter avec un code QR',
  'wait.continue': 'J’ai répondu, continuer',
  'push.title': 'Regardez votre téléphone',
  'push.text': 'Nous avons envoyé une question à votre appareil. Ouvrez-la et dites si c’est bien vous.',
  'push.number': 'Choisissez ce nombre sur votre appareil',
  'push.resend': 'Demander à nouveau',
  'deviceKey.title': 'Confirmez avec votre appareil',
  'deviceKey.text': 'Ouvrez votre application d’authentification et confirmez cette connexion.',
  'deviceKey.scan': 'L’application trouve la question d’elle-même, ou vous scannez cette image avec elle.',
  'deviceKey.picture': 'Code QR avec la question pour votre application d’authentification',
  'deviceKey.resend': 'Demander à nouveau',
  'qr.title': 'Se connecter avec un code QR',
  'qr.text':
    'Scannez cette image avec un téléphone sur lequel vous êtes déjà connecté, puis confirmez sur ce téléphone.',
  'qr.picture': 'Code QR de connexion',
  'qr.number': 'Saisissez ce nombre sur votre téléphone',
  'qr.scanned': 'Code lu. Confirmez maintenant sur votre téléphone.',
  'qr.again': 'Afficher un nouveau code',
  'qr.elsewhere': 'Se connecter autrement',
  'pushPage.title': 'Est-ce vous qui vous connectez ?',
  'pushPage.text': 'Quelqu’un veut se connecter à {app} en tant que {username}.',
  'pushPage.choose': 'Choisissez le nombre affiché sur l’autre écran',
  'pushPage.approve': 'Oui, c’est moi',
  'pushPage.deny': 'Non, refuser l’accès',
  'pushPage.fraud': 'Ce n’est pas moi',
  'pushPage.device': 'Seule votre application d’authentification peut accepter. Ici, vous pouvez seulement refuser.',
  'qrPage.title': 'Se connecter sur un autre écran ?',
  'qrPage.text': 'L’écran qui affiche le code sera connecté à {app} en tant que {username}.',
  'qrPage.caution':
    'Continuez seulement si cet écran est devant vous et que vous l’avez ouvert vous-même. Ne scannez jamais un code que quelqu’un vous a envoyé.',
  'qrPage.code': 'Nombre sur l’autre écran',
  'qrPage.codeMissing': 'Saisissez le nombre affiché sur l’autre écran.',
  'qrPage.confirm': 'Connecter l’autre écran',
  'qrPage.leave': 'Sinon, fermez cette page. Rien ne se passe alors.',
  'error.approvalDenied': 'La connexion a été refusée sur votre appareil. Si c’était une erreur, demandez à nouveau.',
  'error.approvalExpired':
    'Personne n’a répondu à temps. Demandez à nouveau quand vous avez votre appareil sous la main.',
  'error.approvalLimited':
    'Trop de questions sont restées sans réponse. Attendez un moment ou choisissez une autre méthode.',
  'answered.push.approved.title': 'Vous avez approuvé la connexion',
  'answered.push.approved.text': 'L’autre écran continue de lui-même vers {app}.',
  'answered.push.approved.unnamed': 'L’autre écran continue de lui-même.',
  'answered.push.denied.title': 'La connexion a été refusée',
  'answered.push.denied.text':
    'Personne n’a eu accès à {app}. Si vous n’êtes pas à l’origine de cette demande, changez votre mot de passe.',
  'answered.push.denied.unnamed':
    'Personne n’a eu accès. Si vous n’êtes pas à l’origine de cette demande, changez votre mot de passe.',
  'answered.push.ended.title': 'Cette question est terminée',
  'answered.push.ended.text':
    'Le délai est dépassé ou elle a déjà reçu une réponse. Si vous voulez encore vous connecter, demandez à nouveau sur l’autre écran.',
  'answered.qr.approved.title': 'Retournez à l’autre écran',
  'answered.qr.approved.text': 'Il vous connecte de lui-même à {app}.',
  'answered.qr.approved.unnamed': 'Il vous connecte de lui-même.',
  'answered.qr.denied.title': 'Le nombre n’était pas correct',
  'answered.qr.denied.text': 'L’autre écran n’a pas été connecté à {app}. Recommencez sur cet écran.',
  'answered.qr.denied.unnamed': 'L’autre écran n’a pas été connecté. Recommencez sur cet écran.',
  'answered.qr.ended.title': 'Ce code n’est plus valable',
  'answered.qr.ended.text': 'Il a expiré ou a déjà servi. Affichez un nouveau code sur l’autre écran.',
}
