// Fills a migrated, empty database with realms, one of them large in users and in audit events, by set-based SQL.
// Architecture 7; docs/operate/performance.md says what is measured on it.
// Called by bench/scale, bench/load-scale and server/test/scale.
import { defaultCost, hashNormalised } from '../../server/src/domain/passwords/hashing.ts'
import { type Loading, openBulkConnection, timed } from './connection.ts'
import { loadEvents } from './events.ts'
import { withoutIndexes } from './indexes.ts'
import { loadRealms } from './realms.ts'
import { loadUsers } from './users.ts'

export { addressOf, typedNameOf } from './event-secrets.ts'
export { usernameOf } from './users.ts'

export interface ScaleSizes {
  realms: number
  users: number
  events: number
}

export const fullSizes: ScaleSizes = { realms: 10_000, users: 1_000_000, events: 10_000_000 }
export const shortSizes: ScaleSizes = { realms: 200, users: 20_000, events: 200_000 }
/** A realm as most are; what the large one is compared with. */
export const smallSizes = { users: 100, events: 1000 }

export const systemRealm = 'master'
export const largeRealm = 'large'
export const smallRealm = 'small'
export const realmName = (number: number) => `r-${String(number).padStart(5, '0')}`
/** Of every user in every realm: hashing a million would take hours. */
export const scalePassword = 'correct-horse-battery-42'

export interface ScaleLoad {
  /** URL of the owning role; the database is migrated and has no realm. */
  adminUrl: string
  sizes: ScaleSizes
  masterKeys: { id: string; key: Buffer }[]
  log?: (line: string) => void
}

// What a realm with a million users fills; loaded without indexes and foreign keys.
const bulkTables = ['users', 'login_names', 'user_attribute_index', 'user_roles', 'credentials']

/** Without a large realm when the sizes name no users: the database that the large one is compared with. */
export async function loadScale({ adminUrl, sizes, masterKeys, log = () => {} }: ScaleLoad): Promise<void> {
  const client = await openBulkConnection(adminUrl)
  const loading: Loading = { client, url: adminUrl, now: Date.now(), log }
  const passwordHash = await hashNormalised(scalePassword, defaultCost)
  const named = [systemRealm, smallRealm, ...(sizes.users > 0 ? [largeRealm] : [])]
  const others = Array.from({ length: Math.max(0, sizes.realms - named.length) }, (_, at) => realmName(at))
  try {
    await withoutIndexes(client, adminUrl, bulkTables, async () => {
      await timed(loading, `${sizes.realms} realms`, () =>
        loadRealms(loading, { realmIds: [...named, ...others], systemRealm, passwordHash, masterKeys }),
      )
      await loadUsers(loading, { realmId: smallRealm, users: smallSizes.users, passwordHash })
      if (sizes.users > 0)
        await timed(loading, `${sizes.users} users`, () =>
          loadUsers(loading, { realmId: largeRealm, users: sizes.users, passwordHash }),
        )
      log('indexes of users')
    })
    if (sizes.events > 0)
      await timed(loading, `${sizes.events} events`, () =>
        loadEvents(loading, { realmId: largeRealm, events: sizes.events, users: sizes.users, masterKeys }),
      )
    await loadEvents(loading, { realmId: smallRealm, ...smallSizes, masterKeys })
    await timed(loading, 'vacuum and analyze', () => client.query('vacuum analyze'))
  } finally {
    await client.end()
  }
}
