// `npm run bench:scale [-- --short]`: loads the sizes of architecture 7 into a PostgreSQL of its own, runs the built service on
// them and prints what it measured beside what it must be. Ends with 1 when a figure is missed.
// docs/operate/performance.md explains the lines.
import { setTimeout as sleep } from 'node:timers/promises'
import { fullSizes, loadScale, scalePassword, shortSizes, systemRealm } from './load/index.ts'
import { connectAdmin } from './measure/client.ts'
import { measureEventLists, measureUserLists } from './measure/lists.ts'
import { measureRealmCost, measureRealmCreation } from './measure/realm-cost.ts'
import { createReport, loadAverage, median, type Report } from './measure/report.ts'
import { type Bench, type BenchDatabase, buildIfStale, startBench } from './measure/server.ts'
import { measureSignIns } from './measure/sign-ins.ts'

const short = process.argv.includes('--short')
const sizes = short ? shortSizes : fullSizes
const effort = short
  ? { rounds: 30, pairs: 300, made: 100, starts: 3, phaseMs: 4000, phases: 3 }
  : { rounds: 60, pairs: 1000, made: 1000, starts: 5, phaseMs: 10_000, phases: 5 }

const maxReadyMs = 2000
const maxRssBytes = 250 * 1024 * 1024
// Garbage of the start is collected by then.
const idleMs = 5000

async function measureReady(report: Report, bench: Bench, what: string, database: BenchDatabase): Promise<void> {
  const times: number[] = []
  for (let start = 0; start < effort.starts; start++) {
    const service = await bench.startService(database)
    times.push(service.readyMs)
    await service.stop()
  }
  const figure = `${(median(times) / 1000).toFixed(2)} s, at most ${(Math.max(...times) / 1000).toFixed(2)} s`
  report.check(`ready with ${what}`, figure, `< ${maxReadyMs / 1000} s`, median(times) < maxReadyMs)
}

async function load(bench: Bench): Promise<{ one: BenchDatabase; many: BenchDatabase }> {
  const one = await bench.createDatabase('one')
  const { masterKeys } = bench
  await loadScale({ adminUrl: one.adminUrl, sizes: { realms: 2, users: 0, events: 0 }, masterKeys })
  const many = await bench.createDatabase('many')
  const start = performance.now()
  await loadScale({ adminUrl: many.adminUrl, sizes, masterKeys, log: (line) => console.log(`      ${line}`) })
  console.log(`      loaded in ${((performance.now() - start) / 1000).toFixed(0)} s`)
  return { one, many }
}

async function measureAll(report: Report, bench: Bench): Promise<void> {
  const { one, many } = await load(bench)
  await measureReady(report, bench, '1 realm beside the system realm', one)
  await measureReady(report, bench, `${sizes.realms} realms`, many)
  const services = { one: await bench.startService(one), many: await bench.startService(many) }
  await sleep(idleMs)
  const rss = services.many.rssBytes()
  const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`
  report.check('memory of one idle process (RSS)', mebibytes(rss), `< ${mebibytes(maxRssBytes)}`, rss < maxRssBytes)
  const clients = {
    one: await connectAdmin(services.one.url, systemRealm, scalePassword),
    many: await connectAdmin(services.many.url, systemRealm, scalePassword),
  }
  await measureRealmCost(report, clients, { realms: sizes.realms, rounds: effort.pairs })
  await clients.one.close()
  await services.one.stop()
  const run = { client: clients.many, report, rounds: effort.rounds }
  await measureUserLists(run, sizes.users)
  await measureEventLists(run, sizes.events)
  const { phaseMs, phases } = effort
  await measureSignIns(report, { url: services.many.url, admin: clients.many, users: sizes.users, phaseMs, phases })
  await measureRealmCreation(report, clients.many, effort.made)
  report.tell('memory of the process after all this (RSS)', mebibytes(services.many.rssBytes()))
  await clients.many.close()
}

await buildIfStale()
const bench = await startBench()
let stopping: Promise<void> | undefined
const stop = () => (stopping ??= bench.stop())
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().then(() => process.exit(130)))
const report = createReport()
try {
  console.log(
    `      ${sizes.realms} realms, ${sizes.users} users, ${sizes.events} events; load average ${loadAverage()}`,
  )
  await measureAll(report, bench)
  console.log(`      load average at the end ${loadAverage()}`)
} finally {
  await stop()
}
const missed = report.lines.filter((line) => !line.ok)
console.log(missed.length === 0 ? 'every figure is reached' : `missed: ${missed.map((line) => line.what).join('; ')}`)
process.exitCode = missed.length === 0 ? 0 : 1
