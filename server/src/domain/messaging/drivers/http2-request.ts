import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2'
import type { Socket } from 'node:net'
import { httpTimeoutMs } from './answers.ts'
import { DeliveryError, type HandOver } from './types.ts'

export interface Http2Answer {
  status: number
  headers: Record<string, string>
  body: string
}

export interface Http2Request {
  /** Connected and secured; it is closed in the end, whatever happens. */
  socket: Socket
  origin: string
  headers: Record<string, string>
  body: string
  beforeSending: HandOver
}

const maxAnswerBytes = 16 * 1024

/** One POST over a connection of its own. */
export async function postOverHttp2({ socket, ...request }: Http2Request): Promise<Http2Answer> {
  const session = connect(request.origin, { createConnection: () => socket })
  const { promise: failure, reject } = Promise.withResolvers<never>()
  failure.catch(() => {})
  session.on('error', reject)
  session.on('close', () => reject(new Error('The connection was closed.')))
  const timer = setTimeout(() => reject(new Error('The host did not answer in time.')), httpTimeoutMs)
  let phase: 'opening' | 'marking' | 'sending' = 'opening'
  try {
    await Promise.race([opened(session), failure])
    phase = 'marking'
    await request.beforeSending()
    phase = 'sending'
    return await Promise.race([exchange(session, request), failure])
  } catch (error) {
    throw phase === 'marking' ? error : describeFailure(error, phase === 'sending')
  } finally {
    clearTimeout(timer)
    session.destroy()
    socket.destroy()
  }
}

function opened(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve) => {
    if (session.connecting) session.once('connect', () => resolve())
    else resolve()
  })
}

function exchange(session: ClientHttp2Session, { headers, body }: Omit<Http2Request, 'socket'>): Promise<Http2Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':method': 'POST', 'content-type': 'application/json', ...headers })
    const answer: Http2Answer = { status: 0, headers: {}, body: '' }
    stream.setEncoding('utf8')
    stream.on('response', (received) => {
      answer.status = Number(received[':status'])
      answer.headers = Object.fromEntries(Object.entries(received).map(([name, value]) => [name, String(value)]))
    })
    stream.on('data', (chunk: string) => {
      answer.body += chunk
      if (answer.body.length > maxAnswerBytes) stream.destroy(new Error('The answer is larger than allowed.'))
    })
    stream.on('error', (error) => reject(asRefused(stream, error)))
    stream.on('end', () => {
      if (answer.status > 0) resolve(answer)
      else reject(new Error('The connection was closed.'))
    })
    stream.end(body)
  })
}

/** RFC 9113 8.7: a refused stream was not looked at, so it is certain that nothing was delivered. */
function asRefused(stream: ClientHttp2Stream, error: Error): Error {
  const isRefused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM
  return isRefused ? new DeliveryError('failed', 'The provider refused the request.', error) : error
}

function describeFailure(error: unknown, isSent: boolean): DeliveryError {
  if (error instanceof DeliveryError) return error
  return new DeliveryError(isSent ? 'unconfirmed' : 'failed', (error as Error).message.slice(0, 300), error)
}
