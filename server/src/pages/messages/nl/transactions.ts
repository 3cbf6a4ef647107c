// Dutch: transactions that an application wants signed. People are addressed with “u”.

import type { transactions as english } from '../en/transactions.ts'
import type { Texts } from '../texts.ts'

export const transactions: Texts<typeof english> = {
  'tx.title': '{app} vraagt om uw handtekening',
  'tx.content': 'Wat u ondertekent',
  'tx.application': 'Toepassing',
  'tx.until': 'Geldig tot',
  'tx.hash': 'Vingerafdruk',
  'tx.caution':
    'Onderteken alleen als u dit verwacht en elk gegeven klopt. Wat ondertekend is, kan hier niet worden teruggenomen.',
  'tx.answer': 'Uw antwoord',
  'tx.code': 'Code uit uw authenticator-app',
  'tx.sign.passkey': 'Ondertekenen met passkey',
  'tx.sign.code': 'Ondertekenen met de code',
  'tx.sign.password': 'Ondertekenen met het wachtwoord',
  'tx.passwordWrong': 'Dat wachtwoord klopt niet. Controleer het en probeer het opnieuw.',
  'tx.otherWays': 'Anders ondertekenen',
  'tx.reject': 'Weigeren',
  'tx.tooWeak': 'De toepassing vraagt om een sterker bewijs dan uw aanmelding geeft.',
  'tx.stronger': 'Bevestigen dat u het bent',
  'tx.noMethod': 'U hebt geen passkey, authenticator-app of wachtwoord om mee te ondertekenen.',

  'tx.ended.SIGNED.title': 'U hebt ondertekend',
  'tx.ended.SIGNED.text': '{app} hoort ervan en gaat vanzelf verder.',
  'tx.ended.REJECTED.title': 'U hebt geweigerd',
  'tx.ended.REJECTED.text': '{app} hoort dat u nee hebt gezegd.',
  'tx.ended.CONSUMED.title': 'Dit is klaar',
  'tx.ended.CONSUMED.text': 'U hebt ondertekend, en {app} heeft het uitgevoerd.',
  'tx.ended.EXPIRED.title': 'Dit duurde te lang',
  'tx.ended.EXPIRED.text': 'Er is niets uitgevoerd. Als u het nog wilt, begin dan opnieuw in {app}.',
}
