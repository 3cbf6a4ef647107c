// Starting and stopping one server process: finding its binary, dropping root, waiting until it answers.
// Plain JavaScript, so that scripts can use it before anything is built, on any Node from version 20.
// Called by postgres.mjs, redis.mjs and pgbouncer.mjs only.
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, chownSync, closeSync, constants, existsSync, openSync, readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

// A cold start of PostgreSQL on a busy two-core machine was seen to take 6 seconds.
const readyTimeoutMs = 60_000

// PostgreSQL needs a moment for its shutdown checkpoint; after this the process is killed.
const stopTimeoutMs = 15_000

/** @returns {Promise<number>} a TCP port that was free on the loopback a moment ago */
export function findSparePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address())
      probe.close(() => resolve(port))
    })
  })
}

/**
 * Debian keeps PostgreSQL's binaries out of PATH, one folder per major version: the newest comes first.
 * @returns {string[]}
 */
function listBinaryDirs() {
  const packaged = '/usr/lib/postgresql'
  const versions = existsSync(packaged) ? readdirSync(packaged).sort((a, b) => Number(b) - Number(a)) : []
  const path = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return [
    ...versions.map((version) => join(packaged, version, 'bin')),
    ...path,
    '/usr/local/sbin',
    '/usr/sbin',
    '/sbin',
  ]
}

/** @param {string} name */
export function findBinary(name) {
  for (const dir of listBinaryDirs()) {
    const file = join(dir, name)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // Not in this folder: the next one is tried.
    }
  }
  throw new Error(`${name} is not installed: install PostgreSQL 15 or newer, redis-server and pgbouncer (see .ci/run)`)
}

const isRoot = process.getuid?.() === 0

/** @returns {{uid: number, gid: number} | null} whom to become: PostgreSQL and PgBouncer refuse to run as root */
function findServiceUser() {
  if (!isRoot) return null
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'))
  if (!line) throw new Error('running as root needs a system user named postgres')
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

/** @param {string} path */
export function giveToServiceUser(path) {
  const user = findServiceUser()
  if (user) chownSync(path, user.uid, user.gid)
}

/**
 * Wraps a command so that it runs without root and, unless it shall outlive us, dies with this process even on kill -9.
 * setpriv ends in exec: the process id stays the server's own.
 * @param {string[]} command @param {{dropRoot: boolean, outlive: boolean}} options
 */
function wrapCommand(command, { dropRoot, outlive }) {
  const user = dropRoot ? findServiceUser() : null
  const identity = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : []
  const ending = outlive || process.platform !== 'linux' ? [] : ['--pdeathsig', 'INT']
  return identity.length + ending.length > 0 ? ['setpriv', ...identity, ...ending, '--', ...command] : command
}

/** @param {string[]} command */
export function runAsServiceUser(command) {
  const [file, ...args] = wrapCommand(command, { dropRoot: true, outlive: true })
  const result = spawnSync(/** @type {string} */ (file), args, { encoding: 'utf8', cwd: '/' })
  if (result.status !== 0) throw new Error(`${command[0]} failed: ${result.stderr || result.stdout || result.error}`)
  return result.stdout
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/**
 * Ends a process by its id and waits until it is gone.
 * @param {number} pid @param {NodeJS.Signals} [signal] SIGINT is PostgreSQL's fast shutdown and ends the others too
 */
export async function stopProcess(pid, signal = 'SIGINT') {
  if (!isAlive(pid)) return
  process.kill(pid, signal)
  for (const end = Date.now() + stopTimeoutMs; Date.now() < end; await delay(20)) if (!isAlive(pid)) return
  if (isAlive(pid)) process.kill(pid, 'SIGKILL')
}

/**
 * Starts a server in its own process group (Ctrl-C at the terminal is ours to handle) and waits until it is ready.
 * @param {{name: string, command: string[], logFile: string, dropRoot: boolean, outlive: boolean,
 *   isReady: () => boolean | Promise<boolean>}} options
 * @returns {Promise<number>} the process id
 */
export async function startProcess({ name, command, logFile, dropRoot, outlive, isReady }) {
  const [file, ...args] = wrapCommand(command, { dropRoot, outlive })
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(/** @type {string} */ (file), args, { detached: true, stdio: ['ignore', log, log], cwd: '/' })
  closeSync(log)
  let ended = ''
  child.once('error', (error) => (ended = error.message))
  child.once('exit', (code, signal) => (ended ||= `ended with ${signal ?? code}`))
  child.unref()
  for (const end = Date.now() + readyTimeoutMs; Date.now() < end; await delay(25)) {
    if (ended) break
    if (await isReady()) return /** @type {number} */ (child.pid)
  }
  if (child.pid) await stopProcess(child.pid, 'SIGKILL')
  throw new Error(`${name} did not start: ${ended || 'no answer'}\n${readFileSync(logFile, 'utf8').slice(-2000)}`)
}
