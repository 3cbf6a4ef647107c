// S12: what is taken from somebody on one node is gone with their very next request on every other node.
// Architecture 6: permissions, sessions and the state of people are never cached.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Answer,
  type Browser,
  createBrowser,
  createRealmFor,
  getNode,
  startTestNode,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { must } from '../harness/realm.ts'
import { type SignedIn, signIn } from './sign-in.ts'
import { openSystemStage, type Stage } from './stage.ts'

let second: TestNode
let system: Stage
beforeAll(async () => {
  const first = await getNode()
  second = await startTestNode({ database: { url: first.databaseUrl, adminUrl: first.adminDatabaseUrl } })
  system = await openSystemStage()
})
afterAll(() => second.stop())

let realm: TestRealm
let person: SignedIn
/** The same person with the same cookies, on the other node. */
let elsewhere: Browser

beforeEach(async () => {
  realm = await createRealmFor()
  person = await signIn(realm, ['view-users'], 'person')
  elsewhere = createBrowser(second.url)
  for (const [name, value] of person.browser.cookies) elsewhere.cookies.set(name, value)
  // Whatever the other node might remember, it now does.
  await must(look(), 200)
  await must(look(), 200)
})

const look = (): Promise<Answer> => elsewhere.get(`/admin/realms/${realm.realmId}/users`)

async function roleId(name: string): Promise<string> {
  const roles = (await realm.call('GET', '/roles?size=1000')).body as { name: string; roleId: string }[]
  return roles.find((role) => role.name === name)!.roleId
}

async function write(method: string, path: string, json?: unknown): Promise<void> {
  const options = method === 'PATCH' ? { type: 'application/merge-patch+json' } : {}
  const answer = await realm.call(method, path, json, options)
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
}

type Removal = [what: string, remove: () => Promise<void>, expected: string]
const forbidden = '403 forbidden'
const gone = '401 unauthenticated'
const ended = '401 session_expired'

const removals: Removal[] = [
  [
    'a role taken away',
    async () => write('DELETE', `/users/${person.userId}/roles/${await roleId('role-person')}`),
    forbidden,
  ],
  [
    'a permission taken from the role',
    async () => write('PUT', `/admin-roles/${await roleId('role-person')}`, { permissions: [] }),
    forbidden,
  ],
  [
    'a permission exchanged',
    async () => write('PUT', `/admin-roles/${await roleId('role-person')}`, { permissions: ['view-clients'] }),
    forbidden,
  ],
  ['a deleted role', async () => write('DELETE', `/roles/${await roleId('role-person')}`), forbidden],
  ['a disabled person', () => write('PATCH', `/users/${person.userId}`, { enabled: false }), gone],
  ['a person locked by an administrator', () => write('PATCH', `/users/${person.userId}`, { locked: true }), gone],
  ['a deleted person', () => write('DELETE', `/users/${person.userId}`), gone],
  [
    'a reset password',
    () => write('PUT', `/users/${person.userId}/password`, { newPassword: 'lantern-orchid-47-granite' }),
    gone,
  ],
  [
    'an ended session',
    async () => {
      const sessions = (await realm.call('GET', `/sessions?userId=${person.userId}`)).body as { id: string }[]
      await write('DELETE', `/sessions/${sessions[0]!.id}`)
    },
    gone,
  ],
  ['all sessions of a person', () => write('DELETE', `/sessions?userId=${person.userId}`), gone],
  ['all sessions of the realm', () => write('POST', '/sessions/revoke-all'), gone],
  [
    'a sign-out',
    async () => {
      const headers = { 'x-xsrf-token': person.browser.csrf(), accept: 'application/json' }
      const out = await person.browser.send('POST', `/realms/${realm.realmId}/login/logout`, { headers })
      expect(out.status, out.text).toBe(204)
    },
    gone,
  ],
  [
    'a disabled realm',
    async () => {
      expect((await system.admin.write('PUT', `/admin/realms/${realm.realmId}`, { enabled: false })).status).toBe(200)
    },
    '403 realm_disabled',
  ],
  [
    'a deleted realm',
    async () => {
      const { realmId } = realm
      expect((await system.admin.write('DELETE', `/admin/realms/${realmId}?confirm=${realmId}`)).status).toBe(204)
    },
    '404 realm_not_found',
  ],
]

describe('S12: on the very next request on another node counts', () => {
  test.each(removals)('%s', async (_what, remove, expected) => {
    await remove()
    const answer = await look()
    const got = `${answer.status} ${answer.body?.code}`
    // An ended session and one that never was are told apart only while the row is still there.
    expect(expected === gone ? [gone, ended] : [expected]).toContain(got)
  })

  test('a role taken out of a composite role', async () => {
    await write('POST', '/roles', { name: 'outer', compositeRoleNames: ['role-person'] })
    await write('POST', `/users/${person.userId}/roles`, { name: 'outer' })
    await write('DELETE', `/users/${person.userId}/roles/${await roleId('role-person')}`)
    expect((await look()).status).toBe(200)
    await write('PATCH', `/roles/${await roleId('outer')}`, { compositeRoleNames: [] })
    expect((await look()).body.code).toBe('forbidden')
  })

  test('a right that was given', async () => {
    const events = () => elsewhere.get(`/admin/realms/${realm.realmId}/events`)
    expect((await events()).status).toBe(403)
    await write('PUT', `/admin-roles/${await roleId('role-person')}`, { permissions: ['view-users', 'view-events'] })
    expect((await events()).status).toBe(200)
  })

  test('the system realm’s administrator who lost the role', async () => {
    const username = `deputy-${Date.now().toString(36)}`
    const base = `/admin/realms/${system.realmId}`
    const call: TestRealm['call'] = (method, path, json) => system.admin.write(method, base + path, json)
    const deputy = await signIn({ node: system.node, realmId: system.realmId, call }, ['realm-admin'], username)
    const there = createBrowser(second.url)
    for (const [name, value] of deputy.browser.cookies) there.cookies.set(name, value)
    const path = `/admin/realms/${realm.realmId}/users`
    expect((await there.get(path)).status).toBe(200)
    const roles = (await system.admin.get(`${base}/users/${deputy.userId}/roles`)).body as {
      name: string
      roleId: string
    }[]
    const granted = roles.find(({ name }) => name === `role-${username}`)!
    expect((await call('DELETE', `/users/${deputy.userId}/roles/${granted.roleId}`)).status).toBe(204)
    expect((await there.get(path)).status).toBe(401)
    expect((await there.get('/admin/audit/config')).status).toBe(403)
  })

  test('a session that is used on both nodes keeps one CSRF token', async () => {
    const path = `/admin/realms/${realm.realmId}/users`
    const answer = await elsewhere.write('POST', path, { username: 'x' })
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
  })
})
