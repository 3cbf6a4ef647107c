import type { BuiltInLanguage } from './types.ts'

export const en: BuiltInLanguage = {
  linkHint: 'If the button does not work, copy this address into your browser:',
  footer: 'This message was sent automatically by {{realm}}. Answers to it are not read.',
  action: 'Open',
  test: {
    subject: 'Test message from {{realm}}',
    body: 'This is a test message from {{realm}}. It arrived, so messages can be delivered.',
  },
  templates: {
    'otp-sms': {
      subject: null,
      body: '{{code}} is your code for {{realm}}. It is valid for {{ttl}} minutes. Never share it.',
    },
    'otp-email': {
      subject: 'Your code for {{realm}}',
      body: `Hello {{user}},

Enter this code to sign in to {{realm}}:

{{code}}

It is valid for {{ttl}} minutes and works once. Never share it: nobody from {{realm}} will ask you for it.

If you are not signing in right now, somebody may know your password. Change it.`,
    },
    'magic-link-email': {
      subject: 'Sign in to {{realm}}',
      body: `Hello {{user}},

Use this link to sign in to {{realm}}. It is valid for {{ttl}} minutes and works once.

{{link}}

If you did not ask for it, you can ignore this message: without the link nobody gets in.`,
      action: 'Sign in',
    },
    'verify-email': {
      subject: 'Confirm your e-mail address for {{realm}}',
      body: `Hello {{user}},

Please confirm that this e-mail address is yours. Enter this code where you sign in; it is valid for {{ttl}} minutes:

{{code}}

Or use this link within a day, in any browser:

{{link}}

If you have no account at {{realm}}, you can ignore this message.`,
      action: 'Confirm address',
    },
    'registration-email': {
      subject: 'Finish your registration at {{realm}}',
      body: `Hello {{user}},

You are registering at {{realm}}. Use this link within a day to finish; your account exists from then on.

{{link}}

If that was not you, you can ignore this message: without the link there is no account.`,
      action: 'Finish registration',
    },
    'reset-password-email': {
      subject: 'Choose a new password for {{realm}}',
      body: `Hello {{user}},

Somebody asked to reset the password of your account at {{realm}}. The link is valid for {{ttl}} minutes and works once.

{{link}}

If that was not you, you can ignore this message: your password stays as it is.`,
      action: 'Choose a new password',
    },
    'invite-email': {
      subject: 'You are invited to {{realm}}',
      body: `Hello {{user}},

You were invited to {{realm}}. Follow the link to set up your account. It is valid for {{ttl}} minutes.

{{link}}

If you did not expect this, you can ignore this message.`,
      action: 'Accept the invitation',
    },
    'impersonation-notice-email': {
      subject: 'An administrator used your account at {{realm}}',
      body: `Hello {{user}},

On {{time}} an administrator of {{realm}} started to act as you, for instance to help with a problem. It is recorded who that was and what they did.

If you do not know why, please ask the administrators of {{realm}}.`,
    },
    'new-device-email': {
      subject: 'New sign-in to your account at {{realm}}',
      body: `Hello {{user}},

On {{time}} somebody signed in to your account at {{realm}} from a device that was not used before.

If that was you, there is nothing to do. If not, change your password now and end all your sessions.`,
    },
    'account-exists-email': {
      subject: 'You already have an account at {{realm}}',
      body: `Hello {{user}},

Somebody tried to register at {{realm}} with this e-mail address. You already have an account, so no new one was made.

If that was you, simply sign in. If you forgot your password, you can choose a new one there.

If it was somebody else, there is nothing to do: they were not told that you have an account.`,
    },
    'approval-email': {
      subject: 'An application asks for your approval at {{realm}}',
      body: `Hello {{user}},

{{client}} asks you to confirm that you want to go on. The request is valid for {{ttl}} minutes.

{{message}}

{{link}}

Approve it only if you started this yourself. If there are words above the link, they must be those that the application shows you. If in doubt, refuse it or ignore this message: then nothing happens.`,
      action: 'Look at the request',
    },
    'approval-push': { subject: '{{realm}}', body: 'Do you want to sign in as {{user}}? Open the app to answer.' },
    'account-change-email': {
      subject: 'Your account at {{realm}} was changed',
      body: `Hello {{user}},

{{change}}

When: {{time}}
From: {{place}}

If that was you, there is nothing to do. If it was not, somebody else may be in your account: choose a new password, end all other sessions, and tell the administrators of {{realm}}.

{{link}}`,
      action: 'Open your account',
    },
    'confirm-address-email': {
      subject: 'Confirm your new e-mail address for {{realm}}',
      body: `Hello {{user}},

This address was entered for an account at {{realm}}. Please confirm within a day that it is yours:

{{link}}

If you have no account at {{realm}}, you can ignore this message.`,
      action: 'Confirm address',
    },
  },
}
