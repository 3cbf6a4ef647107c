import { decodeJwt } from 'jose'
import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { fapiAlgorithms } from '../../../domain/clients/index.ts'
import { errors } from '../internals.ts'
import { isFapi } from './fapi.ts'
import { clockToleranceSeconds, nowInSeconds, requestObjectSeconds } from './times.ts'
import { hasType } from './jwt-kinds.ts'

interface RequestClaims {
  exp?: number
  nbf?: number
  iat?: number
  jti?: string
  sub?: unknown
}

/** Runs for every signed request (RFC 9101), before the engine verifies its signature; it has checked `iss`, `aud` and the times. */
export function assertRequestObject(
  ctx: KoaContextWithOIDC,
  claims: RequestClaims,
  header: { alg?: string; typ?: unknown },
  client: Client,
): void {
  // What was pushed was looked at then; what is kept of a plain one is a form of the engine's own.
  if (ctx.oidc.entities.PushedAuthorizationRequest) return
  // RFC 9101 section 10.8: what says that it is something else is not a request.
  if (!hasType(header, 'oauth-authz-req+jwt')) refuse('typ says that the request object is another kind of JWT')
  // It would pass for the client's proof of who it is.
  if (claims.sub === client.clientId) refuse('sub of the request object must not be the client (RFC 9101 section 10.8)')
  if (isFapi(client) && !fapiAlgorithms.includes(header.alg ?? '')) {
    refuse('this client uses FAPI 2.0: sign the request object with PS256, ES256 or EdDSA')
  }
  assertClaims(ctx, claims, client)
  assertTimes(claims)
}

function assertClaims(ctx: KoaContextWithOIDC, claims: RequestClaims, client: Client): void {
  const required: (keyof RequestClaims)[] = ['exp']
  if (isFapi(client)) required.push('nbf')
  // OpenID Connect CIBA section 7.1.1.
  if (ctx.oidc.route === 'backchannel_authentication') required.push('nbf', 'iat', 'jti')
  const missing = required.find((name) => claims[name] === undefined)
  if (missing) refuse(`the request object has no ${missing}`)
}

/** Nobody signs a request today to have it used next week. */
function assertTimes({ exp, nbf, iat }: RequestClaims): void {
  const now = nowInSeconds()
  const begin = nbf ?? iat ?? now
  if (exp! <= begin || exp! - begin > requestObjectSeconds) {
    refuse('exp of the request object must be within 60 minutes of nbf')
  }
  if (exp! - now > requestObjectSeconds + clockToleranceSeconds) refuse('exp of the request object is too far ahead')
  if (iat !== undefined && iat > now + clockToleranceSeconds) refuse('iat of the request object lies in the future')
}

function refuse(description: string): never {
  throw new errors.InvalidRequestObject(description)
}

/** The scopes of an authorization request as they were sent, before the engine drops any: signed, pushed or plain. */
export function requestedScope(ctx: KoaContextWithOIDC): unknown {
  const { oidc } = ctx
  // The engine reads one of the two and never both.
  const sent = (ctx.method === 'POST' ? (oidc as { body?: unknown }).body : ctx.query) as Record<string, unknown>
  const pushed = oidc.entities.PushedAuthorizationRequest as { request?: string } | undefined
  const signed = pushed?.request ?? sent.request
  // The engine has read and verified it by now; what stands beside a signed request does not count (RFC 9101 section 6.3).
  return typeof signed === 'string' ? decodeJwt(signed).scope : sent.scope
}
