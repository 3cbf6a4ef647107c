import { randomBytes } from 'node:crypto'
import { type Context, jobActor, openContext } from '../../src/domain/context/index.ts'
import { createRealm } from '../../src/domain/realms/index.ts'
import { runTransaction, type Work } from '../../src/platform/db/index.ts'
import { type Answer, type Browser, createBrowser, type RequestOptions } from './browser.ts'
import { getNode, type TestNode } from './node.ts'

export const adminPassword = 'correct-horse-battery-42'

export interface TestRealm {
  node: TestNode
  realmId: string
  /** Signed in as the realm's administrator. */
  admin: Browser
  adminId: string
  /** A call to the admin API of this realm as its administrator. */
  call(method: string, path: string, json?: unknown, options?: RequestOptions): Promise<Answer>
  /** The same as another caller. */
  callAs(browser: Browser, method: string, path: string, json?: unknown, options?: RequestOptions): Promise<Answer>
  /** A user with a password and exactly these permissions, signed in. */
  signInWith(permissions: string[], username?: string): Promise<{ browser: Browser; userId: string; username: string }>
  /** Runs domain code in this realm as the system. */
  run<T>(work: (ctx: Context) => Promise<T>): Promise<T>
  // Tests look into events of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  events(query?: string): Promise<any[]>
}

export interface RealmOptions {
  node?: TestNode
  name?: string
}

// One hash for every administrator of the tests: hashing is what takes time.
const hashes = new Map<string, Promise<string>>()
function hashOf(node: TestNode, password: string): Promise<string> {
  let hash = hashes.get(password)
  if (!hash) {
    hash = node.services.passwords.hash(password)
    hashes.set(password, hash)
  }
  return hash
}

export function contextIn(node: TestNode, realmId: string, work: Work): Context {
  const origin = { sourceIp: '127.0.0.1', userAgent: 'test', traceId: randomBytes(16).toString('hex') }
  return openContext(node.services, work, { realmId, actor: jobActor, origin })
}

export async function createRealmFor(options: RealmOptions = {}): Promise<TestRealm> {
  const node = options.node ?? (await getNode())
  const realmId = options.name ?? `t-${randomBytes(5).toString('hex')}`
  const adminPasswordHash = await hashOf(node, adminPassword)
  const signingKey = await node.services.keySource.take()
  await runTransaction(node.services.db, (work) =>
    createRealm(
      contextIn(node, realmId, work),
      { name: realmId, displayName: null, system: false },
      {
        adminUsername: 'admin',
        adminEmail: null,
        adminPasswordHash,
        passwordTemporary: false,
        signingKey,
      },
    ),
  )
  const admin = createBrowser(node.url)
  const login = await admin.login(realmId, 'admin', adminPassword)
  if (login.status !== 200) throw new Error(`the administrator cannot sign in: ${login.status} ${login.text}`)
  const base = `/admin/realms/${realmId}`
  const callAs: TestRealm['callAs'] = (browser, method, path, json, requestOptions) =>
    method === 'GET'
      ? browser.get(base + path, requestOptions)
      : browser.write(method, base + path, json, requestOptions)
  const realm: TestRealm = {
    node,
    realmId,
    admin,
    adminId: login.body.userId,
    callAs,
    call: (method, path, json, requestOptions) => callAs(admin, method, path, json, requestOptions),
    signInWith: (permissions, username) => signInWith(realm, permissions, username),
    run: (work) => runTransaction(node.services.db, (transaction) => work(contextIn(node, realmId, transaction))),
    events: async (query = '') => (await realm.call('GET', `/events?size=500${query}`)).body.items,
  }
  return realm
}

async function signInWith(
  realm: TestRealm,
  permissions: string[],
  username = `user-${randomBytes(4).toString('hex')}`,
) {
  const { node, realmId } = realm
  const user = (await must(realm.call('POST', '/users', { username, email: `${username}@example.org` }), 201)).body
  const hash = await hashOf(node, adminPassword)
  const { setPassword } = await import('../../src/domain/users/password/index.ts')
  await realm.run((ctx) => setPassword(ctx, user.userId, { hash, temporary: false, historyCount: 5 }))
  if (permissions.length > 0) {
    const role = (await must(realm.call('POST', '/roles', { name: `role-${username}` }), 201)).body
    await must(realm.call('PUT', `/admin-roles/${role.roleId}`, { permissions }), 200)
    await must(realm.call('POST', `/users/${user.userId}/roles`, { name: role.name }), 201)
  }
  const browser = createBrowser(node.url)
  const login = await browser.login(realmId, username, adminPassword)
  if (login.status !== 200) throw new Error(`${username} cannot sign in: ${login.status} ${login.text}`)
  return { browser, userId: user.userId as string, username }
}

/** An answer that must have this status for the test to make sense. */
export async function must(answer: Promise<Answer>, status: number): Promise<Answer> {
  const got = await answer
  if (got.status !== status) throw new Error(`expected ${status}, got ${got.status}: ${got.text}`)
  return got
}
