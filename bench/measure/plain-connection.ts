import { connect, type Socket } from 'node:net'

/**
 * One connection that sends requests it is given as bytes and reads answers that tell their length. An HTTP client with all
 * its comforts takes half a millisecond of processor for each request, which would be counted against the service.
 */
export interface PlainConnection {
  /** The status of the answer; the rest of it is thrown away. */
  send(request: Buffer): Promise<{ status: number; text: string }>
  close(): void
}

export async function openPlainConnection(url: string): Promise<PlainConnection> {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let received = Buffer.alloc(0)
  let settle: { resolve(answer: { status: number; text: string }): void; reject(error: Error): void } | null = null
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const headEnd = received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = received.toString('latin1', 0, headEnd)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (received.length < headEnd + 4 + length) return
    const text = received.toString('utf8', headEnd + 4)
    received = Buffer.alloc(0)
    settle?.resolve({ status: Number(head.slice(9, 12)), text })
  })
  socket.on('error', (error) => settle?.reject(error))
  socket.on('close', () => settle?.reject(new Error('the service closed the connection')))
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject }
        socket.write(request)
      }),
    close() {
      settle = null
      socket.destroy()
    },
  }
}

export function jsonRequest(path: string, headers: Record<string, string>, body: unknown): Buffer {
  const text = JSON.stringify(body)
  const lines = Object.entries({
    host: '127.0.0.1',
    ...headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
}
