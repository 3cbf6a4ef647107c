import { runRead } from '../../platform/db/index.ts'
import { foldName } from '../../platform/text/index.ts'
import type { Services } from '../context/index.ts'
import { settingsSection } from '../settings/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'
import { maySignIn } from './may-sign-in.ts'
import { findByLoginName } from './store.ts'

/** The id of whom an application means by a name (login_hint), by the same rules as the sign-in page; null for whoever could not sign in. */
export async function findNamedPerson(services: Services, realm: RealmSnapshot, name: string): Promise<string | null> {
  const { loginWithEmail } = await realm.section(settingsSection)
  const user = await runRead(() => findByLoginName(services.db, realm.realmId, foldName(name), loginWithEmail))
  return user && maySignIn(user, services.clock.now()) ? user.id : null
}
