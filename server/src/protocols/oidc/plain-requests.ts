import type { IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Client } from 'oidc-provider'
import type { Services } from '../../domain/context/index.ts'
import { mayTry } from './client-limits.ts'
import type { Issuer } from './issuer.ts'

// What programs send is some hundred bytes; anything longer takes the usual way.
const maxBytes = 4096

/** A form that a program sent, without anything that only the engine handles. */
export interface PlainRequest {
  form: URLSearchParams
  /** Who it says it is, with its secret; null when it says so in another way. */
  credentials: { clientId: string; secret: string; method: 'client_secret_basic' | 'client_secret_post' } | null
}

/** A browser's request needs the engine's handling of origins, a proof of possession needs the engine. */
export function isPlain({ headers }: FastifyRequest): boolean {
  return headers.origin === undefined && headers.dpop === undefined
}

/** Null for anything unusual. The body is left as if nobody had looked at it. */
export async function readPlainRequest(request: FastifyRequest): Promise<PlainRequest | null> {
  const { raw, headers } = request
  const length = Number(headers['content-length'] ?? Number.NaN)
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  if (!isForm || !isPlain(request) || !(length > 0 && length <= maxBytes)) return null
  const text = await peekBody(raw, length)
  if (text === null) return null
  const form = new URLSearchParams(text)
  const names = [...form.keys()]
  if (new Set(names).size !== names.length) return null
  const credentials = readCredentials(form, headers.authorization)
  // Whoever shows something that we cannot read hears from the engine what is wrong with it, also where nothing had to be shown.
  return headers.authorization !== undefined && !credentials ? null : { form, credentials }
}

/** The whole body if it is there already, without taking it. */
async function peekBody(raw: IncomingMessage, length: number): Promise<string | null> {
  if (raw.readableLength < length) {
    if (raw.readableEnded || raw.destroyed) return null
    await once(raw, 'readable')
  }
  const chunk = raw.read() as Buffer | null
  if (chunk === null) return null
  raw.unshift(chunk)
  return chunk.length === length ? chunk.toString('latin1') : null
}

function readCredentials(form: URLSearchParams, authorization: string | undefined): PlainRequest['credentials'] {
  if (authorization === undefined) {
    const [clientId, secret] = [form.get('client_id'), form.get('client_secret')]
    return clientId && secret ? { clientId, secret, method: 'client_secret_post' } : null
  }
  const basic = /^basic ([\w+/]+=*)$/i.exec(authorization)
  if (!basic || form.has('client_id') || form.has('client_secret')) return null
  const pair = Buffer.from(basic[1]!, 'base64').toString('utf8')
  const at = pair.indexOf(':')
  if (at < 1) return null
  try {
    const decode = (part: string) => decodeURIComponent(part.replaceAll('+', '%20'))
    const [clientId, secret] = [decode(pair.slice(0, at)), decode(pair.slice(at + 1))]
    return { clientId, secret, method: 'client_secret_basic' }
  } catch {
    return null
  }
}

/** The client behind a plain secret; null for every doubt, about which the engine then says what is wrong. */
export async function authenticatePlain(
  services: Services,
  issuer: Issuer,
  { credentials }: PlainRequest,
): Promise<Client | null> {
  if (!credentials) return null
  const client = await issuer.provider.Client.find(credentials.clientId)
  // In the registered way and no other (S30).
  if (client?.tokenEndpointAuthMethod !== credentials.method || client.clientSecretExpiresAt) return null
  if (!(await mayTry(services, issuer.realmId, client.clientId))) return null
  const comparing = client as unknown as { compareClientSecret(actual: string): boolean }
  return comparing.compareClientSecret(credentials.secret) ? client : null
}

export function sendJson(reply: FastifyReply, body: object): void {
  reply.headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
  reply.send(JSON.stringify(body))
}
