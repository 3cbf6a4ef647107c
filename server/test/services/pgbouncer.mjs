// A private PgBouncer in transaction mode before a PostgreSQL, to prove that nothing in the service needs a session.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
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

// PgBouncer only lets users in whom it knows by name, even where it trusts them.
const defaultUsers = ['postgres', 'gatehouse_owner', 'gatehouse_app']

/** @param {string} binary named statements in transaction mode came with PgBouncer 1.21 */
function supportsPrepared(binary) {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(runAsServiceUser([binary, '--version'])) ?? []
  return Number(major) > 1 || Number(minor) >= 21
}

/** @param {number} port @returns {Promise<boolean>} */
function isListening(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('connect', () => socket.destroy())
    socket.once('error', () => resolve(false))
  })
}

/** @param {import('./index.mjs').PgBouncerOptions} options @returns {Promise<import('./index.mjs').PgBouncerService>} */
export async function startPgBouncer({ target, port, users = defaultUsers, poolSize = 20 }) {
  const { hostname, port: targetPort, pathname, username } = new URL(target)
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-pgbouncer-'))
  const chosenPort = port ?? (await findSparePort())
  const binary = findBinary('pgbouncer')
  const prepared = supportsPrepared(binary)
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${targetPort || 5432}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${chosenPort}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(home, 'users.txt')}`,
    'pool_mode = transaction',
    'max_client_conn = 500',
    `default_pool_size = ${poolSize}`,
    // Test databases are dropped soon after use: an idle server connection must not keep one alive for long.
    'server_idle_timeout = 5',
    ...(prepared ? ['max_prepared_statements = 200'] : []),
  ]
  writeFileSync(join(home, 'pgbouncer.ini'), `${settings.join('\n')}\n`)
  writeFileSync(join(home, 'users.txt'), users.map((user) => `"${user}" ""\n`).join(''))
  for (const path of [home, join(home, 'pgbouncer.ini'), join(home, 'users.txt')]) giveToServiceUser(path)
  const pid = await startProcess({
    name: 'PgBouncer',
    command: [binary, join(home, 'pgbouncer.ini')],
    logFile: join(home, 'log'),
    dropRoot: true,
    outlive: false,
    isReady: () => isListening(chosenPort),
  })
  return {
    url: `postgres://${username}@127.0.0.1:${chosenPort}${pathname}`,
    port: chosenPort,
    pid,
    home,
    prepared,
    async stop() {
      await stopProcess(pid)
      rmSync(home, { recursive: true, force: true })
    },
  }
}
