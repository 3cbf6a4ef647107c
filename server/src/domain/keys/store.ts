import type { Executor, Tx } from '../../platform/db/index.ts'

export interface PublicKeyRow {
  id: string
  size: number
  public_key: string
  certificate: string
  created_at: number
  rotated_at: number | null
  version: number
}

const publicColumns = ['id', 'size', 'public_key', 'certificate', 'created_at', 'rotated_at', 'version'] as const

/**
 * Makes rotations and deletions of one realm wait for one another. Taken before any row of a key, by everybody, so that two
 * writers never hold what the other one needs.
 */
export async function lockKeys(tx: Tx, realmId: string): Promise<void> {
  await tx.selectFrom('realms').select('realm_id').where('realm_id', '=', realmId).forNoKeyUpdate().execute()
}

export async function selectKey(db: Executor, realmId: string, id: string): Promise<PublicKeyRow | null> {
  const row = await db
    .selectFrom('realm_keys')
    .select(publicColumns)
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Newest first: no two keys of a realm are made in the same millisecond. One row more than asked for. */
export async function selectKeys(
  db: Executor,
  realmId: string,
  page: { offset: number; limit: number; after: string | null },
): Promise<PublicKeyRow[]> {
  let query = db.selectFrom('realm_keys').select(publicColumns).where('realm_id', '=', realmId)
  if (page.after !== null) {
    query = query.where('created_at', '<', (eb) =>
      eb
        .selectFrom('realm_keys as cursor')
        .select('cursor.created_at')
        .where('cursor.realm_id', '=', realmId)
        .where('cursor.id', '=', page.after),
    )
  }
  return query
    .orderBy('created_at', 'desc')
    .limit(page.limit + 1)
    .offset(page.after === null ? page.offset : 0)
    .execute()
}

export async function countKeys(db: Executor, realmId: string): Promise<number> {
  const row = await db
    .selectFrom('realm_keys')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('realm_id', '=', realmId)
    .executeTakeFirstOrThrow()
  return row.total
}

/** The one key that signs, with its sealed private half. */
export async function selectActiveKey(db: Executor, realmId: string) {
  const row = await db
    .selectFrom('realm_keys')
    .select([...publicColumns, 'private_key_sealed'])
    .where('realm_id', '=', realmId)
    .where('rotated_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

export interface KeyInsert {
  realm_id: string
  id: string
  size: number
  public_key: string
  certificate: string
  private_key_sealed: Buffer
  created_at: number
}

export async function insertKey(tx: Tx, key: KeyInsert): Promise<void> {
  await tx.insertInto('realm_keys').values(key).execute()
}

export async function retireKey(tx: Tx, realmId: string, id: string, rotatedAt: number): Promise<void> {
  await tx
    .updateTable('realm_keys')
    .set((eb) => ({ rotated_at: rotatedAt, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

export async function deleteKeyRow(tx: Tx, realmId: string, id: string): Promise<void> {
  await tx.deleteFrom('realm_keys').where('realm_id', '=', realmId).where('id', '=', id).execute()
}
