// `npm run bench:tokens [-- --seconds 8 --rounds 5 --realms 10000 --hot 2000 --only code,refresh --profile]`: what ours makes of
// the engine, as ratios of one run. Every contender is one server process; they are measured in turns by one load generator.
// docs/operate/performance.md explains the lines. Ends with 1 when a figure is missed.
import { parseArgs } from 'node:util'
import { startGenerator } from './generator/index.ts'
import { createReport, loadAverage, median, type Report } from './measure/report.ts'
import { buildIfStale, startBench, type Bench } from './measure/server.ts'
import type { Contender } from './tokens/contender.ts'
import { startEngine } from './tokens/engine.ts'
import { measureHeap } from './tokens/heap.ts'
import { connections, type Kind, kinds, runJob, startChains } from './tokens/jobs.ts'
import { loadOurs, startOurs } from './tokens/ours.ts'
import { measureSigning } from './tokens/signing.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '5' },
    realms: { type: 'string', default: '2' },
    hot: { type: 'string', default: '0' },
    only: { type: 'string', default: kinds.join(',') },
    profile: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const sizes = { realms: Number(values.realms), hot: Number(values.hot) }
const chosen = kinds.filter((kind) => values.only.split(',').includes(kind))
// Before the first round, so that no contender is measured while its code is compiled: some thousand requests.
const warmUpSeconds = seconds
const maxHeapKilobytes = 300
// At least this share of the bare engine's rate: in memory, and on the plain adapter for PostgreSQL.
const shares: Record<Kind, { memory?: number; postgres?: number }> = {
  client_credentials: { memory: 0.9 },
  code: { memory: 0.55, postgres: 0.9 },
  refresh: { memory: 0.55, postgres: 0.9 },
  introspection: { postgres: 0.8 },
  userinfo: { postgres: 0.8 },
  jwks: {},
}

type Rates = Record<string, { perSecond: number; processorMs: number }[]>

const generator = startGenerator()

/** By turns, so that what else the machine does hits all of them alike. */
async function measureKind(report: Report, kind: Kind, contenders: Contender[]): Promise<void> {
  for (const contender of contenders) await runJob(generator, contender, kind, warmUpSeconds)
  const rates: Rates = { signing: [] }
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) {
      const outcome = await runJob(generator, contender, kind, seconds)
      ;(rates[contender.name] ??= []).push(outcome)
    }
    if (kind === 'client_credentials') rates.signing!.push(await measureSigning(Math.min(2, seconds)))
  }
  tellRates(report, kind, rates)
}

const names: Record<string, string> = {
  memory: 'engine in memory',
  postgres: 'engine on PostgreSQL',
  signing: 'bare RS256',
}

function tellRates(report: Report, kind: Kind, rates: Rates): void {
  const middle = (name: string, figure: 'perSecond' | 'processorMs') => median(rates[name]!.map((rate) => rate[figure]))
  const ours = middle('ours', 'perSecond')
  for (const other of ['memory', 'postgres', 'signing'] as const) {
    if (!rates[other]?.length) continue
    const rate = middle(other, 'perSecond')
    const share = ours / rate
    const figure = `${ours.toFixed(0)}/s : ${rate.toFixed(0)}/s = ${share.toFixed(2)}`
    const what = `${kind}: ours : ${names[other]}`
    const least = other === 'signing' ? undefined : shares[kind][other]
    if (least === undefined) report.tell(what, figure)
    else report.check(what, figure, `>= ${least}`, share >= least)
  }
  const spent = ['ours', 'memory', 'postgres']
    .filter((name) => name in rates)
    .map((name) => middle(name, 'processorMs').toFixed(2))
  report.tell(`${kind}: processor of the server process for each`, `${spent.join(' : ')} ms`)
}

async function measureAll(report: Report, bench: Bench): Promise<void> {
  const database = await loadOurs(bench, sizes)
  const profile = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${process.cwd()}`] : []
  const ours = await startOurs(bench, database, sizes, profile)
  const engines = await bench.createDatabase('engine')
  const contenders: Contender[] = [ours]
  try {
    // A profile is of ours; what it is compared with would only take from the processor.
    if (!values.profile) contenders.push(await startEngine('memory'), await startEngine('postgres', engines.adminUrl))
    // One for every realm that is hot; more than connections in any case.
    const chains = Math.max(sizes.hot, connections * 4)
    for (const contender of contenders) await startChains(contender, chains)
    for (const kind of chosen) {
      // Access tokens of ours live five minutes; a refresh brings new ones, here as for an application.
      if (kind === 'introspection' || kind === 'userinfo') await renewTokens(ours)
      await measureKind(report, kind, contenders)
    }
    report.tell(
      'memory of our process after all this (RSS)',
      `${(ours.service.rssBytes() / 1024 / 1024).toFixed(0)} MB`,
    )
  } finally {
    for (const contender of contenders) await contender.stop()
  }
  if (sizes.hot === 0) return
  const heap = await measureHeap(bench, generator, { database, sizes, places: ours.places })
  report.check(
    `heap for each of ${sizes.hot} hot realms`,
    `${heap.toFixed(0)} KB`,
    `< ${maxHeapKilobytes} KB`,
    heap < maxHeapKilobytes,
  )
}

/** Each chain once. */
async function renewTokens(contender: Contender): Promise<void> {
  const job = {
    kind: 'refresh' as const,
    url: contender.url,
    connections,
    seconds: 3600,
    chains: contender.chains,
    once: true,
  }
  contender.chains = (await generator.run(job)).chains
}

await buildIfStale()
const bench = await startBench()
const report = createReport()
let stopping: Promise<void> | undefined
const stop = () => {
  generator.stop()
  return (stopping ??= bench.stop())
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().then(() => process.exit(130)))
try {
  const size = sizes.hot > 0 ? `${sizes.realms} realms, ${sizes.hot} of them asked` : 'one realm'
  console.log(`      ${size}; ${rounds} rounds of ${seconds} s; load average ${loadAverage()}`)
  await measureAll(report, bench)
  console.log(`      load average at the end ${loadAverage()}`)
} finally {
  await stop()
}
process.exitCode = report.lines.every((line) => line.ok) ? 0 : 1
