// English: the banner while an administrator acts as somebody.

export const impersonation = {
  'impersonation.label': 'Acting as somebody else',
  'impersonation.text': 'You are acting as {user}.',
  'impersonation.limits': 'You see what they see, and change nothing. All of it is recorded.',
  'impersonation.end': 'Stop acting as them',
} as const
