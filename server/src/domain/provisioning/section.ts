import type { Section } from '../snapshot/index.ts'
import type { StoredProvisioning } from './schema.ts'
import { resolveProvisioning } from './service.ts'
import { selectProvisioning } from './store.ts'

/** Who may come into the realm by themselves: `await snapshot.section(provisioningSection)`. */
export const provisioningSection: Section<Readonly<StoredProvisioning>> = {
  name: 'provisioning',
  async load({ db }, realmId) {
    return resolveProvisioning((await selectProvisioning(db, realmId))?.settings)
  },
  // Two bytes a character is the most that the engine keeps.
  sizeOf: (value) => 400 + JSON.stringify(value).length * 2,
}
