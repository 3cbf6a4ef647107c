import { Agent, type buildConnector, type Dispatcher, request } from 'undici'
import { acceptedEncodings, decodeBody, readBody } from './body.ts'
import { type Dialer, dial, secure } from './dial.ts'
import { EgressError, type EgressReason } from './errors.ts'
import { judgeTarget } from './rules.ts'
import { parseUrlTarget } from './targets.ts'

export interface EgressRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  /** For the whole call, from the name lookup to the last byte. */
  timeoutMs?: number
  /** Of the answer's body, on the wire and after decompression. */
  maxBytes?: number
  signal?: AbortSignal
}

export interface EgressResponse {
  status: number
  /** Names in lower case; repeated headers are joined with a comma. */
  headers: Record<string, string>
  body: Buffer
}

export interface HttpLimits {
  connectTimeoutMs: number
  timeoutMs: number
  maxBytes: number
  socketsPerHost: number
  callsPerHost: number
}

export const defaultLimits: HttpLimits = {
  connectTimeoutMs: 2000, // contract 8.1; name lookup and TLS handshake included
  timeoutMs: 5000, // contract 8.1
  maxBytes: 256 * 1024, // contract 8.1: a hundred keys are a tenth of it
  socketsPerHost: 8, // one slow host must not collect the process's file descriptors
  callsPerHost: 64, // nor the memory of those who wait for one of its sockets
}

/** Sixteen kilobytes of headers are more than any server sends that means well. */
const maxHeaderBytes = 16 * 1024

/** Long enough for a burst of webhooks, short enough that a changed DNS answer takes effect soon. */
const keepAliveMs = 10_000

const redirects = new Set([301, 302, 303, 307, 308])

function createConnector(dialer: Dialer, ca: string[] | undefined, timeoutMs: number): buildConnector.connector {
  const open = async (options: buildConnector.Options) => {
    // `host` is the URL's own: with its port and with the brackets of IPv6.
    const parsed = parseUrlTarget(`${options.protocol}//${options.host ?? ''}/`)
    if (!parsed) throw new EgressError('bad_url')
    const { target } = parsed
    const deadlineMs = performance.now() + timeoutMs
    const socket = await dial(dialer, target, deadlineMs)
    return target.encrypted ? await secure(socket, { host: target.host, ca, alpn: ['http/1.1'] }, deadlineMs) : socket
  }
  return (options, callback) => {
    open(options).then(
      (socket) => callback(null, socket),
      (error: Error) => {
        const reason = error instanceof EgressError ? error.reason : 'network'
        callback(new EgressError(reason, { cause: error, unsent: true }), null)
      },
    )
  }
}

const reasonByCode: Record<string, EgressReason> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  UND_ERR_INVALID_ARG: 'bad_url',
}

function asEgressError(error: unknown, isLate: boolean): EgressError {
  if (error instanceof EgressError) return error
  const code = (error as { code?: unknown }).code
  const known = typeof code === 'string' ? reasonByCode[code] : undefined
  return new EgressError(known ?? (isLate ? 'timeout' : 'network'), { cause: error })
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).filter((entry) => entry[1] !== undefined)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  )
}

async function call(agent: Agent, url: URL, options: EgressRequest, limits: HttpLimits): Promise<EgressResponse> {
  const { method = 'GET', timeoutMs = limits.timeoutMs, maxBytes = limits.maxBytes } = options
  const late = AbortSignal.timeout(timeoutMs)
  const signal = options.signal ? AbortSignal.any([late, options.signal]) : late
  let answer: Dispatcher.ResponseData | undefined
  try {
    answer = await request(url, {
      dispatcher: agent,
      method,
      headers: { 'user-agent': 'gatehouse', 'accept-encoding': acceptedEncodings, ...options.headers },
      body: options.body ?? null,
      signal,
    })
    if (redirects.has(answer.statusCode)) throw new EgressError('redirect')
    const headers = flatten(answer.headers)
    const isBodiless = method === 'HEAD' || answer.statusCode === 304
    const raw = await readBody(answer.body, isBodiless ? undefined : headers['content-length'], maxBytes)
    const body = await decodeBody(raw, headers['content-encoding'], maxBytes)
    return { status: answer.statusCode, headers, body }
  } catch (error) {
    // The rest of the answer is not worth reading; closing the socket also ends a sender that never stops.
    answer?.body.on('error', () => {}).destroy()
    throw asEgressError(error, late.aborted)
  }
}

export function createHttpClient(dialer: Dialer, ca: string[] | undefined, limits: HttpLimits) {
  // An agent made here reads no proxy from the environment, whatever the process was started with.
  const agent = new Agent({
    connect: createConnector(dialer, ca, limits.connectTimeoutMs),
    connections: limits.socketsPerHost,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    headersTimeout: 0, // the timeout of the whole call covers both
    bodyTimeout: 0,
  })
  const running = new Map<string, number>()

  const fetch = async (urlText: string, options: EgressRequest = {}): Promise<EgressResponse> => {
    const parsed = parseUrlTarget(urlText)
    if (!parsed) throw new EgressError('bad_url', { unsent: true })
    const { url, target } = parsed
    // Judged here too, because a kept connection would spare the connector the question.
    const reason = judgeTarget(dialer.rules, target)
    if (reason) throw new EgressError(reason, { unsent: true })
    const count = running.get(url.origin) ?? 0
    if (count >= limits.callsPerHost) {
      throw new EgressError('network', { message: 'Too many calls to this host are waiting.', unsent: true })
    }
    running.set(url.origin, count + 1)
    try {
      return await call(agent, url, options, limits)
    } finally {
      const left = (running.get(url.origin) ?? 1) - 1
      if (left > 0) running.set(url.origin, left)
      else running.delete(url.origin)
    }
  }

  return { fetch, close: () => agent.destroy() }
}
