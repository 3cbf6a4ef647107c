import { sql } from 'kysely'
import type { Executor, Tx } from '../../platform/db/index.ts'

export interface GrantRow {
  id: string
  permissions: string[]
  version: number
}

/** In the order of the ids given. */
export async function selectGrants(db: Executor, realmId: string, ids: string[]): Promise<GrantRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('roles')
    .select(['id', 'permissions', 'version'])
    .where('realm_id', '=', realmId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function updateGrant(tx: Tx, realmId: string, id: string, permissions: string[]): Promise<void> {
  await tx
    .updateTable('roles')
    .set((eb) => ({ permissions, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}
