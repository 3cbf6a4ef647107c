// A browser sends all cookies of the host; only this many bytes of them are looked at.
const maxHeaderLength = 16_384

export function parseCookies(header: string | undefined): Record<string, string> {
  // Without a prototype, a cookie named __proto__ is a cookie like any other.
  const cookies: Record<string, string> = Object.create(null)
  if (!header || header.length > maxHeaderLength) return cookies
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    if (at < 1) continue
    const name = part.slice(0, at).trim()
    // The first of two equal names is the one with the more specific path.
    if (!(name in cookies)) cookies[name] = part.slice(at + 1).trim()
  }
  return cookies
}

export interface CookieOptions {
  httpOnly: boolean
  secure: boolean
  /** Null keeps it until the browser closes; 0 removes it. */
  maxAgeSeconds: number | null
  path?: string
}

/** Values here are base64url or empty, so nothing needs to be escaped. */
export function serializeCookie(name: string, value: string, options: CookieOptions): string {
  const parts = [`${name}=${value}`, `Path=${options.path ?? '/'}`, 'SameSite=Lax']
  if (options.maxAgeSeconds !== null) parts.push(`Max-Age=${options.maxAgeSeconds}`)
  if (options.httpOnly) parts.push('HttpOnly')
  if (options.secure) parts.push('Secure')
  return parts.join('; ')
}
