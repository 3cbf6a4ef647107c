import { hmac, newToken } from '../../platform/crypto/index.ts'
import { serializeCookie } from '../../platform/http/cookies.ts'

/** On https the prefix binds the cookie to this host; browsers refuse it over http, where there is nothing to bind to. */
export function sessionCookieName(secure: boolean, realmId: string): string {
  return `${secure ? '__Host-' : ''}gatehouse_session_${realmId}`
}

/** Bound to the realm's own places, so that no browser ever sends it to the admin API (contract 2.49). */
export function impersonationCookieName(secure: boolean, realmId: string): string {
  return `${secure ? '__Secure-' : ''}gatehouse_impersonation_${realmId}`
}

export function impersonationCookie(secure: boolean, realmId: string, token: string, maxAgeSeconds: number): string {
  const options = { httpOnly: true, secure, maxAgeSeconds, path: `/realms/${realmId}` }
  return serializeCookie(impersonationCookieName(secure, realmId), token, options)
}

export function clearImpersonationCookie(secure: boolean, realmId: string): string {
  return impersonationCookie(secure, realmId, '', 0)
}

/**
 * The secret of the session that a request to a realm's own places counts as: that of a person whom an administrator acts as
 * comes first. One that has ended is not among the cookies any more (`settleImpersonation`).
 */
export function sessionTokenOf(
  secure: boolean,
  cookies: Record<string, string | undefined>,
  realmId: string,
): string | null {
  return cookies[impersonationCookieName(secure, realmId)] || ownSessionTokenOf(secure, cookies, realmId)
}

/** The secret of the session that this browser signed in to, whomever it acts as. */
export function ownSessionTokenOf(
  secure: boolean,
  cookies: Record<string, string | undefined>,
  realmId: string,
): string | null {
  return cookies[sessionCookieName(secure, realmId)] || null
}

export function browserCookieName(secure: boolean): string {
  return `${secure ? '__Host-' : ''}gatehouse_browser`
}

export function sessionCookie(secure: boolean, realmId: string, token: string, maxAgeSeconds: number | null): string {
  return serializeCookie(sessionCookieName(secure, realmId), token, { httpOnly: true, secure, maxAgeSeconds })
}

export function clearSessionCookie(secure: boolean, realmId: string): string {
  return serializeCookie(sessionCookieName(secure, realmId), '', { httpOnly: true, secure, maxAgeSeconds: 0 })
}

/**
 * The CSRF token of a session, or of a browser that has none yet: a keyed hash whose key is the secret cookie itself. Nothing
 * is stored for it, every node computes the same, and it changes exactly when the session's secret does.
 */
export function csrfToken(secretCookie: string): string {
  return hmac(secretCookie, 'gatehouse:csrf').toString('base64url')
}

/** Readable by scripts, as the specification wants it. */
export function xsrfCookie(secure: boolean, value: string): string {
  return serializeCookie('XSRF-TOKEN', value, { httpOnly: false, secure, maxAgeSeconds: null })
}

/** The secret of a browser that is not signed in; made when it brings none. */
export function anonymousCsrf(secure: boolean, cookies: Record<string, string>) {
  const name = browserCookieName(secure)
  const existing = cookies[name]
  const secret = existing && existing.length >= 43 && existing.length <= 64 ? existing : newToken()
  return {
    secret,
    token: csrfToken(secret),
    cookie: secret === existing ? null : serializeCookie(name, secret, { httpOnly: true, secure, maxAgeSeconds: null }),
  }
}

/** A browser that its person trusts: it is not asked for a second factor (contract 2.66). */
export function deviceCookieName(secure: boolean, realmId: string): string {
  return `${secure ? '__Host-' : ''}gatehouse_device_${realmId}`
}

export function deviceCookie(secure: boolean, realmId: string, token: string, maxAgeSeconds: number): string {
  const options = { httpOnly: true, secure, maxAgeSeconds: Math.floor(maxAgeSeconds) }
  return serializeCookie(deviceCookieName(secure, realmId), token, options)
}
