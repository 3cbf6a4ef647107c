import type { Browser, TestRealm } from '../harness/index.ts'
import { createBrowser } from '../harness/index.ts'
import { adminPassword, contextIn, must } from '../harness/realm.ts'
import { setPassword } from '../../src/domain/users/password/index.ts'
import { runTransaction } from '../../src/platform/db/index.ts'

export interface SignedIn {
  browser: Browser
  userId: string
  username: string
}

// One hash for everybody: hashing is what takes time.
let hash: Promise<string> | undefined

/** Somebody with exactly these permissions, signed in. Works in the system realm, too. */
export async function signIn(
  at: Pick<TestRealm, 'node' | 'realmId' | 'call'>,
  permissions: string[],
  username: string,
): Promise<SignedIn> {
  const { node, realmId } = at
  const { userId } = (await must(at.call('POST', '/users', { username, email: `${username}@example.org` }), 201)).body
  hash ??= node.services.passwords.hash(adminPassword)
  const ready = await hash
  await runTransaction(node.services.db, (work) =>
    setPassword(contextIn(node, realmId, work), userId, { hash: ready, temporary: false, historyCount: 5 }),
  )
  if (permissions.length > 0) {
    const role = (await must(at.call('POST', '/roles', { name: `role-${username}` }), 201)).body
    await must(at.call('PUT', `/admin-roles/${role.roleId}`, { permissions }), 200)
    await must(at.call('POST', `/users/${userId}/roles`, { name: role.name }), 201)
  }
  const browser = createBrowser(node.url)
  await must(browser.login(realmId, username, adminPassword), 200)
  return { browser, userId, username }
}
