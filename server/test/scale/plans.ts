// Watches which statements the service sends, and asks PostgreSQL how many rows each of them reads.
// Architecture 7: a list reads what it skips and shows, never more, whatever the size of the realm.
// Called by the tests of this folder.
import pg from 'pg'

export interface Statement {
  text: string
  values: unknown[]
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

export interface ReadCost {
  /** Rows touched in each table, partitions of the audit trail added up. */
  rows: Map<string, number>
  /** Tables that were read from end to end and had rows. */
  wholeScans: string[]
}

/** Runs the work and returns the statements that were sent meanwhile on any connection of this process. */
export async function watchStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = []
  const client = pg.Client.prototype as unknown as { query(...args: unknown[]): unknown }
  const original = client.query
  client.query = function (this: unknown, ...args: unknown[]) {
    const [first, second] = args
    if (typeof first === 'string') seen.push({ text: first, values: Array.isArray(second) ? second : [] })
    else if (first && typeof (first as Statement).text === 'string')
      seen.push({ text: (first as Statement).text, values: (first as Statement).values ?? [] })
    return original.apply(this, args)
  }
  try {
    await work()
  } finally {
    client.query = original
  }
  return seen.filter(({ text }) => /^\s*(select|with)\b/i.test(text))
}

const tableOf = (relation: string) => (relation.startsWith('audit_events') ? 'audit_events' : relation)

export async function measurePlan(
  client: pg.Client,
  { text, values }: Statement,
): Promise<ReadCost & { plan: string }> {
  const { rows } = await client.query(`explain (analyze, timing off, format json) ${text}`, values)
  const cost: ReadCost = { rows: new Map(), wholeScans: [] }
  const root = rows[0]['QUERY PLAN'][0].Plan as PlanNode
  addNode(cost, root)
  return { ...cost, plan: JSON.stringify(root, null, 1) }
}

function addNode(cost: ReadCost, node: PlanNode): void {
  const relation = node['Relation Name']
  if (relation) {
    const each =
      node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    const read = each * node['Actual Loops']
    const table = tableOf(relation)
    cost.rows.set(table, (cost.rows.get(table) ?? 0) + read)
    if (node['Node Type'] === 'Seq Scan' && read > 0) cost.wholeScans.push(table)
  }
  for (const child of node.Plans ?? []) addNode(cost, child)
}
