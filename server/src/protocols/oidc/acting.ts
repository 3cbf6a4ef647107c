import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Services } from '../../domain/context/index.ts'
import { clearImpersonationCookie, sessionCookieName } from '../../domain/sessions/index.ts'
import type { IssuerParts } from './issuer.ts'
import { type ActingUnit, currentUnit } from './unit.ts'

/** Who acts as the person of this request; null where nobody does. */
export function actingNow(): ActingUnit | null {
  return currentUnit()?.acting ?? null
}

/** Tokens of such a session say who acts (RFC 8693 section 4.1, contract 2.49). */
export function actClaim(): { act?: { sub: string } } {
  const acting = actingNow()
  return acting ? { act: { sub: acting.impersonatorId } } : {}
}

/** No token is good for longer than the session it came from. What is left may be nothing, which one second is. */
export function untilActingEnds(seconds: number): number {
  const acting = actingNow()
  return acting ? Math.max(1, Math.min(seconds, acting.secondsLeft)) : seconds
}

/**
 * The engine knows one session cookie and would put the secret it found into it, or take it away at a logout. It is the
 * administrator's own, which stays as it is (contract 2.49).
 */
export function keepOwnCookie({ config }: Services, { realmId }: IssuerParts, ctx: KoaContextWithOIDC): void {
  if (actingNow() === null) return
  const own = `${sessionCookieName(config.secure, realmId)}=`
  const lines = [ctx.response.get('set-cookie') as string | string[]].flat().filter(Boolean)
  const isLogout = lines.some((line) => line.startsWith(`${own};`))
  const kept = lines.filter((line) => !line.startsWith(own))
  const cleared = isLogout ? [clearImpersonationCookie(config.secure, realmId)] : []
  ctx.remove('set-cookie')
  if (kept.length + cleared.length > 0) ctx.set('set-cookie', [...kept, ...cleared])
}
