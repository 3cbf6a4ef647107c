import { runRead, runSingle } from '../../platform/db/index.ts'
import { isUuid } from '../../platform/ids/index.ts'
import { issuerOf, jobActor, openContext, ownOrigin, type Services } from '../context/index.ts'
import { useOnce } from '../one-time-secrets/index.ts'
import type { PublicKey } from './schema.ts'
import { isRecent, openClaims, readSigner } from './signatures.ts'
import { mayAct } from './standing.ts'
import { selectHolder } from './store.ts'

const requestType = 'gatehouse-device+jwt'
// A request is signed the moment it is sent; this is for clocks that differ.
const maxAgeSeconds = 60
const maxJtiLength = 255

export interface DeviceCaller {
  deviceId: string
  userId: string
  username: string
}

export interface SentRequest {
  authorization: string | undefined
  method: string
  /** As it came in: the path and query, or the whole address. */
  url: string
}

/**
 * Which device sends a request with `Authorization: DeviceKey <compact JWS>`; null when it is no such header or not good. It
 * counts for this method and address of this realm, for a minute, and once on all nodes together.
 */
export async function authenticateDevice(
  services: Services,
  realmId: string,
  sent: SentRequest,
): Promise<DeviceCaller | null> {
  const jws = /^devicekey +([\w.-]+)$/i.exec(sent.authorization ?? '')?.[1]
  const deviceId = jws === undefined ? null : readSigner(jws, requestType)
  if (jws === undefined || deviceId === null || !isUuid(deviceId)) return null
  const holder = await runRead(() => selectHolder(services.db, realmId, deviceId))
  const now = services.clock.now()
  if (!holder || !mayAct(holder, now)) return null
  const claims = await openClaims(jws, holder.public_key as PublicKey)
  if (!claims || !isFor(services, realmId, sent, claims) || !isRecent(claims.iat, now, maxAgeSeconds)) return null
  if (!(await isFirstUse(services, realmId, deviceId, claims.jti))) return null
  return { deviceId, userId: holder.user_id, username: holder.username }
}

function isFor(
  services: Services,
  realmId: string,
  { method, url }: SentRequest,
  { aud, htm, htu }: Record<string, unknown>,
): boolean {
  const here = withoutQuery(URL.parse(url, services.config.baseUrl))
  if (aud !== issuerOf(services, realmId) || htm !== method || here === null) return false
  return typeof htu === 'string' && withoutQuery(URL.parse(htu)) === here
}

/** As for DPoP (RFC 9449 section 4.3), query and fragment do not count. */
function withoutQuery(url: URL | null): string | null {
  return url && Object.assign(url, { search: '', hash: '' }).href
}

async function isFirstUse(services: Services, realmId: string, deviceId: string, jti: unknown): Promise<boolean> {
  if (typeof jti !== 'string' || jti === '' || jti.length > maxJtiLength) return false
  const from = { realmId, actor: jobActor, origin: ownOrigin('') }
  return runSingle(services.db, async (work) => {
    const ctx = openContext(services, work, from)
    // Dated ahead by as much as it may be old, so it is remembered for both.
    return useOnce(ctx, 'DEVICE_REQUEST', `${deviceId}:${jti}`, ctx.now + 2 * maxAgeSeconds * 1000)
  })
}
