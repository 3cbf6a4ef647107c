import type { Executor } from '../../../platform/db/index.ts'

const keyRowName = 'audit-key'
const markRowName = 'audit-chain'

export async function readKeyRow(db: Executor): Promise<Buffer | null> {
  const row = await db.selectFrom('server_settings').select('sealed').where('name', '=', keyRowName).executeTakeFirst()
  return row?.sealed ?? null
}

/** Of two nodes that make a key at once, one wins for both. */
export async function insertKeyRow(db: Executor, sealed: Buffer): Promise<void> {
  await db
    .insertInto('server_settings')
    .values({ name: keyRowName, value: '{}', sealed })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

/** Up to when every event was looked at; null before the first time. */
export async function readChainMark(db: Executor): Promise<number | null> {
  const row = await db.selectFrom('server_settings').select('value').where('name', '=', markRowName).executeTakeFirst()
  return (row?.value as { through: number } | undefined)?.through ?? null
}

export async function writeChainMark(db: Executor, through: number): Promise<void> {
  const value = JSON.stringify({ through })
  await db
    .insertInto('server_settings')
    .values({ name: markRowName, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
