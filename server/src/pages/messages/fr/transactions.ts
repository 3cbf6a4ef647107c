// French: transactions that an application wants signed. People are addressed with “vous”.

import type { transactions as english } from '../en/transactions.ts'
import type { Texts } from '../texts.ts'

export const transactions: Texts<typeof english> = {
  'tx.title': '{app} vous demande de signer',
  'tx.content': 'Ce que vous signez',
  'tx.application': 'Application',
  'tx.until': 'Jusqu’au',
  'tx.hash': 'Empreinte',
  'tx.caution':
    'Signez seulement si vous attendez cette demande et si chaque détail est exact. Ce qui est signé ne peut pas être repris ici.',
  'tx.answer': 'Votre réponse',
  'tx.code': 'Code de votre application d’authentification',
  'tx.sign.passkey': 'Signer avec une clé d’accès',
  'tx.sign.code': 'Signer avec le code',
  'tx.sign.password': 'Signer avec le mot de passe',
  'tx.passwordWrong': 'Ce mot de passe n’est pas le bon. Vérifiez-le et réessayez.',
  'tx.otherWays': 'Autres façons de signer',
  'tx.reject': 'Refuser',
  'tx.tooWeak': 'L’application demande une preuve plus forte que celle de votre connexion.',
  'tx.stronger': 'Confirmer que c’est vous',
  'tx.noMethod': 'Vous n’avez ni clé d’accès, ni application d’authentification, ni mot de passe pour signer.',

  'tx.ended.SIGNED.title': 'Vous avez signé',
  'tx.ended.SIGNED.text': '{app} en est informée et poursuit d’elle-même.',
  'tx.ended.REJECTED.title': 'Vous avez refusé',
  'tx.ended.REJECTED.text': '{app} est informée de votre refus.',
  'tx.ended.CONSUMED.title': 'C’est fait',
  'tx.ended.CONSUMED.text': 'Vous avez signé, et {app} l’a exécuté.',
  'tx.ended.EXPIRED.title': 'Le délai est dépassé',
  'tx.ended.EXPIRED.text': 'Rien n’a été exécuté. Si vous le souhaitez encore, recommencez dans {app}.',
}
