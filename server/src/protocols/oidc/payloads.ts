import type { Services } from '../../domain/context/index.ts'
import { type ModelInsert, modelId } from '../../domain/tokens/index.ts'
import { isUuid } from '../../platform/ids/index.ts'
import { engineContext } from './internals.ts'
import type { IssuerParts } from './issuer.ts'
import type { Payload } from './unit.ts'

// Rows stay a little longer than what they stand for, so that a late reuse is still recognised as one.
const keptAfterMs = 60_000

/** A model as a row. Whatever would open a door by itself stays out: the value that travels and the session's cookie. */
export function describeModel(
  services: Services,
  realmId: string,
  { model, value, payload, expiresIn }: { model: string; value: string; payload: Payload; expiresIn: number },
): ModelInsert {
  const now = services.clock.now()
  const grantId = typeof payload.grantId === 'string' && model !== 'Interaction' ? payload.grantId : null
  const isGrant = model === 'Grant'
  const session = isGrant ? engineContext()?.oidc.session?.uid : payload.sessionUid
  return {
    realmId,
    id: modelId(model, value),
    model,
    payload: JSON.stringify(closePayload(model, value, payload, now)),
    grantId: grantId === null ? null : modelId('Grant', grantId),
    userId: uuidOrNull(payload.accountId),
    clientId: typeof payload.clientId === 'string' ? payload.clientId : null,
    sessionId: uuidOrNull(session),
    offline: isGrant ? isOfflineGrant(payload) : payload.expiresWithSession !== true,
    createdAt: now,
    expiresAt: now + expiresIn * 1000 + keptAfterMs,
  }
}

function uuidOrNull(value: unknown): string | null {
  return typeof value === 'string' && isUuid(value) ? value : null
}

function isOfflineGrant(payload: Payload): boolean {
  const openid = payload.openid as { scope?: string } | undefined
  return (openid?.scope ?? '').split(' ').includes('offline_access')
}

function closePayload(model: string, value: string, { jti: _jti, ...payload }: Payload, now: number): Payload {
  // The code that people type has a row of its own, by its hash.
  if (model === 'DeviceCode') return { ...payload, userCode: undefined }
  if (model !== 'Interaction') return payload
  const { session, returnTo, ...interaction } = payload
  const { cookie: _cookie, ...knownSession } = (session ?? {}) as Payload
  // The address to come back to ends in the value itself.
  const returnPath = typeof returnTo === 'string' ? new URL(returnTo).pathname.replace(value, '') : null
  return { ...interaction, ...(session ? { session: knownSession } : {}), returnPath, beganAt: now }
}

/** The payload as the engine made it. */
export function openPayload(parts: IssuerParts, model: string, value: string, stored: Payload): Payload {
  if (model !== 'Interaction') return { ...stored, jti: value }
  const { returnPath, ...interaction } = stored
  return { ...interaction, jti: value, returnTo: `${new URL(parts.issuer).origin}${String(returnPath)}${value}` }
}

/** A grant ends when its row says so, which may be later than it said when it was made. */
export function withEnd(payload: Payload, expiresAt: number): Payload {
  return { ...payload, exp: Math.floor(expiresAt / 1000) }
}
