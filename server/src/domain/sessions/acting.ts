import type { Executor } from '../../platform/db/index.ts'
import type { Services } from '../context/index.ts'
import { expandPermissions, missingPermissions, readPermissionsOfUser } from '../permissions/index.ts'
import { settingsSection } from '../settings/index.ts'
import { readImpersonator } from './acting-store.ts'

/** What the pages tell of a session in which an administrator acts as somebody. */
export interface Acting {
  username: string
  /** What the form that ends it is sent with. */
  csrf: string
}

export interface Impersonator {
  userId: string
  username: string
  /** The realm of the person acted for, or the system realm. */
  realmId: string
  /** Enabled, not locked, and signed in somewhere. */
  isThere: boolean
}

/** The administrator behind an impersonated session: one of the realm itself or of the system realm. */
export async function findImpersonator(
  services: Services,
  realmId: string,
  impersonatorId: string,
  db: Executor = services.db,
): Promise<Impersonator | null> {
  for (const home of new Set([realmId, services.config.bootstrap.realm])) {
    const row = await readImpersonator(db, home, impersonatorId, services.clock.now())
    if (!row) continue
    const lockedOut = row.locked && row.locked_until === null
    const isThere = row.enabled && !lockedOut && row.signed_in
    return { userId: impersonatorId, username: row.username, realmId: home, isThere }
  }
  return null
}

/**
 * Whether an administrator may still act as somebody. Asked with every use of such a session and of what came of it, on the
 * primary: who is disabled, signs out, loses the permission or is overtaken by the person's own ends with it at once, on every
 * node and across realms (S9, S12).
 */
export async function mayStillActFor(
  services: Services,
  realmId: string,
  { impersonatorId, userId }: { impersonatorId: string; userId: string },
  db: Executor = services.db,
): Promise<boolean> {
  const realm = await services.snapshots.find(realmId)
  if (!realm || !(await realm.section(settingsSection)).impersonationEnabled) return false
  const impersonator = await findImpersonator(services, realmId, impersonatorId, db)
  if (!impersonator?.isThere) return false
  const held = expandPermissions(await readPermissionsOfUser(db, impersonator.realmId, impersonatorId))
  // Whoever comes from the system realm holds everything, or nothing here.
  if (impersonator.realmId !== realmId) return held.has('realm-admin')
  const target = await readPermissionsOfUser(db, realmId, userId)
  return held.has('manage-users') && missingPermissions(held, target).length === 0
}
