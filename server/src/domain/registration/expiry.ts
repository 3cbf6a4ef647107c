import { randomBytes } from 'node:crypto'
import { runTransaction } from '../../platform/db/index.ts'
import { deleteClient, findClient } from '../clients/index.ts'
import { type Context, jobActor, openContext, ownOrigin, type Services } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import { lockUnused, readRealmsWithTtl, selectUnused } from './store.ts'

const dayMs = 86_400_000
const realmsPerPage = 500
const clientsPerBatch = 100
// Ends a run that others keep feeding; the next day goes on.
const maxPages = 10_000

/** Ends what came by itself and nobody uses, where a realm wants that (contract 4.15). Each client by itself, as by hand. */
export async function endUnusedRegistrations(services: Services): Promise<number> {
  let ended = 0
  let after = ''
  for (let page = 0; page < maxPages; page++) {
    const realms = await readRealmsWithTtl(services.db, after, realmsPerPage)
    for (const { realmId, days } of realms) ended += await endUnusedIn(services, realmId, days)
    if (realms.length < realmsPerPage) break
    after = realms.at(-1)!.realmId
  }
  return ended
}

async function endUnusedIn(services: Services, realmId: string, days: number): Promise<number> {
  const before = services.clock.now() - days * dayMs
  let ended = 0
  for (;;) {
    const found = await selectUnused(services.db, realmId, { before, limit: clientsPerBatch })
    let endedNow = 0
    for (const clientUuid of found) {
      const isGone = await runTransaction(services.db, (work) => {
        const origin = ownOrigin(randomBytes(16).toString('hex'))
        const ctx = openContext(services, work, { realmId, actor: jobActor, origin })
        return endClient(ctx, clientUuid, { before, days })
      })
      if (isGone) endedNow++
    }
    ended += endedNow
    // Clients that came back into use meanwhile stay; a batch of nothing else would be found for ever.
    if (found.length < clientsPerBatch || endedNow === 0) return ended
  }
}

async function endClient(
  ctx: Context,
  clientUuid: string,
  { before, days }: { before: number; days: number },
): Promise<boolean> {
  const client = await findClient(ctx.tx, ctx.realmId, clientUuid)
  if (!client || !(await lockUnused(ctx.tx, ctx.realmId, clientUuid, before))) return false
  await deleteClient(ctx, client)
  await recordEvent(ctx, {
    type: 'ADMIN_DELETE',
    outcome: 'SUCCESS',
    resourceType: 'clients',
    resourceId: client.id,
    clientId: client.clientId,
    detail: JSON.stringify({ clientId: client.clientId, createdBy: client.createdBy, unusedForDays: days }),
  })
  return true
}
