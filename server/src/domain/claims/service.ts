import { brokenUnique, type Executor } from '../../platform/db/index.ts'
import { conflictError, fieldError, notFound } from '../../platform/errors/index.ts'
import { isUuid, newId } from '../../platform/ids/index.ts'
import { idParameter, type Loaded, paging } from '../admin-route/index.ts'
import type { Context } from '../context/index.ts'
import { raiseRealmVersion } from '../snapshot/index.ts'
import { checkClaim } from './check.ts'
import type { ClaimMapper } from './mapper.ts'
import type { Claim, ClaimInput, ClaimQuery } from './schema.ts'
import * as store from './store.ts'

// All of them are in the realm's snapshot; far beyond what people can oversee.
export const maxClaims = 1000

export async function loadClaim(ctx: Context, claimId: string | undefined, forUpdate: boolean): Promise<Loaded<Claim>> {
  const id = idParameter(claimId)
  if (forUpdate) await store.lockRealm(ctx.tx, ctx.realmId)
  const row = await store.selectClaim(ctx.tx, ctx.realmId, id)
  if (!row) throw notFound()
  return { record: toClaim(ctx.realmId, row), version: row.version }
}

export async function assertClaimExists(ctx: Context, claimId: string | undefined): Promise<string> {
  return (await loadClaim(ctx, claimId, false)).record.claimId
}

export async function listClaims(ctx: Context, query: ClaimQuery) {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is the id of a claim mapper')
  const rows = await store.selectClaims(ctx.tx, ctx.realmId, page)
  const total = query.count === 'true' ? await countClaims(ctx, maxClaims) : null
  return { claims: rows.map((row) => toClaim(ctx.realmId, row)), page, total }
}

export async function countClaims(ctx: Context, upTo: number): Promise<number> {
  return store.countClaims(ctx.tx, ctx.realmId, upTo)
}

export async function createClaim(ctx: Context, input: ClaimInput): Promise<Claim> {
  checkClaim(input)
  const id = newId(ctx.now)
  await keepNameUnique(() =>
    store.insertClaim(ctx.tx, { ...valuesOf(input), realm_id: ctx.realmId, id, created_at: ctx.now }),
  )
  await raiseRealmVersion(ctx)
  return (await loadClaim(ctx, id, false)).record
}

export async function replaceClaim(ctx: Context, before: Claim, input: ClaimInput): Promise<Claim> {
  checkClaim(input)
  await keepNameUnique(() => store.updateClaim(ctx.tx, ctx.realmId, before.claimId, valuesOf(input)))
  await raiseRealmVersion(ctx)
  return (await loadClaim(ctx, before.claimId, false)).record
}

/** The scopes that had it go on without it. */
export async function deleteClaim(ctx: Context, claim: Claim): Promise<void> {
  await store.raiseScopeVersions(ctx.tx, ctx.realmId, claim.claimId)
  await store.deleteClaimRow(ctx.tx, ctx.realmId, claim.claimId)
  await raiseRealmVersion(ctx)
}

/** Puts mappers of a seed in place and says under which ids; those whose name is taken stay as they are. */
export async function seedClaims(ctx: Context, inputs: ClaimInput[]): Promise<Map<string, string>> {
  const rows = inputs.map((input) => ({
    ...valuesOf(input),
    realm_id: ctx.realmId,
    id: newId(ctx.now),
    created_at: ctx.now,
  }))
  const inserted = await store.insertNewClaims(ctx.tx, rows)
  const all = inserted.length === rows.length ? inserted : await store.selectClaimIds(ctx.tx, ctx.realmId)
  return new Map(all.map(({ id, name }) => [name, id]))
}

/** Every mapper of a realm by its id, for the realm's snapshot. */
export async function readRealmClaims(db: Executor, realmId: string): Promise<Map<string, ClaimMapper>> {
  const rows = await store.selectClaims(db, realmId, { offset: 0, limit: maxClaims, after: null })
  return new Map(
    rows.map((row) => {
      const { realmId: _realm, claimId, ...mapper } = toClaim(realmId, row)
      return [claimId, mapper]
    }),
  )
}

/** The constraint has the word, whatever else writes mappers at this moment. */
async function keepNameUnique(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (brokenUnique(error) !== null) throw conflictError('name', 'Another claim mapper of the realm has this name.')
    throw error
  }
}

function valuesOf(input: ClaimInput): store.ClaimValues {
  return {
    name: input.name,
    claim: input.claim,
    source: input.source,
    source_key: input.sourceKey,
    value: input.value,
    type: input.type,
    multivalued: input.multivalued,
    in_id_token: input.inIdToken,
    in_access_token: input.inAccessToken,
    in_userinfo: input.inUserinfo,
    in_introspection: input.inIntrospection,
    in_saml: input.inSaml,
  }
}

function toClaim(realmId: string, row: store.ClaimRow): Claim {
  return {
    realmId,
    claimId: row.id,
    name: row.name,
    claim: row.claim,
    source: row.source as Claim['source'],
    sourceKey: row.source_key,
    value: row.value,
    type: row.type as Claim['type'],
    multivalued: row.multivalued,
    inIdToken: row.in_id_token,
    inAccessToken: row.in_access_token,
    inUserinfo: row.in_userinfo,
    inIntrospection: row.in_introspection,
    inSaml: row.in_saml,
  }
}
