import { sql } from 'kysely'
import type { Executor } from '../../../platform/db/index.ts'

/** Clients that name their own subject: there is an index of exactly these. */
export async function countOwnSubjects(db: Executor, realmId: string): Promise<number> {
  const row = await db
    .selectFrom('clients')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('realm_id', '=', realmId)
    .where(sql<boolean>`settings ? 'subjectClaim'`)
    .executeTakeFirstOrThrow()
  return row.total
}
