import { LRUCache } from 'lru-cache'
import type { Client } from 'oidc-provider'
import { ClientId, type ClientStamp, readClientStamp } from '../../domain/clients/index.ts'
import type { Services } from '../../domain/context/index.ts'
import { runRead } from '../../platform/db/index.ts'
import { currentUnit } from './unit.ts'

// A realm's busy clients. Each takes some kilobytes; a realm with more of them reads the others whole each time.
const maxClients = 100

interface Known {
  stamp: ClientStamp
  client: Client
}

export type FindClient = (clientId: string, build: () => Promise<Client | undefined>) => Promise<Client | undefined>

/**
 * The engine's client as it was made before, if the database says on this very request that nothing about it has changed. So an
 * edit, a disabling or a new secret counts at once on every node, and a request costs a look at a few columns.
 */
export function createClientCache(services: Services, realmId: string): FindClient {
  const known = new LRUCache<string, Known>({ max: maxClients })
  return async (clientId, build) => {
    const stamp = await findStamp(services, realmId, clientId)
    if (!stamp?.enabled) return undefined
    const before = known.get(clientId)
    if (before && isSame(before.stamp, stamp)) return before.client
    const client = await build()
    // Read after the stamp, so it is at least as new; if it is newer, the next request finds another stamp and reads again.
    if (client) known.set(clientId, { stamp, client })
    return client
  }
}

function isSame(one: ClientStamp, other: ClientStamp): boolean {
  return one.version === other.version && one.account_version === other.account_version
}

async function findStamp(services: Services, realmId: string, clientId: string): Promise<ClientStamp | null> {
  const unit = currentUnit()
  const read = unit?.clientStamps.get(clientId)
  if (read) return read
  // Comes straight from a request: the database would stumble over a NUL.
  if (!ClientId.safeParse(clientId).success) return null
  const stamp = await runRead(() => readClientStamp(services.db, realmId, clientId))
  if (stamp) unit?.clientStamps.set(clientId, stamp)
  return stamp
}
