// `npm run bench:peers [-- --seconds 10 --rounds 3 --only refresh,sign-in]`: Gatehouse with two processes beside Keycloak, on one
// PostgreSQL server, driven by turns with one load generator. Brings Keycloak itself the first time (KEYCLOAK_FOLDER keeps it).
// docs/operate/performance.md explains the table. Ends with 1 when a figure is missed.
import { parseArgs } from 'node:util'
import { type Outcome, startGenerator } from './generator/index.ts'
import { openPlainConnection } from './measure/plain-connection.ts'
import { createReport, loadAverage, median, ms, type Report } from './measure/report.ts'
import { type Bench, buildIfStale, startBench } from './measure/server.ts'
import { walkSignIn } from './generator/sign-in-walk.ts'
import { startGatehouse } from './peers/gatehouse.ts'
import { startKeycloak } from './peers/keycloak.ts'
import { type Kind, kinds, makeJob, type Peer } from './peers/peer.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: kinds.join(',') },
  },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const chosen = kinds.filter((kind) => values.only.split(',').includes(kind))
// A Java process needs some seconds of each kind of work until it is compiled.
const warmUpSeconds = seconds
/** How many times Keycloak's rate ours must be. */
const factors: Record<Kind, number> = {
  client_credentials: 3,
  refresh: 2,
  introspection: 1.5,
  userinfo: 1.2,
  jwks: 3,
  'sign-in': 2.5,
}

const generator = startGenerator()

async function run(peer: Peer, kind: Kind, runSeconds: number): Promise<Outcome> {
  const outcome = await generator.run(await makeJob(peer, kind, runSeconds))
  if (kind === 'refresh') peer.chains = outcome.chains
  return outcome
}

/** Everybody signs in once, so that there is a refresh token for each. */
async function startChains(peer: Peer): Promise<void> {
  const job = await makeJob(peer, 'sign-in', 0)
  if (job.kind !== 'sign-in') return
  const connection = await openPlainConnection(peer.url)
  for (const person of peer.people) {
    const tokens = await walkSignIn(connection, job, person)
    const { access_token: accessToken, refresh_token: refreshToken } = tokens
    peer.chains.push({ path: peer.paths.token, authorization: peer.web, accessToken, refreshToken })
  }
  connection.close()
}

/** By turns, so that what else the machine does hits both alike. */
async function measureKind(report: Report, kind: Kind, peers: Peer[]): Promise<void> {
  // Access tokens live five minutes at both; a short run of refreshes brings new ones.
  if (kind === 'userinfo') for (const peer of peers) await run(peer, 'refresh', 1)
  for (const peer of peers) await run(peer, kind, warmUpSeconds)
  const outcomes = new Map<Peer, Outcome[]>(peers.map((peer) => [peer, []]))
  for (let round = 0; round < rounds; round++) {
    for (const peer of peers) outcomes.get(peer)!.push(await run(peer, kind, seconds))
  }
  const [ours, theirs] = peers.map((peer) => {
    const all = outcomes.get(peer)!
    const figure = (name: 'perSecond' | 'p50' | 'p99') => median(all.map((outcome) => outcome[name]))
    const of = { rate: figure('perSecond'), p50: figure('p50'), p99: figure('p99') }
    report.tell(`${kind}: ${peer.name}`, `${of.rate.toFixed(0)}/s  p50 ${ms(of.p50)}  p99 ${ms(of.p99)}`)
    return of
  })
  const ratio = ours!.rate / theirs!.rate
  report.check(`${kind}: ratio`, ratio.toFixed(2), `>= ${factors[kind]}`, ratio >= factors[kind])
  if (kind !== 'sign-in') return
  const { p99 } = ours!
  report.check('sign-in: p99 no worse', `${ms(p99)} : ${ms(theirs!.p99)}`, '<=', p99 <= theirs!.p99)
}

const peers: Peer[] = []

async function measureAll(report: Report, bench: Bench): Promise<void> {
  peers.push(await startGatehouse(bench))
  peers.push(await startKeycloak(await bench.createEmptyDatabase('keycloak')))
  for (const peer of peers) await startChains(peer)
  for (const kind of chosen) await measureKind(report, kind, peers)
}

await buildIfStale()
const bench = await startBench()
const report = createReport()
let stopping: Promise<void> | undefined
const stopAll = async () => {
  generator.stop()
  for (const peer of peers) await peer.stop()
  await bench.stop()
}
const stop = () => (stopping ??= stopAll())
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().then(() => process.exit(130)))
try {
  console.log(`      ${rounds} rounds of ${seconds} s; load average ${loadAverage()}`)
  await measureAll(report, bench)
  console.log(`      load average at the end ${loadAverage()}`)
} finally {
  await stop()
}
process.exitCode = report.lines.every((line) => line.ok) ? 0 : 1
