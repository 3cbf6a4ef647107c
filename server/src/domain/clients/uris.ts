// Longer than any address in use; what is stored is compared on every sign-in.
export const maxUriLength = 2048

// The characters of RFC 3986 section 2: a browser would silently rewrite anything else, and then it is not the same string.
const uriCharacters = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/
const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost'])

// Schemes that a browser runs, shows or hands to something other than an app of its own.
const refusedSchemes = new Set([
  ...[
    'javascript',
    'data',
    'vbscript',
    'file',
    'filesystem',
    'blob',
    'about',
    'view-source',
    'ws',
    'wss',
    'ftp',
    'ftps',
  ],
  ...['mailto', 'tel', 'sms', 'intent', 'android-app', 'chrome', 'resource', 'jar', 'urn', 'ldap', 'ldaps', 'gopher'],
])

// Parameters of the answer: one of these in the registered address would be there twice (RFC 6749 section 3.1.2, RFC 9207).
const answerParameters = ['code', 'state', 'iss', 'error', 'error_description', 'response', 'session_state']

interface UriParts {
  scheme: string
  /** As written, without the userinfo's @ having been taken off. */
  authority: string | null
  path: string
  query: string
}

function split(uri: string): UriParts | null {
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/.exec(uri)
  if (!match || !URL.canParse(uri)) return null
  const [, scheme = '', authority, path = '', query = ''] = match
  return { scheme: scheme.toLowerCase(), authority: authority ?? null, path, query }
}

/**
 * Why an address may not be registered as a place that people are sent to, or null (contract 2.13, S23). Custom schemes pass
 * here; whether the client may have one depends on the client.
 */
export function redirectUriFault(uri: string): string | null {
  const common = absoluteUriFault(uri)
  if (common) return common
  const { scheme, authority, path, query } = split(uri)!
  if (uri.includes('*')) return 'Wildcards are not supported: register every address as it is sent.'
  if (refusedSchemes.has(scheme)) return `Addresses with ${scheme}: cannot be redirected to.`
  if (scheme === 'http' && !loopbackHosts.has(hostOf(authority)))
    return 'http is only for 127.0.0.1, [::1] and localhost; use https.'
  if ((scheme === 'https' || scheme === 'http') && hostOf(authority) === '')
    return 'The host is missing, or the // before it.'
  const pathFault = unsteadyPath(path)
  if (pathFault) return pathFault
  const taken = [...new URLSearchParams(query).keys()].find((name) => answerParameters.includes(name))
  return taken ? `The parameter ${taken} is part of the answer and cannot be part of the address.` : null
}

/** Servers read these in more than one way, so what is compared might not be what is reached. */
function unsteadyPath(path: string): string | null {
  const plain = path.replaceAll(/%2e/gi, '.')
  if (/(^|\/)\.{1,2}(;|\/|$)/.test(plain)) return 'The path must not contain . or .. as a segment.'
  if (/%(2f|5c|00)/i.test(path)) return 'The path must not contain an encoded slash, backslash or NUL.'
  return null
}

export function isCustomScheme(uri: string): boolean {
  return !/^https?:/i.test(uri)
}

/** An absolute address of the web: for pages and endpoints of the relying party. */
export function webUrlFault(uri: string): string | null {
  const common = absoluteUriFault(uri)
  if (common) return common
  const { scheme, authority } = split(uri)!
  if (scheme !== 'https' && scheme !== 'http') return 'Write an absolute http or https address.'
  return hostOf(authority) === '' ? 'The host is missing.' : null
}

/** An absolute URI without a fragment (RFC 8707 section 2). */
export function absoluteUriFault(uri: string): string | null {
  if (uri.includes('\\')) return 'Backslashes are not allowed.'
  if (!uriCharacters.test(uri)) return 'Only the characters of a URI are allowed; encode all others.'
  if (/%(?![0-9A-Fa-f]{2})/.test(uri)) return 'A % must begin an encoded character.'
  if (uri.includes('#')) return 'A fragment (#) is not allowed.'
  const parts = split(uri)
  if (!parts) return 'Write an absolute URI, with its scheme.'
  if (parts.authority?.includes('@')) return 'A user name in the address is not allowed.'
  if ((parts.authority ?? '') === '' && parts.path === '' && parts.query === '')
    return 'There is nothing after the scheme.'
  return null
}

/** Contract 2.14: exactly what a browser sends as Origin, or `+`. */
export function webOriginFault(origin: string): string | null {
  if (origin === '+') return null
  if (origin.includes('*'))
    return 'Wildcards are not supported: name each origin, or write + for those of the redirect URIs.'
  const url = URL.parse(origin)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return 'Write an origin such as https://app.example.com.'
  return url.origin === origin ? null : `Browsers send ${url.origin}; write it exactly so.`
}

/** The host as written: other spellings of 127.0.0.1 are not what they seem. */
function hostOf(authority: string | null): string {
  return (authority ?? '').replace(/:\d*$/, '').toLowerCase()
}
