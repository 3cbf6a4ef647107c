import { brokenUnique, type Tx } from '../../platform/db/index.ts'
import { conflictError, DomainError, fieldError, notFound } from '../../platform/errors/index.ts'
import { isUuid, newId } from '../../platform/ids/index.ts'
import { idParameter, type Loaded, paging } from '../admin-route/index.ts'
import { assertClaimExists } from '../claims/index.ts'
import type { Context } from '../context/index.ts'
import { raiseRealmVersion } from '../snapshot/index.ts'
import type { ClientScope, ClientScopeInput, ClientScopeQuery, ClientScopeReplacement } from './schema.ts'
import * as store from './store.ts'

// All of them are in the realm's snapshot and in its discovery document.
export const maxScopes = 500
// Each is looked at whenever a token with the scope is made.
const maxClaimsPerScope = 100
// One statement locks this many clients at a time.
const clientsPerBatch = 500
/** Without it a realm would issue no ID tokens, and nothing would say why. */
const protectedName = 'openid'

export async function loadScope(
  ctx: Context,
  scopeId: string | undefined,
  forUpdate: boolean,
): Promise<Loaded<ClientScope>> {
  const id = idParameter(scopeId)
  if (forUpdate) await store.lockRealm(ctx.tx, ctx.realmId)
  const row = await store.selectScope(ctx.tx, ctx.realmId, id)
  if (!row) throw notFound()
  return { record: toScope(ctx.realmId, row), version: row.version }
}

export async function listScopes(ctx: Context, query: ClientScopeQuery) {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is the id of a client scope')
  const rows = await store.selectScopes(ctx.tx, ctx.realmId, page)
  const total = query.count === 'true' ? await countScopes(ctx, maxScopes) : null
  return { scopes: rows.map((row) => toScope(ctx.realmId, row)), page, total }
}

export async function countScopes(ctx: Context, upTo: number): Promise<number> {
  return store.countScopes(ctx.tx, ctx.realmId, upTo)
}

export async function createScope(ctx: Context, input: ClientScopeInput): Promise<ClientScope> {
  const id = newId(ctx.now)
  try {
    await store.insertScope(ctx.tx, {
      ...valuesOf(input),
      realm_id: ctx.realmId,
      id,
      name: input.name,
      created_at: ctx.now,
    })
  } catch (error) {
    if (brokenUnique(error) !== null) throw conflictError('name', 'Another client scope of the realm has this name.')
    throw error
  }
  await raiseRealmVersion(ctx)
  return (await loadScope(ctx, id, false)).record
}

export async function replaceScope(
  ctx: Context,
  before: ClientScope,
  input: ClientScopeReplacement,
): Promise<ClientScope> {
  if (input.name !== undefined && input.name !== before.name) {
    throw fieldError('name', 'The name of a client scope never changes: clients, consents and tokens name it.')
  }
  await store.updateScope(ctx.tx, ctx.realmId, before.scopeId, valuesOf(input))
  await raiseRealmVersion(ctx)
  return (await loadScope(ctx, before.scopeId, false)).record
}

/** With `force` the clients that list it lose it, a bounded number at a time; returns how many did. */
export async function deleteScope(ctx: Context, scope: ClientScope, force: boolean): Promise<number> {
  if (scope.name === protectedName) {
    throw new DomainError('protected', `The scope ${protectedName} is what makes a request one of OpenID Connect.`)
  }
  await store.lockScope(ctx.tx, ctx.realmId, scope.scopeId)
  if (!force && (await store.isUsedByClients(ctx.tx, ctx.realmId, scope.name))) {
    throw new DomainError('conflict', 'Clients list this scope; ?force=true takes it from them.')
  }
  const removed = force ? await removeFromClients(ctx, scope.name) : 0
  await store.deleteScopeRow(ctx.tx, ctx.realmId, scope.scopeId)
  await raiseRealmVersion(ctx)
  return removed
}

async function removeFromClients(ctx: Context, name: string): Promise<number> {
  let removed = 0
  for (let after: string | null = null; ; ) {
    const ids = await store.removeFromClients(ctx.tx, ctx.realmId, name, { after, limit: clientsPerBatch })
    removed += ids.length
    if (ids.length < clientsPerBatch) return removed
    after = ids.at(-1)!
  }
}

export async function attachClaim(ctx: Context, scope: ClientScope, claimId: string | undefined): Promise<void> {
  const id = await assertClaimExists(ctx, claimId)
  if ((await store.insertScopeClaims(ctx.tx, ctx.realmId, [{ scopeId: scope.scopeId, claimId: id }])) === 0) return
  if ((await store.countScopeClaims(ctx.tx, ctx.realmId, scope.scopeId)) > maxClaimsPerScope) {
    throw new DomainError('limit_reached', `A client scope has at most ${maxClaimsPerScope} claim mappers.`)
  }
  await followClaims(ctx, scope)
}

export async function detachClaim(ctx: Context, scope: ClientScope, claimId: string | undefined): Promise<void> {
  const wasThere = await store.deleteScopeClaim(ctx.tx, ctx.realmId, scope.scopeId, idParameter(claimId))
  if (!wasThere) throw notFound()
  await followClaims(ctx, scope)
}

/** The mappers are part of the record and of every token that follows. */
async function followClaims(ctx: Context, scope: ClientScope): Promise<void> {
  await store.updateScope(ctx.tx, ctx.realmId, scope.scopeId, {})
  await raiseRealmVersion(ctx)
}

/** Names that are no client scope of the realm; the others cannot be deleted before the transaction ends. */
export async function findUnknownScopes(tx: Tx, realmId: string, names: string[]): Promise<string[]> {
  if (names.length === 0) return []
  const known = new Set(await store.selectNamesForShare(tx, realmId, names))
  return names.filter((name) => !known.has(name))
}

export function valuesOf(input: ClientScopeReplacement): store.ScopeValues {
  return {
    description: input.description,
    consent_text: input.consentText,
    default_scope: input.defaultScope,
    include_in_token_scope: input.includeInTokenScope,
  }
}

function toScope(realmId: string, row: store.ScopeRow): ClientScope {
  return {
    realmId,
    scopeId: row.id,
    name: row.name,
    description: row.description,
    consentText: row.consent_text,
    defaultScope: row.default_scope,
    includeInTokenScope: row.include_in_token_scope,
    claimIds: row.claim_ids,
    createdAt: row.created_at,
  }
}
