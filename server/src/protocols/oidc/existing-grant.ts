import type { Grant, KoaContextWithOIDC } from 'oidc-provider'
import { readConsent } from '../../domain/consents/index.ts'
import type { Services } from '../../domain/context/index.ts'
import { runRead } from '../../platform/db/index.ts'
import { actingNow } from './acting.ts'
import { clientFacts } from './client-metadata.ts'
import type { IssuerParts } from './issuer.ts'

interface Allowed {
  scopes: ReadonlySet<string>
  claims: ReadonlySet<string>
  resources: Readonly<Record<string, string[]>>
}

/**
 * The grant of this sign-in at this client: one for a session and client, which grows. A client that needs consent gets what the
 * person allowed it and no more (the engine then asks for the rest); any other gets what it asks for and may have.
 */
export async function loadGrant(
  services: Services,
  parts: IssuerParts,
  ctx: KoaContextWithOIDC,
): Promise<Grant | undefined> {
  const { client, session, account, provider } = ctx.oidc
  if (!client || !account || !session) return undefined
  const existingId = session.grantIdFor(client.clientId)
  const existing = existingId ? await provider.Grant.find(existingId) : undefined
  const isOwn = existing?.accountId === account.accountId && existing.clientId === client.clientId
  const grant = isOwn ? existing : new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
  const before = JSON.stringify([grant.openid, grant.resources])
  const facts = clientFacts(client)!
  const allowed = facts.consentRequired ? await readAllowed(services, parts, account.accountId, facts.id) : null
  addWanted(ctx, grant, allowed)
  if (actingNow() !== null) rejectOffline(ctx, grant)
  const isEmpty = !grant.openid && !grant.resources
  // An empty grant would be written for everybody who only looks at the consent page.
  if (isEmpty && !isOwn) return undefined
  if (!isOwn || JSON.stringify([grant.openid, grant.resources]) !== before) await grant.save()
  return grant
}

/** Nothing outlives the session of somebody who acts as another; rejected, it is neither granted nor asked for. */
function rejectOffline(ctx: KoaContextWithOIDC, grant: Grant): void {
  const scope = 'offline_access'
  if (!ctx.oidc.requestParamScopes.has(scope)) return
  grant.rejectOIDCScope(scope)
  for (const resource of Object.keys(ctx.oidc.resourceServers ?? {})) grant.rejectResourceScope(resource, scope)
}

/** What the person allowed the client; nothing at all where they were never asked. */
export async function readAllowed(
  services: Services,
  parts: IssuerParts,
  userId: string,
  clientUuid: string,
): Promise<Allowed> {
  const consent = await runRead(() => readConsent(services.db, parts.realmId, userId, clientUuid))
  return {
    scopes: new Set(consent?.scopes ?? []),
    claims: new Set(consent?.claims ?? []),
    resources: consent?.resources ?? {},
  }
}

/** Puts what the request asks for into a grant, as far as it is allowed; null allows everything. */
export function addWanted(ctx: KoaContextWithOIDC, grant: Grant, allowed: Allowed | null): void {
  const { oidc } = ctx
  const may = (list: ReadonlySet<string> | undefined, name: string) => allowed === null || list?.has(name) === true
  const scopes = [...oidc.requestParamOIDCScopes].filter((scope) => may(allowed?.scopes, scope))
  if (scopes.length > 0) grant.addOIDCScope(scopes.join(' '))
  const claims = [...oidc.requestParamClaims].filter((claim) => may(allowed?.claims, claim))
  if (claims.length > 0) grant.addOIDCClaims(claims)
  for (const [resource, server] of Object.entries(oidc.resourceServers ?? {})) {
    const offered = [...oidc.requestParamScopes].filter((scope) => server.scopes.has(scope))
    const isIssuer = resource === oidc.issuer
    // Scopes at the issuer itself are those of the sign-in; other resources are allowed one by one.
    const list = isIssuer ? allowed?.scopes : new Set(allowed?.resources[resource] ?? [])
    const granted = offered.filter((scope) => may(list, scope))
    if (granted.length > 0) grant.addResourceScope(resource, granted.join(' '))
  }
}
