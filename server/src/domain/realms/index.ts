// Realms: the isolated tenants, from the first one at bootstrap to the purge of a deleted one.
// Contract 1.2-1.8, {base_url}/admin/realms.
// Called by app/ at start and through its routes; other folders contribute what a new realm is seeded with.
import type { Contribution } from '../context/index.ts'
import { purgeRealmJob } from './purge.ts'

export { bootstrapSystemRealm, type Bootstrapped, readSystemRealm } from './bootstrap.ts'
export { realmRoutes } from './routes.ts'
export { RealmInput, reservedRealmNames } from './schema.ts'
export { createRealm, prepareRealm } from './service.ts'
export { upgradeRealm } from './upgrade.ts'

export const realmsContribution: Contribution = { jobs: [purgeRealmJob] }
