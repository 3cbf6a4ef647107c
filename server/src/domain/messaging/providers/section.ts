import type { RealmSnapshot, Section } from '../../snapshot/index.ts'
import type { Channel, Driver } from '../channels.ts'
import { listProviders } from './service.ts'

/** What pages and flows need to know of a provider; nothing secret is in here. */
export interface PublicProvider {
  channel: Channel
  driver: Driver
  enabled: boolean
  priority: number
}

// The object around four small values.
const entryBytes = 150

/** In the order in which they are tried: `await snapshot.section(providersSection)`. */
export const providersSection: Section<PublicProvider[]> = {
  name: 'messagingProviders',
  async load({ db }, realmId) {
    const providers = await listProviders(db, realmId)
    return providers.map(({ channel, driver, enabled, priority }) => ({ channel, driver, enabled, priority }))
  },
  sizeOf: (providers) => providers.length * entryBytes,
}

/** Whether messages of the channel can be delivered; a page offers them only then. */
export async function hasProvider(realm: RealmSnapshot, channel: Channel): Promise<boolean> {
  return (await realm.section(providersSection)).some((provider) => provider.enabled && provider.channel === channel)
}
