import type { Config } from '../platform/config/index.ts'
import { createSealer } from '../platform/crypto/index.ts'
import { createDatabase, resealColumn } from '../platform/db/index.ts'
import { contributions } from './module-list.ts'

/** `gatehouse reseal`: the second half of a master key rotation. Nodes with both keys go on serving meanwhile. */
export async function runReseal(config: Config, print: (line: string) => void): Promise<number> {
  const db = createDatabase({ url: config.databaseAdminUrl, poolSize: 2, prepared: false })
  const sealer = createSealer(config.masterKeys)
  try {
    for (const column of contributions.flatMap((contribution) => contribution.sealed ?? [])) {
      const count = await resealColumn(db, sealer, column)
      print(`${column.table}.${column.column}: ${count} sealed anew`)
    }
    return 0
  } finally {
    await db.destroy()
  }
}
