import { createHash, createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { EgressError } from '../../../platform/egress/index.ts'
import type { FcmConfig } from '../providers/config-schema.ts'
import { deliverOverHttp, httpTimeoutMs, isAccepted, readMember, refusalOf } from './answers.ts'
import { DeliveryError, type DriverTools, type OpenProvider, type SendMessage } from './types.ts'

type FcmProvider = OpenProvider & { config: FcmConfig }

export interface FcmHosts {
  tokenUrl: string
  sendOrigin: string
}

const googleHosts: FcmHosts = {
  tokenUrl: 'https://oauth2.googleapis.com/token',
  sendOrigin: 'https://fcm.googleapis.com',
}

const scope = 'https://www.googleapis.com/auth/firebase.messaging'
// Tokens live an hour; one that is about to end is not used any more.
const spareSeconds = 60
const maxTokens = 1000

/** Firebase Cloud Messaging, HTTP v1 API; the access token is got with a service account (RFC 7523). */
export function createFcmSender(hosts = googleHosts): SendMessage<FcmConfig> {
  const tokens = new LRUCache<string, { value: string; expiresAt: number }>({ max: maxTokens })

  async function accessToken(
    tools: DriverTools,
    provider: FcmProvider,
    key: string,
    tokenUrl: string,
  ): Promise<string> {
    const known = tokens.get(key)
    if (known && known.expiresAt > tools.now()) return known.value
    const fresh = await requestToken(tools, provider, tokenUrl)
    tokens.set(key, fresh)
    return fresh.value
  }

  return async (tools, provider, message, handOver) => {
    const { clientEmail, endpoint } = provider.config
    const { tokenUrl, sendOrigin } = endpoint ? { tokenUrl: `${endpoint}/token`, sendOrigin: endpoint } : hosts
    const key = createHash('sha256')
      .update(`${tokenUrl}\0${clientEmail}\0${provider.secret ?? ''}`)
      .digest('base64url')
    const token = await accessToken(tools, provider, key, tokenUrl)
    const url = `${sendOrigin}/v1/projects/${encodeURIComponent(provider.config.projectId)}/messages:send`
    const body = JSON.stringify({
      message: {
        token: message.to,
        notification: { title: message.subject ?? '', body: message.text },
        data: { ...message.data, id: message.id },
        android: { priority: 'HIGH' },
      },
    })
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await deliverOverHttp(tools, url, { method: 'POST', headers, body }, handOver)
    if (isAccepted(answer)) return { providerId: readMember(answer, 'name') }
    if (answer.status === 401) tokens.delete(key)
    if (answer.body.includes('UNREGISTERED')) throw new DeliveryError('gone', 'The device is no longer registered.')
    throw refusalOf(answer)
  }
}

export const sendOverFcm = createFcmSender()

async function requestToken(tools: DriverTools, { config, secret }: FcmProvider, tokenUrl: string) {
  if (!secret) throw new DeliveryError('failed', 'The provider has no private key.')
  const issuedAt = Math.floor(tools.now() / 1000)
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(config.clientEmail)
    .setAudience(tokenUrl)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 3600)
    .sign(createPrivateKey(secret))
  const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await tools.egress
    .fetch(tokenUrl, { method: 'POST', headers, body, timeoutMs: httpTimeoutMs })
    .catch((error: unknown) => {
      // Nothing of the message is in this request, so any failure of it is a clear one.
      throw error instanceof EgressError ? new DeliveryError('failed', error.message, error) : error
    })
  if (!isAccepted(answer)) throw refusalOf(answer)
  const parsed = JSON.parse(answer.body.toString('utf8')) as { access_token?: unknown; expires_in?: unknown }
  if (typeof parsed.access_token !== 'string') throw new DeliveryError('failed', 'No access token was given.')
  const lifetime = typeof parsed.expires_in === 'number' ? parsed.expires_in : 0
  return { value: parsed.access_token, expiresAt: tools.now() + Math.max(0, lifetime - spareSeconds) * 1000 }
}
