import { type RawBuilder, sql } from 'kysely'
import type { Sealer } from '../crypto/index.ts'
import type { Database } from './connection.ts'

/** A column whose values are sealed, and the place each value is bound to. */
export interface SealedColumn {
  table: string
  column: string
  /** The primary key, which `place` is made of. */
  key: string[]
  place(key: Record<string, string | Buffer>): string
}

// Small steps: the service goes on serving while values are sealed anew.
const batch = 500

/**
 * Seals every value of a column with the first key of the ring that an older key sealed, so that the older key can be taken out
 * of the ring. May be stopped and started again at any time.
 */
export async function resealColumn(db: Database, sealer: Sealer, target: SealedColumn): Promise<number> {
  const key = sql.join(target.key.map((name) => sql.ref(name)))
  let after: unknown[] | null = null
  let resealed = 0
  for (;;) {
    const beyond: RawBuilder<unknown> = after === null ? sql`true` : sql`(${key}) > (${sql.join(after)})`
    const { rows } = await sql<Record<string, string | Buffer>>`
      select ${key}, ${sql.ref(target.column)} as sealed from ${sql.table(target.table)}
      where ${sql.ref(target.column)} is not null and ${beyond} order by ${key} limit ${batch}`.execute(db)
    for (const row of rows) {
      const sealed = row.sealed as Buffer
      if (sealer.isStale(sealed)) resealed += await resealRow(db, sealer, target, row, sealed)
    }
    const last = rows.at(-1)
    if (!last || rows.length < batch) return resealed
    after = target.key.map((name): unknown => last[name])
  }
}

async function resealRow(
  db: Database,
  sealer: Sealer,
  target: SealedColumn,
  row: Record<string, string | Buffer>,
  sealed: Buffer,
): Promise<number> {
  const place = target.place(row)
  const fresh = sealer.seal(sealer.open(sealed, place), place)
  const match = sql.join(
    target.key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  )
  // Only if nobody changed the value meanwhile: a new one is sealed with the new key already.
  const result = await sql`update ${sql.table(target.table)} set ${sql.ref(target.column)} = ${fresh}
    where ${match} and ${sql.ref(target.column)} = ${sealed}`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
