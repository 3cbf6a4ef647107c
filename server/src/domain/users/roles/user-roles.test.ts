import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../../test/harness/index.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await createRealmFor()
})

async function createUser(username: string) {
  return (await realm.call('POST', '/users', { username })).body
}

async function roleIdOf(name: string): Promise<string> {
  return (await realm.call('GET', '/roles')).body.find((role: { name: string }) => role.name === name).roleId
}

test('assigns a role with 201, again with 200, and takes it away with 204', async () => {
  const user = await createUser('ada')
  const before = await realm.call('GET', `/users/${user.userId}`)
  const answer = await realm.call('POST', `/users/${user.userId}/roles`, { name: 'auditor' })
  const roleId = await roleIdOf('auditor')
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    roleId,
    name: 'auditor',
    description: expect.any(String),
    clientId: null,
    source: 'DIRECT',
  })
  expect(answer.headers.location).toBe(`/admin/realms/${realm.realmId}/users/${user.userId}/roles/${roleId}`)
  expect((await realm.call('POST', `/users/${user.userId}/roles`, { name: 'auditor' })).status).toBe(200)
  const after = await realm.call('GET', `/users/${user.userId}`)
  expect(after.body.roles).toEqual(['auditor', 'user'])
  expect(after.headers.etag).not.toBe(before.headers.etag)

  expect((await realm.call('DELETE', `/users/${user.userId}/roles/${roleId}`)).status).toBe(204)
  expect((await realm.call('DELETE', `/users/${user.userId}/roles/${roleId}`)).status).toBe(404)
  expect(
    (await realm.call('GET', `/users/${user.userId}/roles`)).body.map((role: { name: string }) => role.name),
  ).toEqual(['user'])
})

test('shows the roles held through composite roles on demand', async () => {
  const user = await createUser('ada')
  await realm.call('POST', '/roles', { name: 'inner' })
  await realm.call('POST', '/roles', { name: 'middle', compositeRoleNames: ['inner', 'user'] })
  await realm.call('POST', '/roles', { name: 'outer', compositeRoleNames: ['middle'] })
  await realm.call('POST', `/users/${user.userId}/roles`, { name: 'outer' })
  const sources = async (query: string) =>
    (await realm.call('GET', `/users/${user.userId}/roles${query}`)).body.map(
      (role: { name: string; source: string }) => [role.name, role.source],
    )
  expect(await sources('')).toEqual([
    ['outer', 'DIRECT'],
    ['user', 'DIRECT'],
  ])
  expect(await sources('?effective=true')).toEqual([
    ['inner', 'COMPOSITE'],
    ['middle', 'COMPOSITE'],
    ['outer', 'DIRECT'],
    ['user', 'DIRECT'],
  ])
  const page = await realm.call('GET', `/users/${user.userId}/roles?effective=true&size=2&count=true`)
  expect([page.body.length, page.headers['x-total-count']]).toEqual([2, '4'])
  expect(await sources(`?effective=true&after=${page.body[1].roleId}`)).toEqual([
    ['outer', 'DIRECT'],
    ['user', 'DIRECT'],
  ])
})

test('answers 404 for an unknown role, user or id', async () => {
  const user = await createUser('ada')
  expect((await realm.call('POST', `/users/${user.userId}/roles`, { name: 'nobody' })).status).toBe(404)
  expect((await realm.call('DELETE', `/users/${user.userId}/roles/nonsense`)).status).toBe(404)
  expect((await realm.call('GET', `/users/${await roleIdOf('user')}/roles`)).status).toBe(404)
  const other = await createRealmFor()
  expect((await other.call('GET', `/users/${user.userId}/roles`)).status).toBe(404)
  expect((await other.call('POST', `/users/${user.userId}/roles`, { name: 'user' })).status).toBe(404)
})

test('the events of an assignment name the user and the role', async () => {
  const user = await createUser('ada')
  await realm.call('POST', `/users/${user.userId}/roles`, { name: 'auditor' })
  const [event] = await realm.events('&type=ADMIN_CREATE')
  expect(event).toMatchObject({ resourceType: 'users', resourceId: user.userId })
  expect(JSON.parse(event.detail)).toEqual({ roleAssigned: 'auditor' })
})

test('S12: a role taken away counts from the next request on', async () => {
  const caller = await realm.signInWith(['view-users'])
  expect((await realm.callAs(caller.browser, 'GET', '/users')).status).toBe(200)
  await realm.call('DELETE', `/users/${caller.userId}/roles/${await roleIdOf(`role-${caller.username}`)}`)
  expect((await realm.callAs(caller.browser, 'GET', '/users')).status).toBe(403)
})

test('the last administrator keeps realm-admin; a disabled one and a service account do not count', async () => {
  const adminRole = await roleIdOf('admin')
  const answer = await realm.call('DELETE', `/users/${realm.adminId}/roles/${adminRole}`)
  expect([answer.status, answer.body.code]).toEqual([409, 'last_admin'])

  const second = await createUser('second')
  await realm.call('POST', `/users/${second.userId}/roles`, { name: 'admin' })
  await realm.call('PUT', `/users/${second.userId}`, { username: 'second', enabled: false })
  expect((await realm.call('DELETE', `/users/${realm.adminId}/roles/${adminRole}`)).status).toBe(409)

  await realm.call('PUT', `/users/${second.userId}`, { username: 'second', enabled: true })
  await realm.run(({ tx }) =>
    tx
      .updateTable('users')
      .set({ service_account_client_id: 'app' })
      .where('realm_id', '=', realm.realmId)
      .where('id', '=', second.userId)
      .execute(),
  )
  expect((await realm.call('DELETE', `/users/${realm.adminId}/roles/${adminRole}`)).status).toBe(409)
})

test('of two parallel removals of the last two administrators exactly one succeeds', async () => {
  const second = await createUser('second')
  await realm.call('POST', `/users/${second.userId}/roles`, { name: 'admin' })
  const roleId = await roleIdOf('admin')
  // Both are held up where they write their events, that is after their check and before their commit: neither can see what
  // the other one did unless it waits for it.
  const answers = await realm.run(async ({ tx }) => {
    await sql`lock table audit_rollups in share mode`.execute(tx)
    const removals = [realm.adminId, second.userId].map((userId) =>
      realm.call('DELETE', `/users/${userId}/roles/${roleId}`),
    )
    await sleep(500)
    return { removals }
  })
  const statuses = (await Promise.all(answers.removals)).map((answer) => answer.status)
  expect(statuses.sort()).toEqual([204, 409])
})
