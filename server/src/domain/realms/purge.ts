import type { JobDefinition } from '../../platform/jobs/index.ts'
import { runTransaction } from '../../platform/db/index.ts'
import { jobActor, openContext, ownOrigin, type Services } from '../context/index.ts'
import { adjustCounter, readRealmCounters, type CounterName } from '../counters/index.ts'
import { deleteRealmRow, deleteRealmRows, isMarkedDeleted, readTenantTables } from './store.ts'

// Short transactions: other realms must not notice that a large one is being removed.
const batch = 5000

/** Removes the rows of a deleted realm table by table; started again after a crash, it goes on where it was. */
export const purgeRealmJob: JobDefinition<Services, { realmId: string }> = {
  name: 'realms.purge',
  // Tens of millions of rows in small steps.
  maxSeconds: 12 * 3600,
  async handle(services, { realmId }) {
    const { adminDb } = services
    // Whatever put the job in the queue: a realm that is in use is never emptied.
    if (!(await isMarkedDeleted(adminDb, realmId))) return
    await subtractFromTotals(services, realmId)
    for (const table of await readTenantTables(adminDb)) {
      while ((await deleteRealmRows(adminDb, table, realmId, batch)) === batch);
    }
    await deleteRealmRow(adminDb, realmId)
    services.log.info({ realm: realmId }, 'realm purged')
  },
}

async function subtractFromTotals(services: Services, realmId: string): Promise<void> {
  await runTransaction(services.db, async (work) => {
    const ctx = openContext(services, work, { realmId, actor: jobActor, origin: ownOrigin('job') })
    // The realm's own counters fall to zero as well, so running twice subtracts once.
    for (const [name, total] of await readRealmCounters(work.tx, realmId)) {
      if (total !== 0) await adjustCounter(ctx, name as CounterName, -total)
    }
  })
}
