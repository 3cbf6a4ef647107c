import { LRUCache } from 'lru-cache'
import { usableKeys } from '../../../domain/clients/index.ts'
import type { Services } from '../../../domain/context/index.ts'

type Jwk = Record<string, unknown>

interface Known {
  keys: Jwk[]
  /** When the keys came; 0 = never. */
  readAt: number
  freshUntil: number
  triedAt: number
  reading: Promise<void> | null
}

export interface ClientKeys {
  /** The keys to verify with; read when they are not fresh. */
  current(clientId: string, uri: string): Promise<Jwk[]>
  /** Whether something that does not verify is a reason to look again. */
  mayReadAgain(clientId: string, uri: string): boolean
  readAgain(clientId: string, uri: string): Promise<Jwk[]>
}

// Whoever knows a client_id can send an unknown key id: no host is asked more often than this because of it.
const pauseMs = 10_000
// Whatever the host says: short enough that a key that was taken away is soon refused, long enough to spare the host.
const shortestMs = 60_000
const longestMs = 3_600_000
// Far more than the keys of any client.
const maxBytes = 64 * 1024
const timeoutMs = 5000
// Some kilobytes each.
const maxClients = 2000

const caches = new WeakMap<Services, LRUCache<string, Known>>()

/**
 * The keys that clients publish at an address of their own (`jwksUri`). They outlive the engine's clients, which are made anew
 * with every change of the realm: a host that is down must not break a client whose keys we know.
 */
export function createClientKeys(services: Services, realmId: string): ClientKeys {
  let cache = caches.get(services)
  if (!cache) caches.set(services, (cache = new LRUCache({ max: maxClients })))
  const known = cache
  const { clock } = services

  function find(clientId: string, uri: string): Known {
    const name = JSON.stringify([realmId, clientId, uri])
    let entry = known.get(name)
    if (!entry) known.set(name, (entry = { keys: [], readAt: 0, freshUntil: 0, triedAt: 0, reading: null }))
    return entry
  }

  const isRested = (entry: Known) => clock.now() - entry.triedAt >= pauseMs

  async function read(entry: Known, clientId: string, uri: string): Promise<void> {
    entry.triedAt = clock.now()
    try {
      const { keys, freshMs } = await fetchKeys(services, uri)
      Object.assign(entry, { keys, readAt: clock.now(), freshUntil: clock.now() + freshMs })
    } catch (error) {
      services.log.warn({ err: error, realmId, clientId }, 'the keys of a client cannot be read')
      // Once the longest time is over, nobody knows whether its owner still trusts a key.
      if (clock.now() - entry.readAt >= longestMs) entry.keys = []
    }
  }

  /** Many requests share one look. */
  async function readOnce(entry: Known, clientId: string, uri: string): Promise<void> {
    entry.reading ??= read(entry, clientId, uri).finally(() => (entry.reading = null))
    await entry.reading
  }

  return {
    async current(clientId, uri) {
      const entry = find(clientId, uri)
      const isStale = clock.now() >= entry.freshUntil
      // Whoever signs with a key that is known does not wait because a stranger named one that is not.
      if (isStale && (entry.reading || isRested(entry))) await readOnce(entry, clientId, uri)
      return entry.keys
    },
    mayReadAgain(clientId, uri) {
      const entry = find(clientId, uri)
      return entry.reading !== null || isRested(entry)
    },
    async readAgain(clientId, uri) {
      const entry = find(clientId, uri)
      await readOnce(entry, clientId, uri)
      return entry.keys
    },
  }
}

async function fetchKeys({ egress }: Services, uri: string): Promise<{ keys: Jwk[]; freshMs: number }> {
  const headers = { accept: 'application/jwk-set+json, application/json' }
  const answer = await egress.fetch(uri, { method: 'GET', headers, timeoutMs, maxBytes })
  if (answer.status !== 200) throw new Error(`the host answered ${answer.status}`)
  const keys = usableKeys(JSON.parse(answer.body.toString('utf8')))
  if (!keys) throw new Error('the answer is not a key set')
  const maxAge = /max-age=(\d{1,9})/.exec(String(answer.headers['cache-control'] ?? ''))?.[1]
  return { keys, freshMs: Math.min(Math.max(Number(maxAge ?? 0) * 1000, shortestMs), longestMs) }
}
