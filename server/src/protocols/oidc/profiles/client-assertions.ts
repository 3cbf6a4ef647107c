import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { fapiAlgorithms } from '../../../domain/clients/index.ts'
import { errors } from '../internals.ts'
import type { IssuerParts } from '../issuer.ts'
import { routes } from '../paths.ts'
import { isFapi } from './fapi.ts'
import { assertionSeconds, clockToleranceSeconds, nowInSeconds } from './times.ts'
import { hasType } from './jwt-kinds.ts'

interface AssertionClaims {
  aud: string | string[]
  exp: number
  iat?: number
  jti: string
}

// Longer ones are no longer names of anything.
const maxJtiLength = 255

/**
 * Runs when the engine has verified the signature, that `iss` and `sub` are the client, and that the assertion has neither ended
 * nor not begun. Whoever gets here holds the client’s key, so it may be told what is wrong.
 */
export function assertAssertion(
  parts: IssuerParts,
  ctx: KoaContextWithOIDC,
  claims: AssertionClaims,
  header: { alg?: string; typ?: unknown },
  client: Client,
): void {
  const { exp, iat, jti } = claims
  const now = nowInSeconds()
  // A request or a proof that the client signed is no assertion; RFC 7523bis names the type.
  if (!hasType(header, 'client-authentication+jwt')) refuse('typ says that the client_assertion is another kind of JWT')
  if (isFapi(client)) assertFapi(parts, claims, header)
  else assertAudience(parts, ctx, claims)
  if (jti.length > maxJtiLength) refuse(`jti of the client_assertion is longer than ${maxJtiLength} characters`)
  if (exp - now > assertionSeconds + clockToleranceSeconds) refuse(tooLong)
  if (iat === undefined) return
  if (iat > now + clockToleranceSeconds) refuse('iat of the client_assertion lies in the future')
  if (exp - iat > assertionSeconds) refuse(tooLong)
}

const tooLong = `the client_assertion lives longer than ${assertionSeconds} seconds`

/** The issuer alone, as one string: so no other server can pass on what it was sent (FAPI 2.0 section 5.3.2.1). */
function assertFapi({ issuer }: IssuerParts, { aud }: AssertionClaims, { alg = '' }: { alg?: string }): void {
  if (!fapiAlgorithms.includes(alg)) {
    refuse(`this client uses FAPI 2.0: sign the client_assertion with PS256, ES256 or EdDSA, not ${alg}`)
  }
  if (aud !== issuer) refuse('this client uses FAPI 2.0: aud of the client_assertion must be the issuer, as a string')
}

// RFC 9126 section 2 and OpenID Connect CIBA section 7.1 make these accept their own address as well.
const ownAddress = new Set(['pushed_authorization_request', 'backchannel_authentication'])

/** Contract 2.18. Every one of several audiences is ours: an assertion that is also meant for others is theirs to replay. */
function assertAudience({ issuer }: IssuerParts, ctx: KoaContextWithOIDC, { aud }: AssertionClaims): void {
  const accepted = new Set([issuer, issuer + routes.token])
  if (ownAddress.has(ctx.oidc.route)) accepted.add(ctx.oidc.urlFor(ctx.oidc.route))
  const audiences = [aud].flat()
  if (audiences.length === 0 || !audiences.every((one) => accepted.has(one))) {
    refuse('aud of the client_assertion must be the issuer or the token endpoint, and nothing else')
  }
}

function refuse(description: string): never {
  throw Object.assign(new errors.CustomOIDCProviderError('invalid_client', description), {
    status: 401,
    statusCode: 401,
    expose: true,
  })
}
