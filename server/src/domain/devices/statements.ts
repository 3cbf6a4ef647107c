import { isUuid } from '../../platform/ids/index.ts'
import { type Context, issuerOf } from '../context/index.ts'
import type { PublicKey } from './schema.ts'
import { isRecent, openClaims, readSigner } from './signatures.ts'
import { mayAct } from './standing.ts'
import { markUsed, selectHolder } from './store.ts'

const statementType = 'gatehouse-statement+jwt'
// Long enough for a person to have read the question twice on a slow line; what is signed can be answered once only anyway.
const maxAgeSeconds = 120

export interface SentStatement {
  userId: string
  deviceId: string
  jws: string
  claims: Record<string, string | number>
}

/**
 * A statement signed by a device of this person: compact JWS, ES256, `kid` the device, with exactly these claims beside `iss`,
 * `aud` and `iat`. What it says counts for nothing else, so the claims have to name what is decided.
 */
export async function verifyStatement(
  ctx: Context,
  { userId, deviceId, jws, claims }: SentStatement,
): Promise<boolean> {
  if (!isUuid(deviceId) || readSigner(jws, statementType) !== deviceId) return false
  const holder = await selectHolder(ctx.tx, ctx.realmId, deviceId)
  if (!holder || holder.user_id !== userId || !mayAct(holder, ctx.now)) return false
  const signed = await openClaims(jws, holder.public_key as PublicKey)
  if (!signed || !isRecent(signed.iat, ctx.now, maxAgeSeconds)) return false
  const { iat: _iat, ...said } = signed
  if (!isSame(said, { ...claims, iss: deviceId, aud: issuerOf(ctx.services, ctx.realmId) })) return false
  await markUsed(ctx.tx, ctx.realmId, deviceId, ctx.now)
  return true
}

function isSame(said: Record<string, unknown>, expected: Record<string, string | number>): boolean {
  const names = Object.keys(expected)
  return Object.keys(said).length === names.length && names.every((name) => said[name] === expected[name])
}
