// French: registration, forgotten passwords and links from mail. People are addressed with “vous”.

import type { selfService as english } from '../en/self-service.ts'
import type { Texts } from '../texts.ts'

export const selfService: Texts<typeof english> = {
  'register.title': 'Créez un compte',
  'register.subtitle': 'pour {realm}',
  'register.password': 'Mot de passe',
  'register.confirmPassword': 'Répétez le mot de passe',
  'register.submit': 'Créer le compte',
  'register.hasAccount': 'Vous avez déjà un compte ?',
  'register.signIn': 'Se connecter',

  'resetPassword.title': 'Mot de passe oublié ?',
  'resetPassword.text':
    'Saisissez votre nom d’utilisateur ou votre adresse e-mail. Nous vous enverrons un lien pour choisir un nouveau mot de passe.',
  'resetPassword.submit': 'Envoyer le lien',
  'resetPassword.back': 'Retour à la connexion',

  'mailSent.title': 'Consultez vos e-mails',
  'mailSent.REGISTER':
    'Nous avons envoyé un message à l’adresse indiquée. Ouvrez le lien qu’il contient pour continuer.',
  'mailSent.RESET': 'S’il existe un compte à ce nom, nous avons envoyé un lien à son adresse e-mail.',
  'mailSent.help':
    'Toujours rien après quelques minutes ? Regardez dans les courriers indésirables et vérifiez ce que vous avez saisi.',

  'link.MAGIC_LINK.title': 'Connexion à {realm}',
  'link.MAGIC_LINK.text':
    'Appuyez sur le bouton pour vous connecter. Si vous n’avez pas demandé ce lien, fermez la page.',
  'link.MAGIC_LINK.submit': 'Se connecter',
  'link.MAGIC_LINK.done': 'Vous êtes connecté',
  'link.VERIFY_EMAIL.title': 'Confirmez votre adresse e-mail pour {realm}',
  'link.VERIFY_EMAIL.text': 'Appuyez sur le bouton si cette adresse est la vôtre et que vous y avez un compte.',
  'link.VERIFY_EMAIL.submit': 'Confirmer l’adresse',
  'link.VERIFY_EMAIL.done': 'Votre adresse e-mail est confirmée',
  'link.RESET_PASSWORD.title': 'Choisissez un nouveau mot de passe pour {realm}',
  'link.RESET_PASSWORD.text':
    'Appuyez sur le bouton pour continuer. Si vous n’avez pas demandé ce lien, fermez la page : rien n’a changé.',
  'link.RESET_PASSWORD.submit': 'Continuer',
  'link.RESET_PASSWORD.done': 'Votre mot de passe est changé',
  'link.ACTIONS.title': 'Une démarche à faire pour votre compte {realm}',
  'link.ACTIONS.text': 'Les responsables vous demandent ceci :',
  'link.ACTIONS.submit': 'Continuer',
  'link.ACTIONS.done': 'Tout est fait',
  'link.REGISTER.title': 'Terminez votre inscription à {realm}',
  'link.REGISTER.text': 'Appuyez sur le bouton pour confirmer votre adresse e-mail et ouvrir votre compte.',
  'link.REGISTER.submit': 'Ouvrir mon compte',
  'link.REGISTER.done': 'Votre compte est prêt',
  'link.expired.title': 'Ce lien ne fonctionne plus',
  'link.expired.text': 'Un lien sert une seule fois et pour un temps limité. Recommencez pour en recevoir un nouveau.',
  'link.otherBrowser.title': 'Ouvrez ce lien dans votre autre navigateur',
  'link.otherBrowser.text':
    'Il appartient à une connexion commencée dans un autre navigateur ou sur un autre appareil. Ouvrez-le là-bas, ou recommencez ici.',
  'link.signIn': 'Aller à la connexion',
  'link.continue': 'Continuer',
  'link.close': 'Vous pouvez fermer cette page.',
}
