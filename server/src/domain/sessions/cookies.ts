import { hmac, newToken } from '../../platform/crypto/index.ts'
import { serializeCookie } from '../../platform/http/cookies.ts'

/** On https the prefix binds the cookie to this host; browsers refuse it over http, where there is nothing to bind to. */
export function sessionCookieName(secure: boolean, realmId: string): string {
  return `${secure ? '__Host-' : ''}gatehouse_session_${realmId}`
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
