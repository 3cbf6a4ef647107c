import type { TokenEndpointGrantContext } from 'oidc-provider'
import type { Services } from '../../../domain/context/index.ts'
import { type LiveToken, readLiveToken, type Verifier } from '../access-tokens.ts'
import { clientFacts } from '../client-metadata.ts'
import { readAllowed } from '../existing-grant.ts'
import { errors, grantSteps } from '../internals.ts'
import type { IssuerParts } from '../issuer.ts'
import { describeAudience } from '../resources.ts'
import { readExchange } from './exchange-request.ts'
import {
  ancestryOf,
  type Asker,
  chainActors,
  checkMayAct,
  chooseAudience,
  chooseScopes,
  type ExchangeClaims,
  mayUse,
} from './exchange-rules.ts'
import { type Exchange, rememberExchange, rememberSubject } from './exchanged-tokens.ts'
import { tokenExchangeGrant } from './names.ts'

export { exchangeParameters } from './exchange-request.ts'

/**
 * One access token of this realm for another that is at most as good (RFC 8693): its scopes and its life are those of the subject's
 * or less, its audience is the client's own, and it ends with whatever it came from (S28).
 */
export async function answerExchange(
  services: Services,
  parts: IssuerParts,
  verify: Verifier,
  ctx: TokenEndpointGrantContext,
): Promise<void> {
  const { client, provider } = ctx.oidc
  // Whoever cannot prove to be the client must not turn tokens that it found into others.
  if (client.clientAuthMethod === 'none')
    throw new errors.UnauthorizedClient('token exchange is for clients that authenticate')
  const request = readExchange(ctx.oidc.params as Record<string, unknown>)
  const dPoP = await grantSteps.validateDpop(provider, ctx)
  grantSteps.checkDpopRequired(provider, ctx, dPoP)
  const asker = askerOf(ctx)
  const find = async (token: string, name: string): Promise<LiveToken> => {
    const claims = await verify(token)
    const live = claims ? await readLiveToken(services, parts.realmId, claims) : null
    if (!live || !mayUse(asker, live.claims) || !isBoundTo(live, dPoP?.thumbprint)) throw invalidToken(name)
    return live
  }
  const subject = await find(request.subjectToken, 'subject_token')
  rememberSubject(ctx, subject)
  const actor = request.actorToken === null ? null : await find(request.actorToken, 'actor_token')
  // Who acts through somebody else would be left out of the chain.
  if ((actor?.claims as ExchangeClaims | undefined)?.act) throw invalidToken('actor_token')
  await grantSteps.checkDpopReplay(provider, ctx, dPoP, client.clientId)
  const claims = subject.claims as ExchangeClaims
  checkMayAct(asker, parts.issuer, claims, actor?.claims ?? null)
  const audience = chooseAudience(asker, parts.issuer, claims, request.targets)
  const wanted = chooseScopes(asker, claims, request.scopes)
  const scopes = await keepAllowed(services, parts, ctx, { subject, audience, wanted })
  if (scopes.length === 0 && request.scopes && request.scopes.length > 0)
    throw new errors.InvalidScope('the subject token holds none of the requested scopes', request.scopes.join(' '))
  const act = chainActors(claims, actor?.claims ?? null)
  const exchange: Exchange = {
    subject,
    audience,
    scopes,
    act,
    ancestry: ancestryOf(asker, claims, actor?.claims ?? null),
  }
  const endsAt = Math.min(claims.exp, actor?.claims.exp ?? claims.exp)
  await issue(ctx, exchange, { endsAt, jkt: dPoP?.thumbprint, issuedTokenType: request.issuedTokenType })
}

function askerOf(ctx: TokenEndpointGrantContext): Asker {
  const { client } = ctx.oidc
  const facts = clientFacts(client)!
  return {
    clientId: client.clientId,
    subject: facts.serviceAccountUserId ?? client.clientId,
    scopes: (client.scope ?? '').split(' '),
    allowedResources: facts.allowedResources,
  }
}

/** One answer for a token that is forged, ended, revoked or somebody else’s: a client learns nothing about tokens of others. */
const invalidToken = (name: string) =>
  new errors.CustomOIDCProviderError('invalid_grant', `${name} is not a token that this client can exchange`)

/** A token that is bound to a key is of use to whoever proves to have the key (RFC 9449); no other binding is known here. */
function isBoundTo({ claims: { cnf } }: LiveToken, thumbprint: string | undefined): boolean {
  if (!cnf) return true
  return Object.keys(cnf).length === 1 && cnf.jkt !== undefined && cnf.jkt === thumbprint
}

/** A client that needs a person’s consent gets no more by an exchange than the person allowed it (contract 4.37). */
async function keepAllowed(
  services: Services,
  parts: IssuerParts,
  ctx: TokenEndpointGrantContext,
  { subject, audience, wanted }: { subject: LiveToken; audience: string[]; wanted: string[] },
): Promise<string[]> {
  const facts = clientFacts(ctx.oidc.client)!
  if (!facts.consentRequired || !subject.claims.gid) return wanted
  const allowed = await readAllowed(services, parts, subject.userId!, facts.id)
  const lists = audience.map((target) =>
    facts.allowedResources.includes(target) ? new Set(allowed.resources[target] ?? []) : allowed.scopes,
  )
  const kept = wanted.filter((scope) => lists.every((list) => list.has(scope)))
  if (allowed.scopes.size === 0 || (wanted.length > 0 && kept.length === 0))
    throw new errors.InteractionRequired('the person has not allowed this client what it asks for')
  return kept
}

interface Issuing {
  /** In seconds; the new token ends then at the latest. */
  endsAt: number
  jkt: string | undefined
  issuedTokenType: string
}

async function issue(
  ctx: TokenEndpointGrantContext,
  exchange: Exchange,
  { endsAt, jkt, issuedTokenType }: Issuing,
): Promise<void> {
  const { client, provider } = ctx.oidc
  const { subject, audience, scopes } = exchange
  const { gid, sid, offline } = subject.claims
  const scope = scopes.join(' ') || undefined
  const token = gid
    ? new provider.AccessToken({
        ...{ accountId: subject.userId!, client, grantId: gid, gty: tokenExchangeGrant, scope, sid },
        expiresWithSession: !offline,
      } as never)
    : new provider.ClientCredentials({ client, scope } as never)
  rememberExchange(token, exchange)
  Object.assign(token, {
    resourceServer: new provider.ResourceServer(audience[0]!, describeAudience(client, audience[0]!)),
  })
  if (jkt) token.setThumbprint('jkt', jkt)
  // The engine’s clock is this one; whatever it is at the signature, the end is fixed here.
  const now = Math.floor(Date.now() / 1000)
  const exp = Math.min(now + token.expiration, endsAt)
  if (exp <= now) throw invalidToken('subject_token')
  Object.assign(token, { exp })
  ctx.oidc.entity(gid ? 'AccessToken' : 'ClientCredentials', token)
  ctx.body = grantSteps.buildTokenResponse(provider, {
    accessToken: await token.save(),
    expiresIn: exp - now,
    issuedTokenType,
    scope,
    tokenType: token.tokenType,
  })
}
