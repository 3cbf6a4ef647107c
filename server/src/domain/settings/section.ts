import { notFound } from '../../platform/errors/index.ts'
import type { Section } from '../snapshot/index.ts'
import type { RealmSettings } from './schema.ts'
import { findSettings } from './service.ts'

// Names and small values weigh about as much as the text of all members; texts are counted one by one on top.
const baseBytes = 4096

/** The settings in the realm snapshot: `await snapshot.section(settingsSection)`. */
export const settingsSection: Section<RealmSettings> = {
  name: 'settings',
  async load(sources, realmId) {
    const settings = await findSettings(sources.db, realmId)
    // The realm was deleted between the snapshot and this read.
    if (!settings) throw notFound()
    return settings
  },
  // Two bytes a character is the most that the engine keeps.
  sizeOf: (settings) => baseBytes + JSON.stringify(settings).length * 2,
}
