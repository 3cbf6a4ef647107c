import type { JSONWebKeySet } from 'jose'
import type { Json } from './decode.ts'

/** An answer that says why nothing can be read from there. */
export class RemoteError extends Error {}

// Whoever approves a device reads this as what the device calls itself.
const userAgent = 'Gatehouse command line'

// A person waits; a discovery document and a key set are some kilobytes.
const timeoutMs = 5000
const maxBytes = 1024 * 1024

export interface RemoteAnswer {
  status: number
  body: Json
  /** The server's clock, if it tells. */
  date: number | null
}

export function parseWebAddress(text: string): URL | null {
  const url = URL.parse(text)
  return url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password ? url : null
}

/** Reads a JSON answer. Redirects are not followed: what is sent must not end up at another host. */
export async function fetchJson(url: URL, init: RequestInit = {}): Promise<RemoteAnswer> {
  let answer: Response
  try {
    answer = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json', 'user-agent': userAgent, ...(init.headers as Record<string, string>) },
    })
  } catch (error) {
    throw new RemoteError(`${url.href} cannot be reached: ${reasonOf(error)}`)
  }
  if (answer.status >= 300 && answer.status < 400) {
    await answer.body?.cancel()
    throw new RemoteError(
      `${url.href} redirects to ${answer.headers.get('location') ?? 'nowhere'}, which is not followed`,
    )
  }
  const text = await readBounded(answer, url)
  const date = Date.parse(answer.headers.get('date') ?? '')
  return { status: answer.status, body: parseObject(text, url, answer.status), date: Number.isNaN(date) ? null : date }
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } }
  if (name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`
  return cause?.code ?? cause?.message ?? message
}

async function readBounded(answer: Response, url: URL): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of answer.body ?? []) {
      size += (chunk as Uint8Array).length
      if (size > maxBytes) throw new RemoteError(`${url.href} answers with more than ${maxBytes / 1024} KiB`)
      chunks.push(chunk as Uint8Array)
    }
  } catch (error) {
    if (error instanceof RemoteError) throw error
    throw new RemoteError(`${url.href} broke off: ${reasonOf(error)}`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseObject(text: string, url: URL, status: number): Json {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  } catch {
    // Told below, together with JSON that is no object.
  }
  throw new RemoteError(`${url.href} answers ${status} without a JSON object`)
}

export interface Realm {
  /** As it was asked for. */
  issuer: string
  metadata: Json
  /** How many milliseconds the issuer's clock is ahead of ours; null when it does not tell. */
  clockAheadMs: number | null
}

export async function fetchRealm(issuer: string, now: () => number): Promise<Realm> {
  const url = parseWebAddress(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (!url) throw new RemoteError(`${issuer} is no http or https address`)
  const sentAt = now()
  const { status, body, date } = await fetchJson(url)
  if (status !== 200) throw new RemoteError(`${url.href} answers ${status}: there is no issuer at this address`)
  const middle = (sentAt + now()) / 2
  return { issuer, metadata: body, clockAheadMs: date === null ? null : date - middle }
}

/** An endpoint of the discovery document. Only addresses at the issuer's own host are used. */
export function endpointOf({ issuer, metadata }: Realm, member: string): URL {
  const value = metadata[member]
  if (typeof value !== 'string') throw new RemoteError(`the discovery document of ${issuer} has no ${member}`)
  const url = parseWebAddress(value)
  if (!url || url.origin !== parseWebAddress(issuer)?.origin) {
    throw new RemoteError(`${member} of ${issuer} is ${value}, which is not at the issuer’s own host; it is not used`)
  }
  return url
}

export async function fetchKeys(realm: Realm): Promise<JSONWebKeySet> {
  const url = endpointOf(realm, 'jwks_uri')
  const { status, body } = await fetchJson(url)
  if (status !== 200 || !Array.isArray(body.keys)) throw new RemoteError(`${url.href} answers ${status} without keys`)
  return { keys: body.keys as JSONWebKeySet['keys'] }
}
