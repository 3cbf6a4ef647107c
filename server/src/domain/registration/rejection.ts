import { runTransaction } from '../../platform/db/index.ts'
import { anonymous, openContext, type Services } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import type { RegistrationFault } from './faults.ts'
import type { Asked } from './register.ts'

/** Somebody was refused: an event of its own, with the reason as the caller was told it. */
export async function recordRejection(
  services: Services,
  { realm, origin }: Asked,
  fault: RegistrationFault,
): Promise<void> {
  await runTransaction(services.db, async (work) => {
    const ctx = openContext(services, work, { realmId: realm.realmId, actor: anonymous(), origin })
    await recordEvent(ctx, {
      type: 'DCR_REJECTED',
      outcome: 'FAILURE',
      resourceType: 'clients',
      detail: JSON.stringify({ error: fault.error, reason: fault.description }),
    })
  })
}
