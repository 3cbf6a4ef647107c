import type { Client, Configuration } from 'oidc-provider'
import { waitingLifetimes } from './approvals/features.ts'
import { untilActingEnds } from './acting.ts'
import { clientFacts } from './client-metadata.ts'
import type { IssuerParts } from './issuer.ts'
import { codeSeconds } from './profiles/index.ts'

// Contract 2.20.
const pushedRequestSeconds = 60
// As long as a sign-in may take (domain/sign-in), because a request waits for it.
const interactionSeconds = 1800

/** How long everything lives: the client's own figure, else the realm's (contract 2.16, 2.20). */
export function lifetimes({ settings }: IssuerParts): Configuration['ttl'] {
  const access = (client: Client) =>
    clientFacts(client)?.accessTokenLifetimeSeconds ?? settings.accessTokenLifetimeSeconds
  return {
    AccessToken: (_ctx, _token, client) => untilActingEnds(access(client)),
    ClientCredentials: (_ctx, _token, client) => access(client),
    IdToken: (_ctx, _token, client) =>
      untilActingEnds(clientFacts(client)?.idTokenLifetimeSeconds ?? settings.idTokenLifetimeSeconds),
    AuthorizationCode: (_ctx, _code, client) => codeSeconds(client, settings.authorizationCodeLifetimeSeconds),
    PushedAuthorizationRequest: pushedRequestSeconds,
    Interaction: interactionSeconds,
    ...waitingLifetimes,
    Session: settings.ssoSessionMaxSeconds,
    // A grant outlives every token made under it; refreshing with offline access moves its end.
    Grant: (ctx, grant) => {
      const isOffline = grant.getOIDCScope().split(' ').includes('offline_access')
      const own = clientFacts(ctx?.oidc.client)?.refreshTokenLifetimeSeconds ?? settings.refreshTokenLifetimeSeconds
      const longest = Math.max(own, settings.ssoSessionMaxSeconds)
      return Math.max(longest, isOffline ? settings.offlineSessionIdleSeconds : 0, dayInSeconds)
    },
    RefreshToken: (_ctx, token, client) => {
      const facts = clientFacts(client)
      if (token.scope?.split(' ').includes('offline_access')) return settings.offlineSessionIdleSeconds
      const isKept = facts?.fapi ?? false
      const idle = facts?.refreshTokenIdleSeconds ?? settings.refreshTokenIdleSeconds
      const total = facts?.refreshTokenLifetimeSeconds ?? settings.refreshTokenLifetimeSeconds
      // The whole chain ends at its time, however often it is refreshed; what is left may be nothing, which one second is.
      // One that is not replaced when it is used cannot tell how long it was idle.
      return Math.max(1, untilActingEnds(Math.min(isKept ? total : idle, total - token.totalLifetime())))
    },
  }
}

// Access tokens and codes live a day at most.
const dayInSeconds = 86_400
