import { runTransaction } from '../../platform/db/index.ts'
import { applySeeds, currentSeedVersion, jobActor, openContext, ownOrigin, type Services } from '../context/index.ts'
import { raiseRealmVersion } from '../snapshot/index.ts'
import { lockSeedVersion, writeSeedVersion } from './store.ts'

/**
 * Gives a realm of an earlier release what later ones seed (contract 1.6). Called when the realm is loaded, on any number of
 * nodes at once: the first one to hold the row does it, the others find it done. All of it or nothing.
 */
export async function upgradeRealm(services: Services, realmId: string): Promise<void> {
  const target = currentSeedVersion(services.contributions)
  await runTransaction(services.db, async (work) => {
    const version = await lockSeedVersion(work.tx, realmId)
    if (version === null || version >= target) return
    const ctx = openContext(services, work, { realmId, actor: jobActor, origin: ownOrigin('seed') })
    await applySeeds(ctx, version)
    await writeSeedVersion(work.tx, realmId, target)
    await raiseRealmVersion(ctx)
    work.afterCommit(() =>
      services.log.info({ realm: realmId, from: version, to: target }, 'realm seed brought up to date'),
    )
  })
}
