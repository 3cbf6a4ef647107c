import type { Client, Grant, TokenEndpointGrantContext } from 'oidc-provider'
import type { Services } from '../../../domain/context/index.ts'
import { acrOf, amr } from '../../../domain/sessions/index.ts'
import { type PasswordProof, provePassword } from '../../../domain/sign-in/index.ts'
import { DomainError } from '../../../platform/errors/index.ts'
import { isStorable } from '../../../platform/text/index.ts'
import { clientFacts } from '../client-metadata.ts'
import { addWanted, readAllowed } from '../existing-grant.ts'
import { errors, grantSteps } from '../internals.ts'
import type { IssuerParts } from '../issuer.ts'
import { refuseUnknown } from '../resources.ts'
import { currentUnit } from '../unit.ts'
import { passwordGrant } from './names.ts'
import { issueFor, type PasswordSource } from './password-tokens.ts'

export const passwordParameters = ['username', 'password', 'scope', 'resource']

type Proved = Extract<PasswordProof, { kind: 'PROVED' }>

/**
 * The legacy grant of RFC 6749 section 4.3, for clients that list it: an application that sees the person's password. Whatever keeps
 * somebody from signing in by a password alone is one answer, so that it tells no more than the sign-in page (S27, S40).
 */
export async function answerPassword(
  services: Services,
  parts: IssuerParts,
  ctx: TokenEndpointGrantContext,
): Promise<void> {
  const { client, provider } = ctx.oidc
  const params = ctx.oidc.params as Record<string, string | undefined>
  for (const name of ['username', 'password'])
    if (!params[name]) throw new errors.InvalidRequest(`missing required parameter '${name}'`)
  if (!isStorable(params.username!)) throw new errors.InvalidRequest('username contains NUL or half a character')
  const dPoP = await grantSteps.validateDpop(provider, ctx)
  grantSteps.checkDpopRequired(provider, ctx, dPoP)
  params.scope = narrowScope(client, params.scope)
  const [server, ...others] = await grantSteps.resolveRequestedResources(provider, ctx)
  if (!server || others.length > 0) throw new errors.InvalidTarget('ask for one resource at a time')
  await grantSteps.checkDpopReplay(provider, ctx, dPoP, client.clientId)
  const person = await prove(services, parts, ctx, { username: params.username!, password: params.password! })
  const grant = await grantTo(services, parts, ctx, person)
  const account = await grantSteps.findAccount(provider, ctx, person.userId)
  if (!account) throw refusal()
  ctx.oidc.entity('Account', account)
  const grantId = await grant.save()
  ctx.oidc.entity('Grant', grant)
  const source: PasswordSource = {
    accountId: person.userId,
    acr: acrOf(person.proofs),
    amr: amr(person.proofs),
    authTime: Math.floor(person.proofs[0]!.at / 1000),
    client,
    grantId,
    gty: passwordGrant,
    resource: server.identifier(),
    ...(params.scope === undefined ? {} : { scope: params.scope }),
  }
  await issueFor(ctx, source, { account, grant, jkt: dPoP?.thumbprint })
}

/** A scope that the client does not have is refused; offline access is for clients that may refresh. */
function narrowScope(client: Client, scope: string | undefined): string | undefined {
  const asked = (scope ?? '').split(' ').filter(Boolean)
  refuseUnknown(asked, client)
  const mayRefresh = client.grantTypeAllowed('refresh_token')
  return asked.filter((name) => name !== 'offline_access' || mayRefresh).join(' ') || undefined
}

const refusal = () =>
  new errors.CustomOIDCProviderError(
    'invalid_grant',
    'the username or password is wrong, or this person cannot sign in with a password alone',
  )

async function prove(
  services: Services,
  parts: IssuerParts,
  ctx: TokenEndpointGrantContext,
  sent: { username: string; password: string },
): Promise<Proved> {
  const realm = await services.snapshots.find(parts.realmId)
  if (!realm) throw new DomainError('realm_not_found', 'There is no realm of this name.')
  const { origin } = currentUnit()!
  const { clientId } = ctx.oidc.client
  const outcome = await provePassword(services, { realm, origin, clientId, ...sent })
  if (outcome.kind === 'PROVED') return outcome
  if (outcome.kind === 'REFUSED') throw refusal()
  ctx.set('retry-after', String(outcome.retryAfterSeconds))
  const limited = new errors.CustomOIDCProviderError('temporarily_unavailable', 'too many failed sign-ins')
  throw Object.assign(limited, { status: 429, statusCode: 429, expose: true })
}

/** A grant of its own, without a session. A client that needs consent must have it: there is nobody here to ask (S34). */
async function grantTo(
  services: Services,
  parts: IssuerParts,
  ctx: TokenEndpointGrantContext,
  person: Proved,
): Promise<Grant> {
  const { client, provider } = ctx.oidc
  const facts = clientFacts(client)!
  const grant = new provider.Grant({ accountId: person.userId, clientId: client.clientId })
  const allowed = facts.consentRequired ? await readAllowed(services, parts, person.userId, facts.id) : null
  addWanted(ctx, grant, allowed)
  if (allowed === null) return grant
  const wanted = [...ctx.oidc.requestParamScopes]
  const [resource] = Object.keys(ctx.oidc.resourceServers ?? {})
  const granted = new Set(grant.getResourceScope(resource!).split(' '))
  if (allowed.scopes.size === 0 || wanted.some((scope) => !granted.has(scope)))
    throw new errors.InteractionRequired('the person has not allowed this client what it asks for')
  return grant
}
