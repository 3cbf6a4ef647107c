// `node bench/audit-chain.ts [--events 50000 --rounds 5]`: what the hash chain of the audit trail costs.
// Writers with and without the summary index, and the job. The figures are processor time as the kernel counts it, of the database
// and of this process, which hardly depends on what else the machine does; all in one run on a PostgreSQL of its own.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { insertEvent } from '../server/src/domain/events/store.ts'
import { useAuditKeys } from '../server/src/domain/events/chain/audit-key.ts'
import { extendChain } from '../server/src/domain/events/chain/extend.ts'
import { chainNewEvents } from '../server/src/domain/events/chain/run.ts'
import { createSealer } from '../server/src/platform/crypto/index.ts'
import { createDatabase, type Tx } from '../server/src/platform/db/index.ts'
import { newId } from '../server/src/platform/ids/index.ts'
import { createLog } from '../server/src/platform/log/index.ts'
import { createReport, loadAverage } from './measure/report.ts'
import { readProcessorMs, startBench } from './measure/server.ts'

const { values } = parseArgs({
  options: { events: { type: 'string', default: '50000' }, rounds: { type: 'string', default: '5' } },
})
const events = Number(values.events)
const rounds = Number(values.rounds)
const realms = 20
const writers = 4
// What a run of the writers writes for one comparison.
const perRound = 5000

const bench = await startBench()
const database = await bench.createDatabase('audit_chain')
const db = createDatabase({ url: database.url, poolSize: 8, prepared: true })
const owner = new pg.Client({ connectionString: database.adminUrl })
await owner.connect()
const services = {
  db,
  sealer: createSealer(bench.masterKeys),
  clock: { now: () => Date.now() },
  log: createLog({ level: 'error' }),
}
await owner.query(
  `insert into realms (realm_id, created_at) select 'r' || n, 0 from generate_series(0, ${realms - 1}) as n(n)`,
)
const sealed = randomBytes(180)

/** The very statement of the service: the event with its share of the day's totals. */
async function writeOne(n: number): Promise<void> {
  const now = Date.now()
  await insertEvent(
    db as unknown as Tx,
    {
      ...{ realmId: `r${n % realms}`, id: newId(now), category: 'AUTHN', type: 'LOGIN_SUCCESS', outcome: 'SUCCESS' },
      ...{ actor: `user-${n % 1000}`, resourceType: null, resourceId: null, clientId: 'app', sessionId: null },
      ...{
        impersonatorId: null,
        agentId: null,
        traceId: randomBytes(16).toString('hex'),
        ipHash: sealed.subarray(0, 16),
      },
      ...{ actorKeyId: null, actorSealed: sealed, detailKeyId: null, detailSealed: null },
      ...{ day: new Date(now).toISOString().slice(0, 10), stripe: n % 16 },
    },
    [],
  )
}

// Fields of /proc/<pid>/stat behind the name: the parent, and the time of children that have ended.
const statOf = (pid: number | string) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
const ticksPerSecond = 100
const backend = await owner.query<{ pid: number }>('select pg_backend_pid() as pid')
const postmaster = statOf(backend.rows[0]!.pid)[1]!

/** Processor of the whole database: its processes that live, with what they do in the background, and those that ended. */
function databaseMs(): number {
  const living = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const spent = living.map((pid) => {
    try {
      return statOf(pid)[1] === postmaster ? readProcessorMs(Number(pid)) : 0
    } catch {
      // It ended meanwhile, and is counted with the others that did.
      return 0
    }
  })
  const ended = statOf(postmaster).slice(13, 15).map(Number)
  return spent.reduce((sum, ms) => sum + ms, 0) + ((ended[0]! + ended[1]!) * 1000) / ticksPerSecond
}

const ownMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Microseconds of the database for each event. */
async function write(count: number): Promise<number> {
  const before = databaseMs()
  let n = 0
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (n < count) await writeOne(n++)
    }),
  )
  return ((databaseMs() - before) * 1000) / count
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
const report = createReport()
const each = (micros: number) => `${micros.toFixed(0)} µs`
report.tell('load of the machine', loadAverage())

const index = 'audit_events_lately'
const indexes = {
  none: null,
  summary: `create index ${index} on audit_events using brin (id) with (pages_per_range = 32, autosummarize = on)`,
  tree: `create index ${index} on audit_events (id)`,
}
type Kind = keyof typeof indexes

async function useIndex(kind: Kind): Promise<void> {
  await owner.query(`drop index if exists ${index}`)
  const statement = indexes[kind]
  if (statement) await owner.query(statement)
}

async function compareIndexes(): Promise<void> {
  const figures: Record<Kind, number[]> = { none: [], summary: [], tree: [] }
  await write(perRound)
  for (let round = 0; round < rounds; round++) {
    for (const kind of ['none', 'summary', 'tree'] as const) {
      await useIndex(kind)
      figures[kind].push(await write(perRound))
    }
  }
  await useIndex('summary')
  const bare = median(figures.none)
  report.tell('an event written, without the index', each(bare))
  const ratio = median(figures.summary) / bare
  report.check(
    'with the summary index',
    `${each(median(figures.summary))} ×${ratio.toFixed(2)}`,
    '≤ 1.05',
    ratio <= 1.05,
  )
  report.tell(
    'with a tree over ids instead',
    `${each(median(figures.tree))} ×${(median(figures.tree) / bare).toFixed(2)}`,
  )
}

async function chainAll(): Promise<void> {
  const { rows } = await owner.query<{ count: number }>('select count(*)::int from audit_events')
  await write(Math.max(0, events - rows[0]!.count))
  const keys = await useAuditKeys(services)
  const [started, database, own] = [performance.now(), databaseMs(), ownMs()]
  let chained = 0
  for (let realm = 0; realm < realms; realm++) {
    for (let outcome = 'MORE'; outcome === 'MORE'; ) {
      const extension = await extendChain(services, keys, `r${realm}`, '00000000-0000-7000-8000-000000000000')
      chained += extension.chained
      outcome = extension.outcome
    }
  }
  const [spent, spentHere] = [databaseMs() - database, ownMs() - own]
  const perEvent = ((spent + spentHere) * 1000) / chained
  report.check(`an event chained (${chained} events)`, each(perEvent), '≤ 150 µs', perEvent <= 150)
  report.tell('of that in the database', each((spent * 1000) / chained))
  report.tell(
    'on one connection',
    `${Math.round((chained * 1000) / (performance.now() - started)).toLocaleString('en')}/s`,
  )
}

/** An hour later nothing has happened for an hour. */
async function runIdle(): Promise<void> {
  const later = { ...services, clock: { now: () => Date.now() + 3_600_000 } }
  await chainNewEvents(later)
  const [database, own] = [databaseMs(), ownMs()]
  for (let i = 0; i < 100; i++) await chainNewEvents(later)
  const spent = (databaseMs() - database + ownMs() - own) / 100
  report.check('a run with nothing to do', `${spent.toFixed(1)} ms`, '≤ 10 ms', spent <= 10)
}

await compareIndexes()
await chainAll()
await runIdle()
report.tell('load of the machine', loadAverage())
await owner.end()
await db.destroy()
await bench.stop()
process.exitCode = report.lines.every(({ ok }) => ok) ? 0 : 1
