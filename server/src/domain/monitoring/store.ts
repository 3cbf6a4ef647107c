import { sql } from 'kysely'
import type { Database } from '../../platform/db/index.ts'

export async function pingDatabase(db: Database): Promise<void> {
  await sql`select 1`.execute(db)
}
