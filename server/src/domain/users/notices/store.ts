import { sql } from 'kysely'
import type { Executor } from '../../../platform/db/index.ts'

export interface ReaderRow {
  username: string
  email: string | null
  locale: string | null
  firstName: string | null
}

export async function selectReader(db: Executor, realmId: string, userId: string): Promise<ReaderRow | null> {
  const row = await db
    .selectFrom('users')
    .select(['username', 'email', 'locale', sql<string | null>`attributes->>'firstName'`.as('firstName')])
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}
