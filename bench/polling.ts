// `npm run bench:polling [-- --devices 10000 --seconds 30]`: what devices cost that wait for somebody and ask every 5 seconds.
// The figure is processor of the service and of PostgreSQL together, which hardly depends on what else the machine does.
// docs/operate/performance.md explains the lines. Ends with 1 when a figure is missed.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startGenerator } from './generator/index.ts'
import { loadScale, scalePassword, shortSizes, systemRealm } from './load/index.ts'
import { connectAdmin } from './measure/client.ts'
import { openPlainConnection, plainRequest } from './measure/plain-connection.ts'
import { createReport, loadAverage, ms } from './measure/report.ts'
import { buildIfStale, readProcessorMs, startBench } from './measure/server.ts'

const { values } = parseArgs({
  options: { devices: { type: 'string', default: '10000' }, seconds: { type: 'string', default: '30' } },
})
const devices = Number(values.devices)
const seconds = Number(values.seconds)
// RFC 8628: what every device is told.
const intervalSeconds = 5
const connections = 64
const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
const clientId = 'bench-device'

/** Processor of all processes of the PostgreSQL that serves this database. */
async function findPostgres(adminUrl: string): Promise<() => number> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = parentOf(rows[0]!.pid)
  await client.end()
  return () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === postmaster)
      .reduce((sum, name) => sum + readOrZero(() => readProcessorMs(Number(name))), 0)
}

function parentOf(pid: number): number {
  return readOrZero(() => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1]))
}

/** A process may end between being listed and being read. */
function readOrZero(read: () => number): number {
  try {
    return read()
  } catch {
    return 0
  }
}

async function beginDevices(url: string): Promise<string[]> {
  const path = `/realms/${systemRealm}`
  const begin = Buffer.from(plainRequest(`${path}/device_authorization`, {}, { client_id: clientId, scope: 'openid' }))
  const polls: string[] = []
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      const connection = await openPlainConnection(url)
      while (polls.length < devices) {
        const answer = await connection.send(begin)
        const { device_code: code } = JSON.parse(answer.text) as { device_code?: string }
        if (!code) throw new Error(answer.text)
        const form = { grant_type: grantType, client_id: clientId, device_code: code }
        polls.push(plainRequest(`${path}/token`, {}, form))
      }
      connection.close()
    }),
  )
  return polls.slice(0, devices)
}

await buildIfStale()
const bench = await startBench()
const report = createReport()
const generator = startGenerator()
try {
  console.log(`      load average ${loadAverage()}`)
  const database = await bench.createDatabase('many')
  await loadScale({
    adminUrl: database.adminUrl,
    sizes: { ...shortSizes, realms: 2, events: 1000 },
    masterKeys: bench.masterKeys,
  })
  const service = await bench.startService(database)
  const admin = await connectAdmin(service.url, systemRealm, scalePassword)
  const client = { clientId, publicClient: true, redirectUris: [], grantTypes: ['device'] }
  const made = await admin.send('POST', `/admin/realms/${systemRealm}/clients`, client)
  if (made.status !== 201) throw new Error(made.text)
  const requests = await beginDevices(service.url)
  const perSecond = devices / intervalSeconds
  const load = { kind: 'list' as const, url: service.url, connections, requests, status: 400, perSecond }
  const job = { ...load, mustContain: 'authorization_pending' }
  // While its code is compiled the service falls behind and then catches up, which looks like impatience.
  await generator.run({ ...load, seconds: 2 * intervalSeconds })
  await sleep(intervalSeconds * 1000)
  const postgresMs = await findPostgres(database.adminUrl)
  const before = { service: readProcessorMs(service.pid), postgres: postgresMs(), at: performance.now() }
  const outcome = await generator.run({ ...job, seconds })
  const elapsed = performance.now() - before.at
  const cores = {
    service: (readProcessorMs(service.pid) - before.service) / elapsed,
    postgres: (postgresMs() - before.postgres) / elapsed,
  }
  // What was not asked was not answered: the figure below counts only if all of them were.
  const share = outcome.perSecond / perSecond
  report.check('polls', `${outcome.perSecond.toFixed(0)}/s of ${perSecond.toFixed(0)}/s`, '>= 0.98', share >= 0.98)
  report.tell('answer', `p50 ${ms(outcome.p50)}, p99 ${ms(outcome.p99)}`)
  report.tell('cores of the service', cores.service.toFixed(2))
  report.tell('cores of PostgreSQL', cores.postgres.toFixed(2))
  const total = cores.service + cores.postgres
  report.check(`${devices} devices that poll every ${intervalSeconds} s`, `${total.toFixed(2)} cores`, '< 1', total < 1)
  await admin.close()
} finally {
  generator.stop()
  await bench.stop()
}
process.exitCode = report.lines.every((line) => line.ok) ? 0 : 1
