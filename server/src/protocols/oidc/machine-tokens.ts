import type { IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Client } from 'oidc-provider'
import type { Services } from '../../domain/context/index.ts'
import { originOf } from '../../platform/http/index.ts'
import { noteMachineToken } from './aftermath.ts'
import { clientFacts } from './client-metadata.ts'
import { mayTry } from './client-limits.ts'
import type { Issuer } from './issuer.ts'
import { describeAudience } from './resources.ts'
import { createUnit, runInUnit } from './unit.ts'

// A machine's request is a few hundred bytes; anything longer takes the usual way.
const maxBytes = 4096
const parameters = new Set(['grant_type', 'scope', 'client_id', 'client_secret'])

interface MachineRequest {
  clientId: string
  secret: string
  scope: string | undefined
}

/**
 * The short way for what machines ask most: client_credentials with a plain secret, on the engine's own models but without its
 * whole pipeline, which costs as much again as the signature. Whatever is not exactly that, and every refusal, takes the usual
 * way: the body is put back as if nobody had looked. False then.
 */
export async function answerMachine(
  services: Services,
  issuer: Issuer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const asked = await readMachineRequest(request)
  if (!asked) return false
  const unit = createUnit(issuer.realmId, originOf(request))
  return runInUnit(unit, async () => {
    const client = await issuer.provider.Client.find(asked.clientId)
    if (!client || !(await isAdmitted(services, issuer, client, asked))) return false
    const facts = clientFacts(client)!
    // A disabled account gets no tokens (S12); the usual way says so.
    if (facts.serviceAccountUserId && !facts.serviceAccount?.usable) return false
    const allowed = new Set((client.scope ?? '').split(' '))
    const scopes = asked.scope?.split(' ') ?? facts.scopes
    if (scopes.some((scope) => !allowed.has(scope))) return false
    const token = new issuer.provider.ClientCredentials({ client, scope: scopes.join(' ') || undefined } as never)
    const resource = new (issuer.provider as unknown as { ResourceServer: ResourceServerClass }).ResourceServer(
      issuer.issuer,
      describeAudience(client, issuer.issuer),
    )
    Object.assign(token, { resourceServer: resource })
    const value = await token.save()
    const { realmId, settings } = issuer
    services.metrics.tokenIssued(realmId)
    services.eventBatch.countToken(realmId, client.clientId, services.clock.now() + token.expiration * 1000)
    if (settings.auditTokenEvents) noteMachineToken(services, realmId, client.clientId, unit)
    const scope = token.scope ? { scope: token.scope } : {}
    const body = { access_token: value, expires_in: token.expiration, token_type: 'Bearer', ...scope }
    reply.headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
    reply.send(JSON.stringify(body))
    return true
  })
}

type ResourceServerClass = new (identifier: string, info: object) => object

async function isAdmitted(
  services: Services,
  issuer: Issuer,
  client: Client,
  { secret }: MachineRequest,
): Promise<boolean> {
  const method = client.tokenEndpointAuthMethod
  const usesSecret = method === 'client_secret_basic' || method === 'client_secret_post'
  if (!usesSecret || !client.grantTypeAllowed('client_credentials') || client.clientSecretExpiresAt) return false
  if (!(await mayTry(services, issuer.realmId, client.clientId))) return false
  return (client as unknown as { compareClientSecret(actual: string): boolean }).compareClientSecret(secret)
}

/** Null for anything but the plain request; the body is then still unread. */
async function readMachineRequest(request: FastifyRequest): Promise<MachineRequest | null> {
  const { raw, headers } = request
  const length = Number(headers['content-length'] ?? Number.NaN)
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  // A browser's request needs the engine's handling of origins; a proof of possession needs the engine.
  const isPlain = headers.origin === undefined && headers.dpop === undefined
  if (!isForm || !isPlain || !(length > 0 && length <= maxBytes)) return null
  const text = await peekBody(raw, length)
  return text === null ? null : parseMachineRequest(text, headers.authorization)
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

function parseMachineRequest(text: string, authorization: string | undefined): MachineRequest | null {
  const form = new URLSearchParams(text)
  const names = [...form.keys()]
  if (form.get('grant_type') !== 'client_credentials' || new Set(names).size !== names.length) return null
  if (!names.every((name) => parameters.has(name))) return null
  const scope = form.get('scope') ?? undefined
  if (authorization === undefined) {
    const [clientId, secret] = [form.get('client_id'), form.get('client_secret')]
    return clientId && secret ? { clientId, secret, scope } : null
  }
  const basic = /^basic ([\w+/]+=*)$/i.exec(authorization)
  if (!basic || form.has('client_id') || form.has('client_secret')) return null
  const pair = Buffer.from(basic[1]!, 'base64').toString('utf8')
  const at = pair.indexOf(':')
  if (at < 1) return null
  try {
    const decode = (part: string) => decodeURIComponent(part.replaceAll('+', '%20'))
    return { clientId: decode(pair.slice(0, at)), secret: decode(pair.slice(at + 1)), scope }
  } catch {
    return null
  }
}
