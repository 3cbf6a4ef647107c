// Which member names hold secrets, and which shapes inside free text do.

// Compared without case, dashes and underscores, so that new_password, newPassword and New-Password are one name.
const secretNames = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'csrf',
  'xsrftoken',
  'xxsrftoken',
  'xcsrftoken',
  'password',
  'passwd',
  'passphrase',
  'secret',
  'token',
  'assertion',
  'clientassertion',
  'samlrequest',
  'samlresponse',
  'code',
  'codeverifier',
  'usercode',
  'devicecode',
  'otp',
  'totp',
  'pin',
  'privatekey',
  'masterkeys',
  'apikey',
  'databaseurl',
  'databaseadminurl',
  'redisurl',
])
// newPassword, clientSecret, id_token, accessTokens: the end of the name decides.
const secretEnding = /(?:password|secret|token|cookie)s?$/

export function isSecretName(name: string): boolean {
  const folded = name.slice(0, 100).replace(/[-_]/g, '').toLowerCase()
  return secretNames.has(folded) || secretEnding.test(folded)
}

// Every pattern is a plain run of characters without nested repetition, so that the time stays linear in the text.
const shapes: [RegExp, string][] = [
  [/\b(Bearer|Basic|DPoP)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 [redacted]'],
  [/\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*\.?[A-Za-z0-9_-]*/g, '[redacted]'],
  [/(:\/\/[^\s:/?#@]{0,200}:)[^\s/?#@]{1,500}@/g, '$1[redacted]@'],
  [
    /\b(code|state|nonce|(?:[a-z_]{0,20}_)?token|token_hint|ticket|password|secret|client_secret|assertion|client_assertion|code_verifier|user_code|device_code|logout_token_hint|SAMLRequest|SAMLResponse|RelayState)=[^&\s"'#]+/gi,
    '$1=[redacted]',
  ],
]

export function scrubText(text: string): string {
  let safe = text
  for (const [shape, replacement] of shapes) safe = safe.replace(shape, replacement)
  return safe
}
