import type { BuiltInLanguage } from './types.ts'

export const fr: BuiltInLanguage = {
  linkHint: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
  footer: 'Ce message a été envoyé automatiquement par {{realm}}. Les réponses ne sont pas lues.',
  action: 'Ouvrir',
  test: {
    subject: 'Message de test de {{realm}}',
    body: 'Ceci est un message de test de {{realm}}. Il est arrivé : les messages peuvent donc être remis.',
  },
  templates: {
    'otp-sms': {
      subject: null,
      body: '{{code}} est votre code pour {{realm}}. Il est valable {{ttl}} minutes. Ne le communiquez à personne.',
    },
    'otp-email': {
      subject: 'Votre code pour {{realm}}',
      body: `Bonjour {{user}},

Saisissez ce code pour vous connecter à {{realm}} :

{{code}}

Il est valable {{ttl}} minutes et une seule fois. Ne le communiquez à personne : personne de {{realm}} ne vous le demandera.

Si vous n’êtes pas en train de vous connecter, quelqu’un connaît peut-être votre mot de passe. Changez-le.`,
    },
    'magic-link-email': {
      subject: 'Connexion à {{realm}}',
      body: `Bonjour {{user}},

Utilisez ce lien pour vous connecter à {{realm}}. Il est valable {{ttl}} minutes et une seule fois.

{{link}}

Si vous ne l’avez pas demandé, vous pouvez ignorer ce message : sans le lien, personne ne peut entrer.`,
      action: 'Se connecter',
    },
    'verify-email': {
      subject: 'Confirmez votre adresse e-mail pour {{realm}}',
      body: `Bonjour {{user}},

Veuillez confirmer que cette adresse e-mail est la vôtre. Saisissez ce code là où vous vous connectez ; il est valable {{ttl}} minutes :

{{code}}

Ou utilisez ce lien dans la journée, dans n’importe quel navigateur :

{{link}}

Si vous n’avez pas de compte chez {{realm}}, vous pouvez ignorer ce message.`,
      action: 'Confirmer l’adresse',
    },
    'registration-email': {
      subject: 'Terminez votre inscription chez {{realm}}',
      body: `Bonjour {{user}},

Vous vous inscrivez chez {{realm}}. Utilisez ce lien dans la journée pour terminer ; votre compte existera dès lors.

{{link}}

Si ce n’était pas vous, vous pouvez ignorer ce message : sans le lien, aucun compte n’est créé.`,
      action: 'Terminer l’inscription',
    },
    'reset-password-email': {
      subject: 'Choisissez un nouveau mot de passe pour {{realm}}',
      body: `Bonjour {{user}},

Quelqu’un a demandé à réinitialiser le mot de passe de votre compte chez {{realm}}. Le lien est valable {{ttl}} minutes et une seule fois.

{{link}}

Si ce n’était pas vous, vous pouvez ignorer ce message : votre mot de passe ne change pas.`,
      action: 'Choisir un mot de passe',
    },
    'invite-email': {
      subject: 'Vous êtes invité à rejoindre {{realm}}',
      body: `Bonjour {{user}},

Vous êtes invité à rejoindre {{realm}}. Suivez le lien pour configurer votre compte. Il est valable {{ttl}} minutes.

{{link}}

Si vous ne vous y attendiez pas, vous pouvez ignorer ce message.`,
      action: 'Accepter l’invitation',
    },
    'impersonation-notice-email': {
      subject: 'L’administration a utilisé votre compte chez {{realm}}',
      body: `Bonjour {{user}},

Le {{time}}, une personne de l’administration de {{realm}} a commencé à agir en votre nom, par exemple pour résoudre un problème. Son identité et ses actions sont enregistrées.

Si vous n’en connaissez pas la raison, adressez-vous à l’administration de {{realm}}.`,
    },
    'new-device-email': {
      subject: 'Nouvelle connexion à votre compte chez {{realm}}',
      body: `Bonjour {{user}},

Le {{time}}, quelqu’un s’est connecté à votre compte chez {{realm}} depuis un appareil qui n’avait pas encore été utilisé.

Si c’était vous, il n’y a rien à faire. Sinon, changez votre mot de passe maintenant et mettez fin à toutes vos sessions.`,
    },
    'account-exists-email': {
      subject: 'Vous avez déjà un compte chez {{realm}}',
      body: `Bonjour {{user}},

Quelqu’un a essayé de s’inscrire chez {{realm}} avec cette adresse e-mail. Vous avez déjà un compte, aucun nouveau compte n’a donc été créé.

Si c’était vous, connectez-vous simplement. Si vous avez oublié votre mot de passe, vous pouvez en choisir un nouveau à cet endroit.

Si c’était quelqu’un d’autre, il n’y a rien à faire : cette personne n’a pas appris que vous avez un compte.`,
    },
    'approval-email': {
      subject: 'Une application demande votre accord chez {{realm}}',
      body: `Bonjour {{user}},

{{client}} vous demande de confirmer que vous souhaitez continuer. La demande est valable {{ttl}} minutes.

{{message}}

{{link}}

Donnez votre accord seulement si vous avez commencé vous-même. Si des mots figurent au-dessus du lien, ils doivent être ceux que l’application vous montre. En cas de doute, refusez ou ignorez ce message : rien ne se passe alors.`,
      action: 'Voir la demande',
    },
    'approval-push': {
      subject: '{{realm}}',
      body: 'Voulez-vous vous connecter en tant que {{user}} ? Ouvrez l’application pour répondre.',
    },
    'account-change-email': {
      subject: 'Votre compte chez {{realm}} a été modifié',
      body: `Bonjour {{user}},

{{change}}

Quand : {{time}}
Depuis : {{place}}

Si c’était vous, il n’y a rien à faire. Sinon, quelqu’un d’autre est peut-être dans votre compte : choisissez un nouveau mot de passe, terminez toutes les autres sessions et prévenez les administrateurs de {{realm}}.

{{link}}`,
      action: 'Ouvrir le compte',
    },
    'confirm-address-email': {
      subject: 'Confirmez votre nouvelle adresse e-mail pour {{realm}}',
      body: `Bonjour {{user}},

Cette adresse a été indiquée pour un compte chez {{realm}}. Veuillez confirmer dans les 24 heures qu’elle est la vôtre :

{{link}}

Si vous n’avez pas de compte chez {{realm}}, vous pouvez ignorer ce message.`,
      action: 'Confirmer l’adresse',
    },
  },
}
