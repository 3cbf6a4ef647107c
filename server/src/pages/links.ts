// Addresses that pages point at, and the check that none of them runs script or leaves over plain http.

const pathPattern = /^\/(?![/\\])/

/** A path or a query of this server, an https or a mail address; everything else (`javascript:`, `//host`) becomes `#`. */
export function safeHref(href: string): string {
  // Browsers drop tabs and line ends inside addresses, so `java\tscript:` has to be refused by its characters.
  if (/\p{Cc}/u.test(href)) return '#'
  if (pathPattern.test(href) || href.startsWith('?')) return href
  return /^(?:https:\/\/|mailto:)/i.test(href) ? href : '#'
}

/** The address an authenticator app is set up with; nothing else may stand on a link that opens an app. */
export function safeOtpauthHref(uri: string): string {
  return uri.startsWith('otpauth://totp/') && !/\p{Cc}/u.test(uri) ? uri : '#'
}

/** Schemes that run something or read the reader's machine when they are opened. */
const refusedSchemes = new Set([
  ...['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:', 'about:', 'view-source:'],
  ...['ftp:', 'ws:', 'wss:', 'mailto:'],
])

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** The address of a web page of an application as browsers read it, or null: https, or http on the reader's own machine. */
export function safeWebAddress(address: string): string | null {
  const url = URL.parse(address)
  if (url?.protocol === 'http:') return loopbackHosts.has(url.hostname) ? url.href : null
  return url?.protocol === 'https:' ? url.href : null
}

/** Where an application takes people back: its page, or the private scheme of an app on the device (RFC 8252, 7.1). */
export function safeReturnAddress(address: string): string | null {
  const url = URL.parse(address)
  if (!url || refusedSchemes.has(url.protocol)) return null
  return /^https?:$/.test(url.protocol) ? safeWebAddress(address) : url.href
}

/** Forms post to this server only. A wrong action is a fault of the caller, which is why it throws. */
export function safeAction(action: string): string {
  if (!pathPattern.test(action) || /\p{Cc}/u.test(action))
    throw new TypeError('A form must post to a path of this server.')
  return action
}

export function realmPath(realmId: string, path: string): string {
  return `/realms/${encodeURIComponent(realmId)}${path}`
}

export function themeHref(realmId: string, version: string | number): string {
  return realmPath(realmId, `/branding/theme.css?v=${encodeURIComponent(version)}`)
}

export function logoHref(realmId: string, version: string | number | null): string {
  return realmPath(realmId, version === null ? '/branding/logo' : `/branding/logo?v=${encodeURIComponent(version)}`)
}
