// A small TCP proxy that the tests put between the service and its database, to lose exactly the bytes they want lost.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** The next COMMIT reaches the server, and its answer is lost together with the connection. */
  loseNextCommit(): void
  /** Answers lost so far. */
  lost(): number
  /** Every connection breaks. */
  cut(): void
  stop(): Promise<void>
}

// A simple query is 'Q', four bytes of length, the text and a zero; the driver sends the end of a transaction that way.
const isCommit = (chunk: Buffer) => chunk[0] === 0x51 && chunk.subarray(5, -1).toString().toLowerCase() === 'commit'

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let armed = false
  let lost = 0

  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1')
    let losing = false
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', end)
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    near.on('data', (chunk) => {
      if (armed && isCommit(chunk)) {
        armed = false
        losing = true
      }
      far.write(chunk)
    })
    far.on('data', (chunk) => {
      if (!losing) return void near.write(chunk)
      // The server has answered, so the transaction is committed; nobody hears of it.
      lost++
      end()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    loseNextCommit: () => void (armed = true),
    lost: () => lost,
    cut,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
}
