import type { Context } from '../context/index.ts'
import { RegistrationFault } from './faults.ts'
import { countRegistrations, lockRealm } from './store.ts'

/**
 * Refuses one client more than the realm lets come by themselves, registered or described by a document. Called in the transaction
 * that makes the client: of many at once each sees those before it.
 */
export async function assertRoom(ctx: Context, dcrMaxClients: number): Promise<void> {
  await lockRealm(ctx.tx, ctx.realmId)
  if ((await countRegistrations(ctx.tx, ctx.realmId, dcrMaxClients)) < dcrMaxClients) return
  throw new RegistrationFault(
    'access_denied',
    'As many applications have registered as the realm allows; ask its administrators for dcrMaxClients.',
  )
}
