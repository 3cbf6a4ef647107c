import { runTransaction } from '../../platform/db/index.ts'
import { newToken } from '../../platform/crypto/index.ts'
import { jobActor, openContext, ownOrigin, type Services } from '../context/index.ts'
import { defaultSettings } from '../settings/index.ts'
import { createRealm } from './service.ts'
import { hasAnyRealm, lockBootstrap, selectSystemRealm } from './store.ts'

export interface Bootstrapped {
  realmId: string
  /** Set when a password was made; it is shown once. */
  generatedPassword: string | null
}

/**
 * The system realm of an empty database (contract 1.5). It never runs again: an administrator who deletes things cannot bring
 * the first password back.
 */
export async function bootstrapSystemRealm(services: Services): Promise<Bootstrapped | null> {
  if (await hasAnyRealm(services.db)) return null
  const { realm, adminUsername, adminPassword } = services.config.bootstrap
  const policy = defaultSettings.passwordPolicy
  const password = adminPassword ?? newToken().slice(0, 24)
  if (adminPassword !== null) await warnOnWeakPassword(services, adminUsername, adminPassword)
  const hash = await services.passwords.hash(password, policy)
  const signingKey = await services.keySource.take()
  return runTransaction(services.db, async (work) => {
    await lockBootstrap(work.tx)
    if (await hasAnyRealm(work.tx)) return null
    const ctx = openContext(services, work, { realmId: realm, actor: jobActor, origin: ownOrigin('bootstrap') })
    await createRealm(
      ctx,
      { name: realm, displayName: null, system: true },
      {
        adminUsername,
        adminEmail: null,
        adminPasswordHash: hash,
        passwordTemporary: adminPassword === null,
        signingKey,
      },
    )
    return { realmId: realm, generatedPassword: adminPassword === null ? password : null }
  })
}

/** The realm that was created first stays the system realm, whatever the variable says later. */
export async function readSystemRealm(services: Services): Promise<string> {
  return (await selectSystemRealm(services.db)) ?? services.config.bootstrap.realm
}

async function warnOnWeakPassword(services: Services, username: string, password: string): Promise<void> {
  const { errors } = await services.passwords.checkPassword(defaultSettings.passwordPolicy, {
    password,
    username,
    email: null,
    history: [],
  })
  if (errors.length > 0) {
    services.log.warn(
      { rules: errors.map((error) => error.message) },
      'the bootstrap password breaks the password policy; change it',
    )
  }
}
