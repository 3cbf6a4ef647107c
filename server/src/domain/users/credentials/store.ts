import type { Executor, Tx } from '../../../platform/db/index.ts'

export interface CredentialRow {
  id: string
  type: string
  label: string | null
  details: unknown
  created_at: number
  last_used_at: number | null
  version: number
}

// The columns with secret material are not among them, so that no record can show it by mistake.
const shownColumns = ['id', 'type', 'label', 'details', 'created_at', 'last_used_at', 'version'] as const

/** Newest first, one row more than asked for. */
export async function selectCredentials(
  db: Executor,
  realmId: string,
  userId: string,
  page: { offset: number; limit: number; after: string | null },
): Promise<CredentialRow[]> {
  let query = db
    .selectFrom('credentials')
    .select(shownColumns)
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
  if (page.after !== null) query = query.where('id', '<', page.after)
  return query
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .offset(page.after === null ? page.offset : 0)
    .execute()
}

export async function countCredentials(db: Executor, realmId: string, userId: string): Promise<number> {
  const row = await db
    .selectFrom('credentials')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.total
}

export async function selectCredential(
  db: Executor,
  realmId: string,
  userId: string,
  id: string,
): Promise<CredentialRow | null> {
  const row = await db
    .selectFrom('credentials')
    .select(shownColumns)
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function deleteCredentialRow(tx: Tx, realmId: string, userId: string, id: string): Promise<void> {
  await tx
    .deleteFrom('credentials')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('users')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .execute()
}
