import { connect, type Socket } from 'node:net'

export interface PlainAnswer {
  status: number
  /** The status line and the header lines as they came. */
  head: string
  text: string
}

/**
 * One connection that sends requests it is given as bytes and reads the answers. An HTTP client with all its comforts takes
 * half a millisecond of processor for each request, which would be counted against the service.
 */
export interface PlainConnection {
  send(request: Buffer): Promise<PlainAnswer>
  close(): void
}

export async function openPlainConnection(url: string): Promise<PlainConnection> {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let received: Buffer = Buffer.alloc(0)
  let settle: { resolve(answer: PlainAnswer): void; reject(error: Error): void } | null = null
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const answer = readAnswer(received)
    if (!answer) return
    received = Buffer.alloc(0)
    settle?.resolve(answer)
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

/** Null until all of it is there: its length is told ahead, or it comes in chunks. */
function readAnswer(received: Buffer): PlainAnswer | null {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = received.toString('latin1', 0, headEnd)
  const status = Number(head.slice(9, 12))
  const isChunked = /\r\ntransfer-encoding: chunked/i.test(head)
  if (isChunked) {
    const text = readChunks(received, headEnd + 4)
    return text === null ? null : { status, head, text }
  }
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (received.length < headEnd + 4 + length) return null
  return { status, head, text: received.toString('utf8', headEnd + 4) }
}

function readChunks(received: Buffer, start: number): string | null {
  const parts: Buffer[] = []
  for (let at = start; ; ) {
    const lineEnd = received.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(received.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size + 2
    if (received.length < end) return null
    if (size === 0) return Buffer.concat(parts).toString('utf8')
    parts.push(received.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = end
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

/** A request as it travels: a GET, or a POST of a form. */
export function plainRequest(path: string, headers: Record<string, string>, form?: Record<string, string>): string {
  const body = form ? new URLSearchParams(form).toString() : null
  const lines = Object.entries({
    host: '127.0.0.1',
    ...headers,
    ...(body === null
      ? {}
      : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(Buffer.byteLength(body)) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${body === null ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}
