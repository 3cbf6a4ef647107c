import type { Executor, Tx } from '../../platform/db/index.ts'

export interface ClaimValues {
  name: string
  claim: string
  source: string
  source_key: string | null
  value: unknown
  type: string
  multivalued: boolean
  in_id_token: boolean
  in_access_token: boolean
  in_userinfo: boolean
  in_introspection: boolean
  in_saml: boolean
}

export interface ClaimRow extends ClaimValues {
  id: string
  version: number
}

const columns = [
  ...(['id', 'name', 'claim', 'source', 'source_key', 'value', 'type', 'multivalued'] as const),
  ...(['in_id_token', 'in_access_token', 'in_userinfo', 'in_introspection', 'in_saml'] as const),
  'version',
] as const

/** Makes writers of the realm's configuration wait for one another; taken first by everybody, so nobody waits in a circle. */
export async function lockRealm(tx: Tx, realmId: string): Promise<void> {
  await tx.selectFrom('realms').select('realm_id').where('realm_id', '=', realmId).forNoKeyUpdate().execute()
}

export async function selectClaim(db: Executor, realmId: string, id: string): Promise<ClaimRow | null> {
  const row = await db
    .selectFrom('claims')
    .select(columns)
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** A page in the order of the name, with one row more than asked for. */
export async function selectClaims(
  db: Executor,
  realmId: string,
  page: { offset: number; limit: number; after: string | null },
): Promise<ClaimRow[]> {
  let query = db.selectFrom('claims').select(columns).where('realm_id', '=', realmId)
  if (page.after !== null) {
    query = query.where('name', '>', (eb) =>
      eb
        .selectFrom('claims as cursor')
        .select('cursor.name')
        .where('cursor.realm_id', '=', realmId)
        .where('cursor.id', '=', page.after),
    )
  }
  return query
    .orderBy('name')
    .limit(page.limit + 1)
    .offset(page.after === null ? page.offset : 0)
    .execute()
}

export async function countClaims(db: Executor, realmId: string, upTo: number): Promise<number> {
  const row = await db
    .selectFrom(db.selectFrom('claims').select('id').where('realm_id', '=', realmId).limit(upTo).as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}

type Inserted = ClaimValues & { realm_id: string; id: string; created_at: number }

// The driver would write a text as it is, and a text is no JSON.
const asJson = <Values extends { value: unknown }>(values: Values) => ({
  ...values,
  value: values.value === null ? null : JSON.stringify(values.value),
})

export async function insertClaim(tx: Tx, claim: Inserted): Promise<void> {
  await tx.insertInto('claims').values(asJson(claim)).execute()
}

/** Many at once; a name that is there already is left as it is. */
export async function insertNewClaims(tx: Tx, claims: Inserted[]): Promise<{ id: string; name: string }[]> {
  return tx
    .insertInto('claims')
    .values(claims.map(asJson))
    .onConflict((conflict) => conflict.columns(['realm_id', 'name']).doNothing())
    .returning(['id', 'name'])
    .execute()
}

export async function selectClaimIds(db: Executor, realmId: string): Promise<{ id: string; name: string }[]> {
  return db.selectFrom('claims').select(['id', 'name']).where('realm_id', '=', realmId).execute()
}

export async function updateClaim(tx: Tx, realmId: string, id: string, values: ClaimValues): Promise<void> {
  await tx
    .updateTable('claims')
    .set((eb) => ({ ...asJson(values), version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

/** The scopes that have the claim show its id, so they are about to change with it. */
export async function raiseScopeVersions(tx: Tx, realmId: string, claimId: string): Promise<void> {
  await tx
    .updateTable('client_scopes')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('client_scope_claims')
        .select('scope_id')
        .where('client_scope_claims.realm_id', '=', realmId)
        .where('claim_id', '=', claimId),
    )
    .execute()
}

export async function deleteClaimRow(tx: Tx, realmId: string, id: string): Promise<void> {
  await tx.deleteFrom('claims').where('realm_id', '=', realmId).where('id', '=', id).execute()
}
