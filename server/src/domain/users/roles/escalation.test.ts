import { beforeEach, expect, test } from 'vitest'
import { createRealmFor, type Browser, type TestRealm } from '../../../../test/harness/index.ts'
import { permissionKeys } from '../../permissions/index.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await createRealmFor()
})

async function roles(): Promise<Map<string, string>> {
  const { body } = await realm.call('GET', '/roles?size=1000')
  return new Map(body.map((role: { name: string; roleId: string }) => [role.name, role.roleId]))
}

async function heldBy(browser: Browser): Promise<string[]> {
  return (await realm.callAs(browser, 'GET', '/whoami')).body.permissions
}

type Call = [method: string, path: string, json?: unknown]

/** Every call of the routes about roles that could bring the caller, or somebody the caller commands, something new. */
function attempts(
  byName: Map<string, string>,
  permissions: string[],
  callerId: string,
  callerRole: string,
  puppetId: string,
): Call[] {
  const own = byName.get(callerRole)!
  const calls: Call[] = []
  for (const permission of permissionKeys) {
    calls.push(['PUT', `/admin-roles/${own}`, { permissions: [...permissions, permission] }])
    calls.push(['PUT', `/admin-roles/${byName.get('user')}`, { permissions: [permission] }])
  }
  for (const [name, roleId] of byName) {
    calls.push(['POST', `/users/${callerId}/roles`, { name }])
    calls.push(['POST', `/users/${puppetId}/roles`, { name }])
    calls.push(['PUT', `/roles/${roleId}/default`])
    calls.push(['POST', '/roles', { name: `new-${name}`, compositeRoleNames: [name] }])
    calls.push(['PUT', `/roles/${own}`, { name: callerRole, compositeRoleNames: [name] }])
    calls.push(['PUT', `/roles/${byName.get('user')}`, { name: 'user', compositeRoleNames: [name] }])
    calls.push(['PATCH', `/roles/${own}`, { compositeRoleNames: [name] }])
  }
  return calls
}

const permissionSets = [...permissionKeys.filter((key) => key !== 'realm-admin'), 'manage-roles and manage-users']

test.each(permissionSets)('S8: an administrator with %s reaches no other permission through roles', async (text) => {
  const permissions = text.split(' and ')
  await realm.call('POST', '/roles', { name: 'chief', compositeRoleNames: ['admin'] })
  const caller = await realm.signInWith(permissions)
  const puppet = (await realm.call('POST', '/users', { username: 'puppet' })).body
  const before = new Set(await heldBy(caller.browser))
  // A second round uses what the first one made possible.
  for (let round = 0, succeeded = true; round < 2 && succeeded; round++) {
    succeeded = false
    for (const [method, path, json] of attempts(
      await roles(),
      permissions,
      caller.userId,
      `role-${caller.username}`,
      puppet.userId,
    )) {
      const type = method === 'PATCH' ? { type: 'application/merge-patch+json' } : {}
      const { status } = await realm.callAs(caller.browser, method, path, json, type)
      expect([200, 201, 400, 403, 404, 409], `${method} ${path}`).toContain(status)
      succeeded ||= status < 300
    }
  }
  expect((await heldBy(caller.browser)).filter((key) => !before.has(key))).toEqual([])
  const held = (await realm.call('GET', `/users/${puppet.userId}/roles?effective=true`)).body.map(
    (role: { roleId: string }) => role.roleId,
  )
  const granted = (await realm.call('GET', '/admin-roles?size=1000')).body
    .filter((entry: { roleId: string }) => held.includes(entry.roleId))
    .flatMap((entry: { permissions: string[] }) => entry.permissions)
  expect(granted.filter((key: string) => !before.has(key))).toEqual([])
})

test('S8: manage-roles neither grants nor takes what its holder does not have', async () => {
  const caller = await realm.signInWith(['manage-roles', 'view-users'])
  const byName = await roles()
  await realm.call('POST', '/roles', { name: 'chief', compositeRoleNames: ['admin', 'auditor'] })
  const chief = (await roles()).get('chief')!
  const refused: Call[] = [
    ['PUT', `/admin-roles/${byName.get('user')}`, { permissions: ['manage-users'] }],
    ['PUT', `/admin-roles/${byName.get('admin')}`, { permissions: [] }],
    ['PUT', `/admin-roles/${byName.get('auditor')}`, { permissions: ['view-users'] }],
    ['POST', '/roles', { name: 'x', compositeRoleNames: ['admin'] }],
    ['PUT', `/roles/${byName.get('user')}`, { name: 'user', compositeRoleNames: ['chief'] }],
    ['PUT', `/roles/${chief}`, { name: 'chief', compositeRoleNames: ['auditor'] }],
    ['PUT', `/roles/${byName.get('admin')}/default`],
    ['PUT', `/roles/${chief}/default`],
    ['DELETE', `/roles/${chief}`],
    ['DELETE', `/roles/${byName.get('auditor')}`],
  ]
  for (const [method, path, json] of refused) {
    const answer = await realm.callAs(caller.browser, method, path, json)
    expect([answer.status, answer.body?.code], `${method} ${path}`).toEqual([403, 'escalation'])
  }
  const allowed: [number, ...Call][] = [
    [200, 'PUT', `/admin-roles/${byName.get('user')}`, { permissions: ['view-users'] }],
    [200, 'PUT', `/roles/${chief}`, { name: 'boss', compositeRoleNames: ['admin', 'auditor', 'user'] }],
    [200, 'PUT', `/roles/${chief}`, { name: 'boss', compositeRoleNames: ['admin', 'auditor'] }],
    [201, 'POST', '/roles', { name: 'y', compositeRoleNames: ['user'] }],
  ]
  for (const [status, method, path, json] of allowed) {
    expect((await realm.callAs(caller.browser, method, path, json)).status, `${method} ${path}`).toBe(status)
  }
  const denied = (await realm.events('&outcome=FAILURE')).filter((event) => event.actor === caller.userId)
  expect(denied).toHaveLength(refused.length)
  expect(denied.every((event) => event.detail === 'denied: escalation')).toBe(true)
})

test('S8: manage-users neither assigns nor removes a role beyond what its holder has', async () => {
  const caller = await realm.signInWith(['manage-users'])
  const byName = await roles()
  const second = (await realm.call('POST', '/users', { username: 'second' })).body
  await realm.call('POST', `/users/${second.userId}/roles`, { name: 'admin' })
  for (const name of ['admin', 'auditor']) {
    const answer = await realm.callAs(caller.browser, 'POST', `/users/${caller.userId}/roles`, { name })
    expect([answer.status, answer.body.code], name).toEqual([403, 'escalation'])
  }
  const answer = await realm.callAs(caller.browser, 'DELETE', `/users/${second.userId}/roles/${byName.get('admin')}`)
  expect([answer.status, answer.body.code]).toEqual([403, 'escalation'])
  expect(
    (await realm.callAs(caller.browser, 'DELETE', `/users/${second.userId}/roles/${byName.get('user')}`)).status,
  ).toBe(204)
})
