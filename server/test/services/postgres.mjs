// A private PostgreSQL on a spare loopback port: initdb, start, stop, remove. Needs no service manager and no root.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  findBinary,
  findSparePort,
  giveToServiceUser,
  runAsServiceUser,
  startProcess,
  stopProcess,
} from './process.mjs'

// The oldest release the service supports.
const minimumMajorVersion = 15

// Test data is thrown away: nothing is gained by waiting for a disk. A durable server keeps the safe defaults.
const carelessSettings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
]

// Room for two test workers with a pool for each node they start, and for a developer's server beside them.
const sizeSettings = ['max_connections=200', 'shared_buffers=256MB', 'autovacuum_naptime=10s']

/** @param {string} binary */
function checkVersion(binary) {
  const text = runAsServiceUser([binary, '--version'])
  const major = Number(/(\d+)(?:\.\d+|beta|rc|devel)/.exec(text)?.[1])
  if (!(major >= minimumMajorVersion))
    throw new Error(`PostgreSQL ${minimumMajorVersion} or newer is needed, found: ${text.trim()}`)
}

/** @param {string} dataDir */
function isAccepting(dataDir) {
  const pidFile = join(dataDir, 'postmaster.pid')
  return existsSync(pidFile) && readFileSync(pidFile, 'utf8').includes('ready')
}

/** @param {string} dataDir */
function initialise(dataDir) {
  // trust: only this machine's users reach the loopback, and the data is for tests and development.
  // C.UTF-8 gives the same order of text on every machine.
  const options = [
    '--auth=trust',
    '--username=postgres',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
    '--no-instructions',
  ]
  runAsServiceUser([findBinary('initdb'), '-D', dataDir, ...options])
}

/** @param {import('./index.mjs').PostgresOptions} [options] @returns {Promise<import('./index.mjs').Service>} */
export async function startPostgres({ port, dataDir, durable = false, outlive = false } = {}) {
  const home = dataDir ?? mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'))
  mkdirSync(home, { recursive: true, mode: 0o700 })
  giveToServiceUser(home)
  const binary = findBinary('postgres')
  checkVersion(binary)
  const data = join(home, 'data')
  if (!existsSync(join(data, 'PG_VERSION'))) initialise(data)
  const chosenPort = port ?? (await findSparePort())
  const settings = [
    ...sizeSettings,
    ...(durable ? [] : carelessSettings),
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${home}`,
  ]
  const pid = await startProcess({
    name: 'PostgreSQL',
    command: [binary, '-D', data, '-p', String(chosenPort), ...settings.flatMap((setting) => ['-c', setting])],
    logFile: join(home, 'log'),
    dropRoot: true,
    outlive,
    isReady: () => isAccepting(data),
  })
  return {
    url: `postgres://postgres@127.0.0.1:${chosenPort}/postgres`,
    port: chosenPort,
    pid,
    home,
    async stop() {
      await stopProcess(pid)
      if (!dataDir) rmSync(home, { recursive: true, force: true })
    },
  }
}
