import type { Client } from 'oidc-provider'
import { clientFacts } from '../client-metadata.ts'
import { errors } from '../internals.ts'

// FAPI 2.0 section 5.3.2.2.
const maxCodeSeconds = 60

export function isFapi(client: Client | undefined): boolean {
  return clientFacts(client)?.fapi === true
}

/** For the engine, which has a few rules of its own for the profile. */
export function profileOf(client: Client | undefined): '2.0' | undefined {
  return isFapi(client) ? '2.0' : undefined
}

/** Asked where a request has no challenge. */
export function needsPkce(client: Client): boolean {
  if (isFapi(client)) {
    const description = 'this client uses FAPI 2.0: send code_challenge with code_challenge_method=S256'
    throw new errors.InvalidRequest(description)
  }
  return clientFacts(client)!.requirePkce
}

export function codeSeconds(client: Client | undefined, realmSeconds: number): number {
  return isFapi(client) ? Math.min(realmSeconds, maxCodeSeconds) : realmSeconds
}

/** Why a request that was not pushed is refused. */
export function unpushedText(client: Client): string {
  return isFapi(client)
    ? 'this client uses FAPI 2.0: push the request to /par first'
    : 'Pushed Authorization Request must be used'
}

/** Why a token request without a proof is refused. */
export function unprovenText(client: Client): string {
  return isFapi(client)
    ? 'this client uses FAPI 2.0: its tokens are bound to a key, send a DPoP proof'
    : 'the tokens of this client are bound to a key: send a DPoP proof'
}

/** The last look at every access token, whichever way made it: a client whose tokens are bound never gets one that is not. */
export function assertBound<T>(token: T & { client?: Client; jkt?: string }): T {
  if (token.client && clientFacts(token.client)?.boundTokens && !token.jkt) {
    throw new errors.InvalidDpopProof(unprovenText(token.client))
  }
  return token
}
