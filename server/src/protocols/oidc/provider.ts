import { type Configuration, interactionPolicy, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { topLevelClaim } from '../../domain/claims/index.ts'
import type { Services } from '../../domain/context/index.ts'
import { sessionCookieName, sessionTokenOf } from '../../domain/sessions/index.ts'
import { findAccount, findSubject, namesOwnSubject } from './account.ts'
import { cibaFeature, deviceFeature } from './approvals/features.ts'
import { createAdapter, useOnce } from './adapter.ts'
import { createAftermath } from './aftermath.ts'
import { allowsOrigin, createFetch } from './boundaries.ts'
import { clientFacts, factsMember } from './client-metadata.ts'
import { findWithDocuments } from './document-clients.ts'
import { loadGrant } from './existing-grant.ts'
import { registerGrants } from './grants/index.ts'
import { createClientCache } from './client-cache.ts'
import { admitClient } from './client-limits.ts'
import { createFoundTokens, type FindLive } from './found-tokens.ts'
import {
  bendClaims,
  bendClients,
  bendIdTokens,
  bendReplayDetection,
  bendSessions,
  bendTokens,
  isReplay,
} from './internals.ts'
import { checkInteractions, interactionUrl } from './interactions.ts'
import {
  bendAuthMethods,
  bendClientKeys,
  bendEndedSecrets,
  bendExactRedirects,
  bendGrantRefusals,
  bendRefusals,
} from './internals-profiles.ts'
import type { IssuerParts } from './issuer.ts'
import { engineKeys } from './keys.ts'
import { lifetimes } from './lifetimes.ts'
import { renderLogout, renderLoggedOut } from './logout-pages.ts'
import { answerOutage, renderFailure } from './failures.ts'
import { assertBound, createClientKeys, profileConfiguration, profileFeatures, proofSeconds } from './profiles/index.ts'
import { checkRequestedScopes, describeResource } from './resources.ts'
import { routes } from './paths.ts'
import { checkTexts } from './request-texts.ts'
import { readCookiesFrom } from './request.ts'
import { actingNow } from './acting.ts'
import { describeTokenClaims, shapeAccessToken } from './token-claims.ts'

/** The engine for one realm at one version of its configuration. It is never changed, only replaced. */
export function buildProvider(services: Services, parts: IssuerParts, findLive: FindLive): Provider {
  const provider = new Provider(parts.issuer, configure(services, parts))
  // Host, scheme and address are pinned from the configuration before the engine sees a request (S46).
  provider.proxy = true
  const { secure } = services.config
  bendSessions(provider, (ctx) => sessionTokenOf(secure, readCookiesFrom(ctx.req), parts.realmId))
  bendClients(provider, {
    now: () => services.clock.now(),
    namesOwnSubject: (client) => namesOwnSubject(parts, client),
    admit: (ctx, clientId) => admitClient(services, parts.realmId, ctx, clientId),
    find: findWithDocuments(services, parts, createClientCache(services, parts.realmId)),
  })
  bendClaims(provider, (_ctx, userId, client) => findSubject(services, parts, userId, client))
  bendTokens(provider, createFoundTokens(services, parts, provider, findLive))
  bendIdTokens(provider)
  bendReplayDetection(provider, (issuer, jti, expSeconds) =>
    // The engine forgets a proof that is dated ahead while it is still good.
    useOnce(services, parts.realmId, { issuer, jti, expiresAt: (expSeconds + proofSeconds) * 1000 }),
  )
  bendAuthMethods(provider)
  bendEndedSecrets(provider)
  bendGrantRefusals(provider)
  bendExactRedirects(provider)
  bendRefusals(provider)
  bendClientKeys(provider, createClientKeys(services, parts.realmId))
  registerGrants(services, parts, provider)
  provider.on('server_error', (ctx, error) => answerOutage(services, ctx, error))
  provider.use(createAftermath(services, parts) as never)
  return provider
}

function configure(services: Services, parts: IssuerParts): Configuration {
  const { settings, realmId } = parts
  const cookie = { httpOnly: true, sameSite: 'lax', signed: false, overwrite: true } as const
  const prefix = services.config.secure ? '__Secure-' : ''
  return {
    adapter: createAdapter(services, parts) as never,
    jwks: { keys: engineKeys(parts) } as never,
    routes,
    responseTypes: ['code'],
    scopes: [...parts.scopes.keys()],
    claims: { openid: ['sub', 'sid', 'auth_time', 'acr', 'amr', ...claimNames(parts)] } as never,
    acrValues: [...acrClasses, ...Object.keys(settings.acrAliases)],
    subjectTypes: ['public', 'pairwise'],
    ...profileConfiguration(parts),
    cookies: {
      names: {
        session: sessionCookieName(services.config.secure, realmId),
        interaction: `${prefix}gatehouse_interaction_${realmId}`,
        resume: `${prefix}gatehouse_resume_${realmId}`,
      },
      long: { ...cookie, path: '/' },
      short: cookie,
    },
    extraClientMetadata: { properties: [factsMember] },
    extraParams: {
      gatehouse_texts: (ctx) => checkTexts(ctx as KoaContextWithOIDC),
      gatehouse_scopes: (ctx, _value, client) => checkRequestedScopes(ctx as KoaContextWithOIDC, client!),
    },
    clientBasedCORS: (_ctx, origin, client) => allowsOrigin(client, origin),
    findAccount: (ctx, userId) => findAccount(services, parts, ctx as KoaContextWithOIDC | undefined, userId),
    pairwiseIdentifier: (_ctx, userId, client) => findSubject(services, parts, userId, client),
    extraTokenClaims: (ctx, token) =>
      describeTokenClaims(services, parts, ctx as KoaContextWithOIDC | undefined, token),
    formats: {
      customizers: {
        jwt: (_ctx: unknown, token: never, jwt: never) => shapeAccessToken(assertBound(token), jwt),
      },
    } as never,
    interactions: {
      url: (ctx, interaction) => interactionUrl(services, parts, ctx, interaction),
      policy: createPolicy(parts),
    },
    loadExistingGrant: (ctx) => loadGrant(services, parts, ctx as KoaContextWithOIDC),
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async (_ctx, code) => actingNow() !== null || !code.scopes.has('offline_access'),
    // FAPI 2.0 section 5.3.2.1 has no rotation: an answer that is lost would sign the person out, and the client proves itself anyway.
    rotateRefreshToken: (ctx) => !isReplay() && !clientFacts(ctx.oidc.client)?.fapi,
    revokeGrantPolicy: (ctx) => !(ctx.oidc.route === 'revocation' && ctx.oidc.entities.AccessToken),
    conformIdTokenClaims: false,
    allowOmittingSingleRegisteredRedirectUri: false,
    renderError: (ctx, out, error) => renderFailure(services, parts, ctx as KoaContextWithOIDC, out, error),
    fetch: createFetch(services) as never,
    ttl: lifetimes(parts),
    features: features(services, parts),
    discovery: {
      require_pushed_authorization_requests: false,
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
      ...(parts.provisioning.dcrEnabled ? { registration_endpoint: `${parts.issuer}/connect/register` } : {}),
      ...(parts.provisioning.cimdEnabled ? { client_id_metadata_document_supported: true } : {}),
    },
  } as Configuration
}

// Contract 2.104b.
const acrClasses = ['urn:gatehouse:acr:1', 'urn:gatehouse:acr:2', 'urn:gatehouse:acr:3']

/** The top-level claims that some scope can give; the `claims` parameter may ask for them one by one. */
function claimNames(parts: IssuerParts): string[] {
  const names = [...parts.scopes.values()].flatMap((scope) => scope.claims.map((mapper) => topLevelClaim(mapper.claim)))
  return [...new Set(names)].filter((name) => !name.includes('{'))
}

function createPolicy(parts: IssuerParts) {
  const policy = interactionPolicy.base()
  checkInteractions(policy, parts)
  return policy
}

function features(services: Services, parts: IssuerParts): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: {
      enabled: true,
      // Only the client a token was issued to, and whoever it is meant for (S29).
      allowedPolicy: async (_ctx, client, token) =>
        token.clientId === client.clientId ||
        [(token as { aud?: string | string[] }).aud].flat().includes(client.clientId),
    },
    revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
    pushedAuthorizationRequests: { enabled: true },
    deviceFlow: deviceFeature(),
    ciba: cibaFeature(services, parts),
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => renderLogout(services, parts, ctx as KoaContextWithOIDC, form),
      postLogoutSuccessSource: (ctx) => renderLoggedOut(services, parts, ctx as KoaContextWithOIDC),
    },
    backchannelLogout: { enabled: true },
    userinfo: { enabled: true },
    claimsParameter: { enabled: true },
    ...profileFeatures(services, parts),
    // Retired keys are external ones: their private halves stay in the database.
    externalSigningSupport: { enabled: true, ack: 'experimental-01' },
    resourceIndicators: {
      enabled: true,
      defaultResource: async (_ctx, _client, oneOf) => (oneOf ? oneOf[0]! : parts.issuer),
      useGrantedResource: async () => true,
      getResourceServerInfo: async (ctx, resource, client) =>
        describeResource(parts, ctx as KoaContextWithOIDC, resource, client),
    },
  } as NonNullable<Configuration['features']>
}
