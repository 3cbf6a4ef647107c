// PostgreSQL: the pool, transactions that retry, hot statements by name, failures told apart.
// Architecture 5; the schema is in server/migrations, its types are generated from it.
// Called by every store; nothing else builds SQL.
export { createDatabase, createPool, type Database } from './connection.ts'
export { asUnavailable, brokenUnique, isDatabaseLost, isForeignKeyBroken } from './failures.ts'
export { prepareRecordStatement, prepareStatement } from './named-statements.ts'
export { resealColumn, type SealedColumn } from './reseal.ts'
export { definePart, type PartRun, runTogether } from './together.ts'
export {
  type Executor,
  Rollback,
  runRead,
  runSingle,
  runTransaction,
  type Tx,
  type Work,
  workOnPool,
} from './tx.ts'
export type { DB } from './types.generated.ts'
