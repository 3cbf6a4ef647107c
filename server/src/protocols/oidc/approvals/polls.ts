import type { FastifyReply } from 'fastify'
import type { Services } from '../../../domain/context/index.ts'
import { modelId, readPoll } from '../../../domain/tokens/index.ts'
import { runRead } from '../../../platform/db/index.ts'
import type { Issuer } from '../issuer.ts'
import { authenticatePlain, type PlainRequest, sendJson } from '../plain-requests.ts'
import type { Unit } from '../unit.ts'
import { pollSources } from './models.ts'
import { mayPoll } from './pace.ts'

const otherParameters = ['grant_type', 'client_id', 'client_secret', 'scope']

/**
 * The short way for what waiting devices ask most: nothing new yet. One look at the database tells that nobody answered and that
 * the client is what it was. False for every other case, also for every doubt: then the engine answers.
 */
export async function answerPoll(
  services: Services,
  issuer: Issuer,
  asked: PlainRequest,
  unit: Unit,
  reply: FastifyReply,
): Promise<boolean> {
  const { form } = asked
  const poll = pollSources[form.get('grant_type') as keyof typeof pollSources]
  const value = poll ? form.get(poll.parameter) : null
  if (!poll || !value || ![...form.keys()].every((name) => name === poll.parameter || otherParameters.includes(name))) {
    return false
  }
  const id = modelId(poll.model, value)
  const row = await runRead(() => readPoll(services.db, issuer.realmId, id))
  if (row?.model !== poll.model || !row.is_pending || row.exp * 1000 <= services.clock.now()) return false
  const { client_id: clientId, client_enabled, client_version: version, account_version } = row
  if (clientId === null || version === null) return false
  unit.clientStamps.set(clientId, { enabled: client_enabled ?? false, version, account_version })
  const client = await findPollingClient(services, issuer, asked, clientId)
  // A proof of possession is missing where one is due, and the engine says so.
  if (!client?.grantTypeAllowed(form.get('grant_type')!) || client.dpopBoundAccessTokens) return false
  const isInTime = await mayPoll(services, issuer.realmId, id.toString('hex'))
  reply.code(400)
  sendJson(reply, isInTime ? pending : tooFast)
  return true
}

/** The client that the request was made for, proved in the way it is registered with; null for every doubt. */
async function findPollingClient(services: Services, issuer: Issuer, asked: PlainRequest, clientId: string) {
  if (asked.credentials) {
    return asked.credentials.clientId === clientId ? authenticatePlain(services, issuer, asked) : null
  }
  if (asked.form.get('client_id') !== clientId || asked.form.has('client_secret')) return null
  const client = await issuer.provider.Client.find(clientId)
  return client?.tokenEndpointAuthMethod === 'none' ? client : null
}

// In the engine’s own words.
const pending = {
  error: 'authorization_pending',
  error_description:
    "authorization request is still pending as the end-user hasn't yet completed the user interaction steps",
}
const tooFast = {
  error: 'slow_down',
  error_description: 'you are polling too quickly and should back off at a reasonable rate',
}
