import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { Services } from '../../../domain/context/index.ts'
import { findNamedPerson } from '../../../domain/sign-in/index.ts'
import { errors } from '../internals.ts'
import type { IssuerParts } from '../issuer.ts'
import { currentUnit } from '../unit.ts'
import { notifyPerson, reserveRequest } from './notice.ts'

type Features = NonNullable<Configuration['features']>

/** RFC 8628. The pages are ours, so the engine only makes codes and answers polls. */
export function deviceFeature(): Features['deviceFlow'] {
  return {
    enabled: true,
    charset: 'base-20',
    mask: '****-****',
    // Where the request came from, for the person who is asked about it; from the connection, never from a header (S46).
    deviceInfo: () => placeOf(),
  } as Features['deviceFlow']
}

function placeOf(): { ip: string | null; ua: string | null } {
  const origin = currentUnit()?.origin
  return { ip: origin?.sourceIp ?? null, ua: origin?.userAgent ?? null }
}

// Long enough for an order number and a few words, short enough to be read before it is answered.
const maxBindingMessage = 80
// Letters, digits and marks of any language, but nothing that hides, breaks the line or turns the direction of text around.
const readable = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]+$/u

/** OpenID Connect CIBA Core 1.0 in poll mode (contract 4.30). */
export function cibaFeature(services: Services, parts: IssuerParts): Features['ciba'] {
  return {
    enabled: true,
    deliveryModes: ['poll'],
    processLoginHint: async (_ctx: unknown, hint?: string) => {
      const realm = await services.snapshots.find(parts.realmId)
      return realm && hint ? ((await findNamedPerson(services, realm, hint)) ?? undefined) : undefined
    },
    processLoginHintToken: async () => {
      throw new errors.InvalidRequest('login_hint_token is not supported; send login_hint or id_token_hint')
    },
    validateBindingMessage: async (_ctx: unknown, message?: string) => {
      if (message === undefined) return
      const isShort = message.length > 0 && message.length <= maxBindingMessage
      if (!isShort || !readable.test(message)) {
        const text = `binding_message has 1 to ${maxBindingMessage} visible characters on one line`
        throw new errors.InvalidBindingMessage(text)
      }
    },
    validateRequestContext: async () => undefined,
    verifyUserCode: async (_ctx: unknown, account: { accountId: string }) => {
      await reserveRequest(services, parts, account.accountId)
    },
    triggerAuthenticationDevice: async (ctx: KoaContextWithOIDC, request: { jti: string; expiration?: number }) =>
      notifyPerson(services, parts, ctx, request),
  } as never
}

const deviceSeconds = 600
const cibaSeconds = 120
const cibaBounds = { min: 30, max: 600 }

/** Contract 2.20 and 4.30; an application may ask for another time to answer, within reason. */
export const waitingLifetimes: NonNullable<Configuration['ttl']> = {
  DeviceCode: deviceSeconds,
  BackchannelAuthenticationRequest: (ctx) => {
    const requested = Number(ctx?.oidc.params?.requested_expiry ?? cibaSeconds)
    return Math.min(cibaBounds.max, Math.max(cibaBounds.min, requested))
  },
}
