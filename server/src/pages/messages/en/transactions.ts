// English: transactions that an application wants signed.
// `{name}` marks a value that is filled in.

export const transactions = {
  'tx.title': '{app} asks you to sign',
  'tx.content': 'What you sign',
  'tx.application': 'Application',
  'tx.until': 'Until',
  'tx.hash': 'Fingerprint',
  'tx.caution': 'Sign only if you expect this and every detail is right. What is signed cannot be taken back here.',
  'tx.answer': 'Your answer',
  'tx.code': 'Code from your authenticator app',
  'tx.sign.passkey': 'Sign with a passkey',
  'tx.sign.code': 'Sign with the code',
  'tx.sign.password': 'Sign with the password',
  'tx.passwordWrong': 'That password is not right. Check it and try again.',
  'tx.otherWays': 'Other ways to sign',
  'tx.reject': 'Reject',
  'tx.tooWeak': 'The application asks for a stronger proof than your sign-in gives.',
  'tx.stronger': 'Confirm that it is you',
  'tx.noMethod': 'You have no passkey, authenticator app or password to sign with.',

  'tx.ended.SIGNED.title': 'You signed',
  'tx.ended.SIGNED.text': '{app} is told and goes on by itself.',
  'tx.ended.REJECTED.title': 'You rejected it',
  'tx.ended.REJECTED.text': '{app} is told that you said no.',
  'tx.ended.CONSUMED.title': 'This is done',
  'tx.ended.CONSUMED.text': 'You signed, and {app} has carried it out.',
  'tx.ended.EXPIRED.title': 'This took too long',
  'tx.ended.EXPIRED.text': 'Nothing was carried out. If you still want it, start again in {app}.',
} as const
