// English: registration, forgotten passwords and links from mail.
// `{name}` marks a value that is filled in.

export const selfService = {
  'register.title': 'Create an account',
  'register.subtitle': 'for {realm}',
  'register.password': 'Password',
  'register.confirmPassword': 'Repeat the password',
  'register.submit': 'Create account',
  'register.hasAccount': 'Already have an account?',
  'register.signIn': 'Sign in',

  'resetPassword.title': 'Forgot your password?',
  'resetPassword.text': 'Enter your username or email address. We will send you a link to choose a new password.',
  'resetPassword.submit': 'Send the link',
  'resetPassword.back': 'Back to sign-in',

  // The same words whether the account exists or not, so that nobody can find out.
  'mailSent.title': 'Check your email',
  'mailSent.REGISTER': 'We sent a message to the address you gave. Open the link in it to go on.',
  'mailSent.RESET': 'If there is an account with that name, we sent a link to its email address.',
  'mailSent.help': 'Nothing there after some minutes? Look among unwanted mail, and check what you typed.',

  'link.MAGIC_LINK.title': 'Sign in to {realm}',
  'link.MAGIC_LINK.text': 'Press the button to sign in. If you did not ask for this link, close the page.',
  'link.MAGIC_LINK.submit': 'Sign in',
  'link.MAGIC_LINK.done': 'You are signed in',
  'link.VERIFY_EMAIL.title': 'Confirm your email address for {realm}',
  'link.VERIFY_EMAIL.text': 'Press the button if this address is yours and you have an account there.',
  'link.VERIFY_EMAIL.submit': 'Confirm the address',
  'link.VERIFY_EMAIL.done': 'Your email address is confirmed',
  'link.RESET_PASSWORD.title': 'Choose a new password for {realm}',
  'link.RESET_PASSWORD.text':
    'Press the button to go on. If you did not ask for this link, close the page: nothing has changed.',
  'link.RESET_PASSWORD.submit': 'Continue',
  'link.RESET_PASSWORD.done': 'Your password is changed',
  'link.ACTIONS.title': 'Something to do for your account in {realm}',
  'link.ACTIONS.text': 'The people who run it ask you for this:',
  'link.ACTIONS.submit': 'Continue',
  'link.ACTIONS.done': 'All done',
  'link.REGISTER.title': 'Finish your registration in {realm}',
  'link.REGISTER.text': 'Press the button to confirm your email address and open your account.',
  'link.REGISTER.submit': 'Open my account',
  'link.REGISTER.done': 'Your account is ready',
  'link.expired.title': 'This link no longer works',
  'link.expired.text': 'A link works once and only for a limited time. Start again to get a new one.',
  'link.otherBrowser.title': 'Open this link in your other browser',
  'link.otherBrowser.text':
    'It belongs to a sign-in that began in another browser or on another device. Open it there, or start again here.',
  'link.signIn': 'Go to sign-in',
  'link.continue': 'Continue',
  'link.close': 'You can close this page.',
} as const
