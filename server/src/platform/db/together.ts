import { createHash } from 'node:crypto'
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { executeStatement, nameStatement, statementBuilder } from './named-statements.ts'
import type { Executor } from './tx.ts'
import type { DB } from './types.generated.ts'

/** A statement that can run alone or together with others in one round trip. */
export interface Part<Values extends object, Row = unknown> {
  name: string
  fields: readonly (keyof Values & string)[]
  build(db: Executor, markers: Values): Compilable<Row>
}

/** A part with the values of this call. */
export interface PartRun<Row = unknown> {
  part: Part<never, Row>
  values: object
}

export function definePart<Values extends object, Row>(
  name: string,
  fields: readonly (keyof Values & string)[],
  build: (db: Executor, markers: Values) => Compilable<Row>,
): (values: Values) => PartRun<Row> {
  const part = { name, fields, build } as unknown as Part<never, Row>
  return (values) => ({ part, values })
}

interface Group {
  compiled: CompiledQuery
  /** For each parameter the part and field it comes from; null for a constant. */
  sources: ({ at: number; field: string } | null)[]
}

// No real value begins with it: PostgreSQL takes no NUL in a text.
const mark = '\u0000'

const groups = new Map<string, Group>()

/**
 * Runs parts as one statement and returns the rows of the last. They all see the data as it was before the first of them, in no
 * order, so none may depend on what another writes. Worth it where round trips are most of the cost.
 */
export async function runTogether<Row>(
  executor: Executor,
  runs: readonly [...PartRun[], PartRun<Row>],
): Promise<Row[]> {
  const key = runs.map(({ part }) => part.name).join('+')
  let group = groups.get(key)
  if (!group) {
    group = compileGroup(key, runs)
    groups.set(key, group)
  }
  const { compiled, sources } = group
  const parameters = sources.map((source, position) =>
    source ? (runs[source.at]!.values as Record<string, unknown>)[source.field] : compiled.parameters[position],
  )
  return executeStatement(executor, compiled as CompiledQuery<Row>, parameters)
}

// PostgreSQL cuts longer names off, and two that begin alike would then be one.
const maxNameLength = 63
const kept = 40

function shortName(key: string): string {
  if (key.length <= maxNameLength) return key
  return `${key.slice(0, kept)}:${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
}

function compileGroup(key: string, runs: readonly PartRun[]): Group {
  const markersOf = (at: number) =>
    Object.fromEntries(runs[at]!.part.fields.map((field) => [field, `${mark}${at}:${String(field)}`]))
  const last = runs.length - 1
  let db = statementBuilder as Kysely<DB>
  for (let at = 0; at < last; at++) {
    const { part } = runs[at]!
    // A query creator offers what a database does for building; the types of what it returns are of no use here.
    db = db.with(
      `part_${at}`,
      (qb) => part.build(qb as never, markersOf(at) as never) as never,
    ) as unknown as Kysely<DB>
  }
  const compiled = runs[last]!.part.build(db, markersOf(last) as never).compile()
  nameStatement(compiled.sql, shortName(key))
  const sources = compiled.parameters.map((parameter) => {
    const match =
      typeof parameter === 'string' && parameter.startsWith(mark) ? /^(\d+):(.+)$/.exec(parameter.slice(1)) : null
    return match ? { at: Number(match[1]), field: match[2]! } : null
  })
  return { compiled, sources }
}
