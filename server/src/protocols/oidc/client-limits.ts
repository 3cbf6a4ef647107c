import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Services } from '../../domain/context/index.ts'
import { networkOf } from '../../platform/http/index.ts'
import { defineLimiter } from '../../platform/limits/index.ts'
import { errors } from './internals.ts'
import { currentUnit } from './unit.ts'

// Contract 5.7: failed authentications of a client from one address; those that succeed are never counted.
const limiterOf = defineLimiter({ name: 'client-authentication', points: 300, durationSeconds: 60 })

const keyOf = (clientId: string) => `${clientId}|${networkOf(currentUnit()?.origin.sourceIp ?? '')}`

/** Routes where a client proves who it is. */
const authenticating = new Set([
  ...['token', 'introspection', 'revocation', 'pushed_authorization_request'],
  ...['device_authorization', 'backchannel_authentication'],
])

/** Refuses whoever guessed too often, before anything is compared. */
export async function admitClient(
  services: Services,
  realmId: string,
  ctx: KoaContextWithOIDC,
  clientId: string,
): Promise<void> {
  if (!authenticating.has(ctx.oidc.route)) return
  const { allowed, retryAfterSeconds } = await limiterOf(services).peek(realmId, keyOf(clientId))
  if (allowed) return
  ctx.set('retry-after', String(retryAfterSeconds))
  throw Object.assign(
    new errors.CustomOIDCProviderError('temporarily_unavailable', 'too many failed authentications'),
    {
      status: 429,
      statusCode: 429,
      expose: true,
    },
  )
}

/** True while nobody guessed too often. */
export async function mayTry(services: Services, realmId: string, clientId: string): Promise<boolean> {
  return (await limiterOf(services).peek(realmId, keyOf(clientId))).allowed
}

/** Counts a failed authentication, also of a client that does not exist. */
export async function countFailedClient(services: Services, realmId: string, ctx: KoaContextWithOIDC): Promise<void> {
  if (!authenticating.has(ctx.oidc.route) || ctx.status !== 401) return
  const clientId = ctx.oidc.client?.clientId ?? sentClientId(ctx)
  await limiterOf(services).penalty(realmId, keyOf(clientId))
}

function sentClientId(ctx: KoaContextWithOIDC): string {
  const header = /^basic (.+)$/i.exec(ctx.get('authorization'))?.[1]
  const fromHeader = header ? Buffer.from(header, 'base64').toString().split(':')[0] : undefined
  const sent = ctx.oidc.params?.client_id
  return decodeText(fromHeader ?? (typeof sent === 'string' ? sent : ''))
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
