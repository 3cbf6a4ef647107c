import { fieldError } from '../../platform/errors/index.ts'

const maxLength = 2048

/** A path of this server to go to after the sign-in; anything that could lead elsewhere is refused (S23). */
export function readRedirect(baseUrl: string, redirect: unknown, fallback: string): string {
  if (redirect === undefined) return fallback
  const refused = fieldError('redirect', 'redirect must be a path of this server.')
  if (typeof redirect !== 'string' || redirect.length > maxLength || !/^\/(?![/\\])/.test(redirect)) throw refused
  // Browsers drop tabs and line breaks from addresses, and read a backslash as a slash.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f\\]/.test(redirect)) throw refused
  const base = new URL(baseUrl)
  const target = new URL(redirect, base)
  if (target.origin !== base.origin) throw refused
  return target.pathname + target.search + target.hash
}
