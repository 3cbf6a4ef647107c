/** Whoever calls itself by such an id says where to read what it is. */
export function namesDocument(clientId: unknown): boolean {
  // What an assertion or an old job carries for an id may be no text at all.
  return typeof clientId === 'string' && clientId.startsWith('https://')
}

/**
 * Why a client_id cannot be the address of a document, or null (section 3 of the draft). The draft would take several spellings of
 * one address; here there is one, so that one application is one client and the host that people read is the host that is asked.
 */
export function documentAddressFault(clientId: string): string | null {
  const url = URL.parse(clientId)
  if (!url || url.protocol !== 'https:') return 'client_id is no https address.'
  if (clientId.includes('#')) return 'client_id must not have a fragment.'
  // A query would give one document as many addresses as somebody likes.
  if (clientId.includes('?')) return 'client_id must not have a query.'
  if (url.username !== '' || url.password !== '') return 'client_id must not have a user name.'
  if (url.hostname.endsWith('.')) return 'The host of client_id must not end with a dot.'
  // Also dot segments, upper case in the host, the port 443 and a missing path: the parser writes all of them in another way.
  return url.href === clientId ? null : `client_id must be written as ${url.href}.`
}

/** Entries are hosts, or `*.example.com` for every host below example.com; none at all means any host. */
export function isAllowedHost(host: string, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true
  return allowed.some((entry) => {
    const name = entry.toLowerCase()
    return name.startsWith('*.') ? host.endsWith(name.slice(1)) && host.length > name.length - 1 : host === name
  })
}
