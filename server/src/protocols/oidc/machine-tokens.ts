import type { FastifyReply } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import { noteClientUse, noteMachineToken } from './aftermath.ts'
import { clientFacts } from './client-metadata.ts'
import type { Issuer } from './issuer.ts'
import { authenticatePlain, type PlainRequest, sendJson } from './plain-requests.ts'
import { describeAudience } from './resources.ts'
import type { Unit } from './unit.ts'

const parameters = new Set(['grant_type', 'scope', 'client_id', 'client_secret'])

/**
 * The short way for what machines ask most: client_credentials with a plain secret, on the engine's own models but without its
 * whole pipeline, which costs as much again as the signature. False for whatever is not exactly that, and for every refusal:
 * then the engine answers.
 */
export async function answerMachine(
  services: Services,
  issuer: Issuer,
  asked: PlainRequest,
  unit: Unit,
  reply: FastifyReply,
): Promise<boolean> {
  const { form } = asked
  if (form.get('grant_type') !== 'client_credentials') return false
  if (![...form.keys()].every((name) => parameters.has(name))) return false
  const client = await authenticatePlain(services, issuer, asked)
  if (!client?.grantTypeAllowed('client_credentials')) return false
  const facts = clientFacts(client)!
  // Bound tokens need a proof, which only the usual way reads (RFC 9449).
  if (facts.boundTokens) return false
  // A disabled account gets no tokens (S12); the usual way says so.
  if (facts.serviceAccountUserId && !facts.serviceAccount?.usable) return false
  const allowed = new Set((client.scope ?? '').split(' '))
  const scopes = [...new Set(form.get('scope')?.split(' ') ?? facts.scopes)]
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
  await noteClientUse(services, realmId, client)
  services.eventBatch.countToken(realmId, client.clientId, services.clock.now() + token.expiration * 1000)
  if (settings.auditTokenEvents) noteMachineToken(services, realmId, client.clientId, unit)
  const scope = token.scope ? { scope: token.scope } : {}
  sendJson(reply, { access_token: value, expires_in: token.expiration, token_type: 'Bearer', ...scope })
  return true
}

type ResourceServerClass = new (identifier: string, info: object) => object
