import { LRUCache } from 'lru-cache'
import { runRead } from '../../../platform/db/index.ts'
import { ClientId } from '../../clients/index.ts'
import { anonymous, type Origin, type Services } from '../../context/index.ts'
import { documentAddressFault, isAllowedHost } from './address.ts'
import { fetchDocument } from './fetch.ts'
import { type DocumentRules, judgeDocument } from './judge.ts'
import { keepDocument } from './keep.ts'
import { admitFetch } from './limits.ts'
import { DocumentRefusal } from './refusal.ts'
import { type KeptClient, selectKept } from './store.ts'

// A host that is away for a night must not stop the applications it describes; one that is away longer may have been given up.
const graceMs = 24 * 60 * 60 * 1000
// Whoever repairs a document waits this long at most; whoever asks for it all the time gets one look in it.
const refusalMs = 60_000
// Of one node. Each takes some hundred bytes; names made up push each other out, and the limits hold for them anyway.
const maxRefusals = 1000

export interface DocumentQuestion {
  realmId: string
  clientId: string
  rules: DocumentRules
  /** What may be read over the network: any document, only those of clients that are known, or none. */
  reads: 'ANY' | 'KNOWN' | 'NONE'
  origin: Origin
}

interface Memory {
  running: Map<string, Promise<void>>
  refusals: LRUCache<string, { refusal: DocumentRefusal; until: number }>
}

const memories = new WeakMap<Services, Memory>()

function memoryOf(services: Services): Memory {
  let memory = memories.get(services)
  if (!memory) {
    memory = { running: new Map(), refusals: new LRUCache({ max: maxRefusals }) }
    memories.set(services, memory)
  }
  return memory
}

/**
 * Brings the client of an address up to date with its document, where that is needed and allowed. True when the client may be
 * looked up, false when there is none; throws a DocumentRefusal when there should be one and the document is to blame.
 */
export async function ensureDocumentClient(services: Services, question: DocumentQuestion): Promise<boolean> {
  const { realmId, clientId, rules, reads } = question
  // Comes straight from a request: the database would stumble over a NUL.
  if (!ClientId.safeParse(clientId).success) return false
  const kept = await runRead(() => selectKept(services.db, realmId, clientId))
  // A client that an administrator made is described by nobody else, whatever its name.
  if (kept && kept.created_by !== 'CIMD') return true
  // Switched off, also the clients that came this way are gone: at once, and until it is switched on again.
  if (!rules.enabled || (!kept && reads !== 'ANY')) return false
  const fault = addressFault(clientId, rules)
  if (fault && reads === 'NONE') return false
  if (fault) throw new DocumentRefusal('INVALID', fault)
  const isFresh = kept !== null && services.clock.now() < (kept.fresh_until ?? 0)
  if (isFresh || reads === 'NONE') return true
  await readOnce(services, question, kept)
  return true
}

function addressFault(clientId: string, { allowedHosts }: DocumentRules): string | null {
  const fault = documentAddressFault(clientId)
  if (fault) return fault
  const isAllowed = isAllowedHost(new URL(clientId).hostname, allowedHosts)
  return isAllowed ? null : 'The realm does not allow the host of client_id.'
}

/** All who wait for one document on this node wait for one look at it. */
async function readOnce(services: Services, question: DocumentQuestion, kept: KeptClient | null): Promise<void> {
  const { running } = memoryOf(services)
  const key = keyOf(question)
  let reading = running.get(key)
  if (!reading) {
    reading = read(services, question, kept).finally(() => running.delete(key))
    running.set(key, reading)
  }
  await reading
}

const keyOf = ({ realmId, clientId }: DocumentQuestion) => `${realmId} ${clientId}`

async function read(services: Services, question: DocumentQuestion, kept: KeptClient | null): Promise<void> {
  const now = services.clock.now()
  const remembered = memoryOf(services).refusals.get(keyOf(question))
  const isKnown = remembered !== undefined && now < remembered.until
  const refusal = isKnown ? remembered.refusal : await tryDocument(services, question, kept === null)
  if (!refusal) return
  const isInGrace = kept !== null && now < (kept.fresh_until ?? 0) + graceMs
  // Who says nothing is believed a while longer; who says something wrong is not.
  if (refusal.kind === 'INVALID' || !isInGrace) throw refusal
}

/** Null when the document was read and kept. */
async function tryDocument(
  services: Services,
  question: DocumentQuestion,
  isNew: boolean,
): Promise<DocumentRefusal | null> {
  const { realmId, clientId, rules, origin } = question
  const { refusals } = memoryOf(services)
  try {
    const { hostname: host } = new URL(clientId)
    await admitFetch(services, { realmId, sourceIp: origin.sourceIp, host, isNew })
    const { members, freshForMs } = await fetchDocument(services.egress, clientId)
    const client = judgeDocument(clientId, members, rules)
    await keepDocument(services, realmId, origin, { client, freshForMs, maxClients: rules.maxClients })
    refusals.delete(keyOf(question))
    return null
  } catch (error) {
    if (!(error instanceof DocumentRefusal)) throw error
    // Nobody was asked, so there is nothing to remember; and who floods us shall not flood the audit trail.
    if (error.kind !== 'LIMITED') {
      refusals.set(keyOf(question), { refusal: error, until: services.clock.now() + refusalMs })
      tellOf(services, question, error)
    }
    return error
  }
}

function tellOf(services: Services, { realmId, clientId, origin }: DocumentQuestion, refusal: DocumentRefusal): void {
  services.log.warn({ realmId, clientId, err: refusal, traceId: origin.traceId }, 'a client document was not accepted')
  services.eventBatch.add({
    realmId,
    actor: anonymous(),
    origin,
    at: services.clock.now(),
    event: { type: 'DCR_REJECTED', outcome: 'FAILURE', clientId, detail: refusal.message },
  })
}
