// Hosts that do not mean well: they hang, drip, flood or cut the line, at the moment the test chooses (F21).
import { createServer, type AddressInfo, type Socket } from 'node:net'

export type Misdeed = 'hang' | 'drip' | 'flood' | 'reset'

export interface BadHost {
  port: number
  /** Bytes that were sent into the void. */
  sent(): number
  /** Connections that are open now. */
  open(): number
  stop(): Promise<void>
}

const block = Buffer.alloc(64 * 1024, 'a')
const floodBytes = 50 * 1024 * 1024

/** `until` answers like a good host would as long as it gives an answer; what it answers null to starts the misdeed. */
export async function startBadHost(
  misdeed: Misdeed,
  until: (said: string, socket: Socket) => string | null = () => null,
  greeting: string | null = null,
): Promise<BadHost> {
  const sockets = new Set<Socket>()
  const timers = new Set<NodeJS.Timeout>()
  let sent = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let isBad = false
    const doWrong = () => {
      isBad = true
      if (misdeed === 'reset') socket.resetAndDestroy()
      if (misdeed === 'drip') {
        const timer = setInterval(() => {
          sent += 1
          socket.write('2')
        }, 100)
        timers.add(timer)
        socket.on('close', () => clearInterval(timer))
      }
      if (misdeed === 'flood') flood(socket, (count) => (sent += count))
    }
    socket.on('data', (chunk) => {
      if (isBad) return
      const answer = until(chunk.toString('latin1'), socket)
      if (answer === null) doWrong()
      else if (answer !== '') socket.write(answer)
    })
    if (greeting !== null) socket.write(greeting)
    else if (misdeed !== 'hang' && until('', socket) === null) doWrong()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    port: (server.address() as AddressInfo).port,
    sent: () => sent,
    open: () => sockets.size,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function flood(socket: Socket, count: (bytes: number) => void): void {
  let left = floodBytes
  const push = () => {
    while (left > 0 && !socket.destroyed) {
      left -= block.length
      count(block.length)
      if (!socket.write(block)) return void socket.once('drain', push)
    }
  }
  push()
}
