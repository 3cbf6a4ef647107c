// German: transactions that an application wants signed. People are addressed with “Sie”.

import type { transactions as english } from '../en/transactions.ts'
import type { Texts } from '../texts.ts'

export const transactions: Texts<typeof english> = {
  'tx.title': '{app} bittet um Ihre Unterschrift',
  'tx.content': 'Was Sie unterschreiben',
  'tx.application': 'Anwendung',
  'tx.until': 'Gültig bis',
  'tx.hash': 'Fingerabdruck',
  'tx.caution':
    'Unterschreiben Sie nur, wenn Sie dies erwarten und jede Angabe stimmt. Eine Unterschrift lässt sich hier nicht zurücknehmen.',
  'tx.answer': 'Ihre Antwort',
  'tx.code': 'Code aus Ihrer Authenticator-App',
  'tx.sign.passkey': 'Mit Passkey unterschreiben',
  'tx.sign.code': 'Mit dem Code unterschreiben',
  'tx.sign.password': 'Mit dem Passwort unterschreiben',
  'tx.passwordWrong': 'Dieses Passwort ist nicht richtig. Prüfen Sie es und versuchen Sie es noch einmal.',
  'tx.otherWays': 'Anders unterschreiben',
  'tx.reject': 'Ablehnen',
  'tx.tooWeak': 'Die Anwendung verlangt einen stärkeren Nachweis, als Ihre Anmeldung gibt.',
  'tx.stronger': 'Bestätigen, dass Sie es sind',
  'tx.noMethod': 'Sie haben weder Passkey noch Authenticator-App noch Passwort, um zu unterschreiben.',

  'tx.ended.SIGNED.title': 'Sie haben unterschrieben',
  'tx.ended.SIGNED.text': '{app} erfährt davon und macht von selbst weiter.',
  'tx.ended.REJECTED.title': 'Sie haben abgelehnt',
  'tx.ended.REJECTED.text': '{app} erfährt, dass Sie Nein gesagt haben.',
  'tx.ended.CONSUMED.title': 'Dies ist erledigt',
  'tx.ended.CONSUMED.text': 'Sie haben unterschrieben, und {app} hat es ausgeführt.',
  'tx.ended.EXPIRED.title': 'Das hat zu lange gedauert',
  'tx.ended.EXPIRED.text': 'Nichts wurde ausgeführt. Wenn Sie es noch wollen, beginnen Sie in {app} von vorn.',
}
