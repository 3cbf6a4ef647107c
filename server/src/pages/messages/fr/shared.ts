// French: the frame of every page, and the pages after a sign-in: landing, consent, sign-out, errors. People are addressed with “vous”.

import type { shared as english } from '../en/shared.ts'
import type { Texts } from '../texts.ts'

export const shared: Texts<typeof english> = {
  'shell.footer': 'Protégé par Gatehouse',
  'shell.terms': 'Conditions',
  'shell.privacy': 'Confidentialité',
  'shell.support': 'Assistance',
  'shell.footerLinks': 'À propos de ce service',
  'shell.languages': 'Langue',

  'landing.consoleTitle': 'Administration',
  'landing.signedInAs': 'Connecté en tant que',
  'landing.noEmail': 'Aucune adresse e-mail enregistrée',
  'landing.permissions': 'Vos droits',
  'landing.noPermissions': 'Vous n’avez aucun droit d’administration dans ce domaine.',
  'landing.links': 'Liens utiles',
  'landing.sessionEnds': 'Votre session se termine au plus tard le {time} UTC.',
  'landing.signOut': 'Se déconnecter',

  'consent.title': '{app} demande l’accès à votre compte',
  'consent.published':
    'L’application se décrit elle-même à cette adresse. Personne ici ne l’a vérifiée, et chacun peut choisir son nom.',
  'consent.unchecked':
    'L’application s’est enregistrée elle-même. Personne ici ne l’a vérifiée, et chacun peut choisir son nom.',
  'consent.leadsTo': 'Votre réponse est envoyée à {host}.',
  'consent.leadsToDevice': 'Votre réponse est envoyée à un programme sur cet appareil.',
  'consent.more': 'Vous avez déjà autorisé {app}. Une autorisation plus large est demandée maintenant.',
  'consent.signedInAs': 'Connecté en tant que',
  'consent.switch': 'Ce n’est pas vous ? Utiliser un autre compte',
  'consent.scopes': 'Ce qui est demandé',
  'consent.nothing': 'L’application veut seulement savoir que vous êtes connecté.',
  'consent.resources': 'Ce qui sera utilisé en votre nom',
  'consent.new': 'Nouveau',
  'consent.trust': 'N’autorisez ceci que si vous connaissez {app} et lui faites confiance.',
  'consent.allow': 'Autoriser',
  'consent.deny': 'Refuser',

  'logout.title': 'Se déconnecter de {realm} ?',
  'logout.askedBy': '{app} demande votre déconnexion.',
  'logout.asked': 'Une application demande votre déconnexion.',
  'logout.effect':
    'Vous serez déconnecté ici et dans toutes les applications que vous avez ouvertes avec cette connexion.',
  'logout.account': 'Connecté en tant que {username}',
  'logout.submit': 'Se déconnecter',
  'logout.stay': 'Rester connecté',

  'loggedOut.title': 'Vous êtes déconnecté',
  'loggedOut.ended': 'Votre session dans {realm} est terminée.',
  'loggedOut.text': 'Votre session dans {realm} est terminée. Vous pouvez fermer cette page.',
  'loggedOut.elsewhere': 'Votre session dans {realm} est terminée. Les applications utilisées en sont informées.',
  'loggedOut.frame': 'Déconnexion d’une application',
  'loggedOut.continue': 'Continuer vers {app}',
  'loggedOut.continueUnnamed': 'Continuer',
  'loggedOut.signIn': 'Se reconnecter',

  'clientError.title': 'Cette demande ne peut pas être acceptée',
  'clientError.reassurance':
    'L’application vous a envoyé ici avec une demande que nous ne pouvons pas accepter. Votre compte n’est pas en cause.',
  'clientError.advice':
    'Retournez à l’application et réessayez. Si cette page revient, signalez-le à ses responsables.',
  'clientError.developers': 'Pour les développeurs de l’application',
  'clientError.whatToDo': 'Que faire',
  'clientError.facts': 'La demande',

  'passOn.title': 'Un instant',
  'passOn.text': 'Vous allez être conduit vers {app}.',
  'passOn.textUnnamed': 'Vous allez être conduit vers l’application.',
  'passOn.help': 'Si rien ne se passe, appuyez sur le bouton.',
  'passOn.continue': 'Continuer',

  'error.status': 'Erreur {status}',
  'error.reference': 'Référence',
  'error.referenceHelp': 'Indiquez cette référence si vous demandez de l’aide.',
  'error.explained': 'Ce qui s’est passé',
  'error.whatToDo': 'Que faire',
  'error.code': 'Code',
  'error.httpStatus': 'Statut HTTP',
  'error.allCodes': 'Tous les codes d’erreur',
  'error.indexTitle': 'Codes d’erreur',
  'error.indexIntro': 'Chaque erreur que ce service renvoie porte un de ces codes.',
  'error.causes': 'Causes habituelles',
  'error.answeredAt': 'Renvoyé par',
  'error.standard': 'Défini dans {standard}.',
  'error.indexOauth': 'OAuth et OpenID Connect',
  'error.indexOauthIntro': 'Dans error, là où applications et appareils demandent des jetons.',
  'error.indexApi': 'API d’administration',
  'error.indexApiIntro': 'Dans code et type d’un document de problème (RFC 9457).',
}
