import { createHash, createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { EgressError } from '../../../platform/egress/index.ts'
import type { ApnsConfig } from '../providers/config-schema.ts'
import { postOverHttp2 } from './http2-request.ts'
import { DeliveryError, type DriverTools, type OpenProvider, type Outgoing, type SendMessage } from './types.ts'

type ApnsProvider = OpenProvider & { config: ApnsConfig }

export interface ApnsHosts {
  production: { host: string; port: number }
  sandbox: { host: string; port: number }
}

const appleHosts: ApnsHosts = {
  production: { host: 'api.push.apple.com', port: 443 },
  sandbox: { host: 'api.sandbox.push.apple.com', port: 443 },
}

// Apple refuses tokens older than an hour, and those that are made anew more often than every 20 minutes.
const tokenLifetimeMs = 50 * 60_000
const maxTokens = 1000
const connectTimeoutMs = 2000 // contract 8.1
const deviceToken = /^[0-9a-f]{16,200}$/i

/** The Apple Push Notification service: HTTP/2 with a provider token (ES256). */
export function createApnsSender(hosts = appleHosts): SendMessage<ApnsConfig> {
  const tokens = new LRUCache<string, { value: string; madeAt: number }>({ max: maxTokens })

  async function providerToken(tools: DriverTools, { config, secret }: ApnsProvider): Promise<string> {
    if (!secret) throw new DeliveryError('failed', 'The provider has no private key.')
    const key = createHash('sha256').update(`${config.teamId}\0${config.keyId}\0${secret}`).digest('base64url')
    const known = tokens.get(key)
    if (known && tools.now() - known.madeAt < tokenLifetimeMs) return known.value
    const value = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: config.keyId })
      .setIssuer(config.teamId)
      .setIssuedAt(Math.floor(tools.now() / 1000))
      .sign(createPrivateKey(secret))
    tokens.set(key, { value, madeAt: tools.now() })
    return value
  }

  return async (tools, provider, message, handOver) => {
    // It becomes part of a path.
    if (!deviceToken.test(message.to)) throw new DeliveryError('failed', 'The target is not a device token.')
    const token = await providerToken(tools, provider)
    const { host, port } = provider.config.production ? hosts.production : hosts.sandbox
    const socket = await connect(tools, host, port)
    const headers = {
      ':path': `/3/device/${message.to}`,
      authorization: `bearer ${token}`,
      'apns-topic': provider.config.bundleId,
      'apns-id': message.id,
      'apns-push-type': 'alert',
      'apns-priority': '10',
    }
    const origin = `https://${host}:${port}`
    const answer = await postOverHttp2({ socket, origin, headers, body: payloadOf(message), beforeSending: handOver })
    if (answer.status === 200) return { providerId: answer.headers['apns-id'] ?? null }
    const reason = reasonIn(answer.body)
    const isGone = answer.status === 410 || reason === 'BadDeviceToken' || reason === 'Unregistered'
    if (isGone) throw new DeliveryError('gone', 'The device is no longer registered.')
    throw new DeliveryError('failed', `The provider answered ${answer.status}${reason ? `: ${reason}` : ''}.`)
  }
}

export const sendOverApns = createApnsSender()

function connect({ egress, ca }: DriverTools, host: string, port: number) {
  const target = { host, port, tls: 'TLS', scheme: 'https', timeoutMs: connectTimeoutMs } as const
  return egress.connect({ ...target, alpn: ['h2'], ...(ca ? { ca } : {}) }).catch((error: unknown) => {
    throw error instanceof EgressError ? new DeliveryError('failed', error.message, error) : error
  })
}

function payloadOf({ subject, text, data }: Outgoing): string {
  return JSON.stringify({ aps: { alert: { title: subject ?? '', body: text }, sound: 'default' }, ...data })
}

function reasonIn(body: string): string | null {
  try {
    const { reason } = JSON.parse(body) as { reason?: unknown }
    return typeof reason === 'string' ? reason.slice(0, 100) : null
  } catch {
    return null
  }
}
