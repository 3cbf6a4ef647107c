// `npm run services -- start|stop|status`: PostgreSQL and Redis for development and CI on spare loopback ports, without a
// service manager. The state is in .gatehouse/services.json. `start --fresh` keeps no data and waits for no disk (CI).
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isAlive, startPostgres, startRedis, stopProcess } from '../server/test/services/index.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const stateFile = join(root, '.gatehouse', 'services.json')

/** @typedef {{url: string, pid: number, home: string}} Running */
/** @typedef {{postgres: Running, redis: Running, fresh: boolean}} State */

/** Where a developer's data stays. Root's home is closed to the user postgres, so root's data lies in a common place. */
function chooseDataDir() {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 12)
  return process.getuid?.() === 0 ? `/var/tmp/gatehouse-${name}` : join(root, '.gatehouse', 'postgres')
}

/**
 * After a restart of the machine the remembered id may be another program's, which must not be stopped.
 * @param {Running} service
 */
function isRunning({ pid, url }) {
  if (!isAlive(pid)) return false
  const commandLine = `/proc/${pid}/cmdline`
  return !existsSync(commandLine) || readFileSync(commandLine, 'utf8').includes(new URL(url).port)
}

/** @returns {State | null} what runs now */
export function readServices() {
  if (!existsSync(stateFile)) return null
  const state = /** @type {State} */ (JSON.parse(readFileSync(stateFile, 'utf8')))
  return isRunning(state.postgres) && isRunning(state.redis) ? state : null
}

/** @param {{fresh?: boolean}} [options] @returns {Promise<State>} */
export async function startServices({ fresh = false } = {}) {
  const running = readServices()
  if (running) return running
  await stopServices()
  mkdirSync(join(root, '.gatehouse'), { recursive: true, mode: 0o700 })
  const postgres = await startPostgres(
    fresh ? { outlive: true } : { outlive: true, durable: true, dataDir: chooseDataDir() },
  )
  const redis = await startRedis({ outlive: true })
  const pick = (/** @type {Running} */ { url, pid, home }) => ({ url, pid, home })
  const state = { postgres: pick(postgres), redis: pick(redis), fresh }
  writeFileSync(stateFile, `${JSON.stringify(state, null, 2)}\n`)
  return state
}

export async function stopServices() {
  if (!existsSync(stateFile)) return
  const { postgres, redis, fresh } = /** @type {State} */ (JSON.parse(readFileSync(stateFile, 'utf8')))
  if (isRunning(postgres)) await stopProcess(postgres.pid)
  if (isRunning(redis)) await stopProcess(redis.pid, 'SIGTERM')
  rmSync(redis.home, { recursive: true, force: true })
  if (fresh) rmSync(postgres.home, { recursive: true, force: true })
  rmSync(stateFile)
}

async function main() {
  const [command, ...flags] = process.argv.slice(2)
  if (command === 'start')
    console.log(JSON.stringify(await startServices({ fresh: flags.includes('--fresh') }), null, 2))
  else if (command === 'stop') await stopServices()
  else if (command === 'status') console.log(JSON.stringify(readServices() ?? 'nothing runs', null, 2))
  else throw new Error('usage: services.mjs start [--fresh] | stop | status')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
