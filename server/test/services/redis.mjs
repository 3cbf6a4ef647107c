// A private Redis on a spare loopback port that keeps nothing on disk: the service may lose it at any time.
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinary, findSparePort, startProcess, stopProcess } from './process.mjs'

/** @param {number} port @returns {Promise<boolean>} */
function ping(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.setTimeout(1000, () => socket.destroy())
    socket.once('data', (answer) => {
      resolve(answer.toString().startsWith('+PONG'))
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
}

/** @param {import('./index.mjs').RedisOptions} [options] @returns {Promise<import('./index.mjs').Service>} */
export async function startRedis({ port, outlive = false } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-redis-'))
  const chosenPort = port ?? (await findSparePort())
  const settings = { port: String(chosenPort), bind: '127.0.0.1', save: '', appendonly: 'no', dir: home }
  const pid = await startProcess({
    name: 'Redis',
    command: [findBinary('redis-server'), ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])],
    logFile: join(home, 'log'),
    dropRoot: false,
    outlive,
    isReady: () => ping(chosenPort),
  })
  return {
    url: `redis://127.0.0.1:${chosenPort}`,
    port: chosenPort,
    pid,
    home,
    async stop() {
      await stopProcess(pid, 'SIGTERM')
      rmSync(home, { recursive: true, force: true })
    },
  }
}
