import { runRead } from '../../platform/db/index.ts'
import { foldName } from '../../platform/text/index.ts'
import type { Services } from '../context/index.ts'
import { settingsSection } from '../settings/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'
import { maySignIn } from './may-sign-in.ts'
import { findByLoginName } from './store.ts'

export interface NamedPerson {
  userId: string
  username: string
  email: string | null
  locale: string | null
}

/** Whom an application means by a name (login_hint), by the same rules as the sign-in page; null for whoever could not sign in. */
export async function findNamedPerson(
  services: Services,
  realm: RealmSnapshot,
  name: string,
): Promise<NamedPerson | null> {
  const { loginWithEmail } = await realm.section(settingsSection)
  const user = await runRead(() => findByLoginName(services.db, realm.realmId, foldName(name), loginWithEmail))
  if (!user || !maySignIn(user, services.clock.now())) return null
  return { userId: user.id, username: user.username, email: user.email, locale: user.locale }
}
