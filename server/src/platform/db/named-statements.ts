import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { Executor } from './tx.ts'
import type { DB } from './types.generated.ts'

/** What a pool offers for a statement that stands alone. */
interface QueryPool {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>
}

// The pool behind a database. A transaction is not in here: its statements belong to one connection.
const pools = new WeakMap<object, QueryPool>()

export function registerPool(db: object, pool: QueryPool): void {
  pools.set(db, pool)
}

/** Runs a compiled statement: straight on the pool where there is no transaction, which saves a third of the cost. */
export async function executeStatement<Row>(
  executor: Executor,
  compiled: CompiledQuery<Row>,
  parameters: unknown[],
): Promise<Row[]> {
  const pool = pools.get(executor)
  if (pool) return (await pool.query(compiled.sql, parameters)).rows as Row[]
  return (await executor.executeQuery<Row>({ ...compiled, parameters })).rows
}

// Text of a hot statement -> the name under which it is prepared.
const names = new Map<string, string>()

// Builds statements without a connection.
export const statementBuilder = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** From now on a statement of this text is prepared under a name. */
export function nameStatement(text: string, name: string): void {
  names.set(text, name)
}

export function statementName(text: string): string | undefined {
  return names.get(text)
}

/**
 * A statement that is built once and then run by name: half the cost of building it each time. `build` receives markers in
 * place of the parameters, so every parameter must be passed through to the statement as it is.
 */
export function prepareStatement<Row, Parameters extends unknown[]>(
  name: string,
  build: (db: Executor, ...markers: Parameters) => Compilable<Row>,
): (executor: Executor, ...parameters: Parameters) => Promise<Row[]> {
  const markers = Array.from({ length: build.length - 1 }, (_, at) => `\u0000${at}`)
  const compiled: CompiledQuery<Row> = build(statementBuilder, ...(markers as unknown as Parameters)).compile()
  const order = compiled.parameters.map((parameter) => markers.indexOf(parameter as string))
  // A constant in the statement keeps its own value; a marker takes the caller's.
  const constants = compiled.parameters
  names.set(compiled.sql, name)
  return async (executor, ...parameters) => {
    const values = order.map((at, position) => (at === -1 ? constants[position] : parameters[at]))
    return executeStatement(executor, compiled, values)
  }
}

/** The same for a statement with many parameters, which are then given as a record. */
export function prepareRecordStatement<Row, Values extends Record<string, unknown>>(
  name: string,
  fields: readonly (keyof Values & string)[],
  build: (db: Executor, markers: Values) => Compilable<Row>,
): (executor: Executor, values: Values) => Promise<Row[]> {
  const markers = Object.fromEntries(fields.map((field, at) => [field, `\u0000${at}`])) as unknown as Values
  const compiled: CompiledQuery<Row> = build(statementBuilder, markers).compile()
  const order = compiled.parameters.map((parameter) => fields.find((field) => markers[field] === parameter))
  names.set(compiled.sql, name)
  return async (executor, values) => {
    const parameters = order.map((field, at) => (field === undefined ? compiled.parameters[at] : values[field]))
    return executeStatement(executor, compiled, parameters)
  }
}
