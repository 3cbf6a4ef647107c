import { beforeEach, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../test/harness/index.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await createRealmFor()
})

async function entryOf(roleName: string) {
  const { body } = await realm.call('GET', '/admin-roles')
  return body.find((entry: { roleName: string }) => entry.roleName === roleName)
}

test('lists every realm role, also those without permissions, sorted by name', async () => {
  const { body } = await realm.call('GET', '/admin-roles')
  expect(body).toEqual([
    { realmId: realm.realmId, roleId: expect.any(String), roleName: 'admin', permissions: ['realm-admin'] },
    {
      realmId: realm.realmId,
      roleId: expect.any(String),
      roleName: 'auditor',
      permissions: ['view-users', 'view-clients', 'view-events'],
    },
    { realmId: realm.realmId, roleId: expect.any(String), roleName: 'user', permissions: [] },
  ])
  const page = await realm.call('GET', '/admin-roles?size=2')
  expect(page.body).toHaveLength(2)
  expect(page.headers.link).toContain(`after=${page.body[1].roleId}`)
})

test('shows the catalogue of the specification', async () => {
  const { body } = await realm.call('GET', '/admin-roles/permissions')
  expect(body).toHaveLength(12)
  expect(body[0]).toEqual({ key: 'realm-admin', label: 'full realm administration (super-grant)' })
})

test('replaces the whole set, collapses duplicates and keeps the order of the catalogue', async () => {
  const { roleId } = await entryOf('user')
  const answer = await realm.call('PUT', `/admin-roles/${roleId}`, {
    permissions: ['view-events', 'view-users', 'view-events'],
  })
  expect([answer.status, answer.body.permissions]).toEqual([200, ['view-users', 'view-events']])
  const role = await realm.call('GET', `/roles/${roleId}`)
  expect(role.headers.etag).toBe(answer.headers.etag)
  const again = await realm.call('PUT', `/admin-roles/${roleId}`, { ...answer.body, permissions: [] })
  expect([again.status, again.body.permissions]).toEqual([200, []])
  expect((await entryOf('user')).permissions).toEqual([])
})

test('refuses an unknown key by its place, a missing list, and a role that is not there', async () => {
  const { roleId } = await entryOf('user')
  const answer = await realm.call('PUT', `/admin-roles/${roleId}`, { permissions: ['view-users', 'fly', 'swim'] })
  expect(answer.status).toBe(400)
  expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual([
    'permissions[1]',
    'permissions[2]',
  ])
  expect((await realm.call('PUT', `/admin-roles/${roleId}`, {})).body.errors[0].field).toBe('permissions')
  expect((await realm.call('PUT', `/admin-roles/${realm.adminId}`, { permissions: [] })).status).toBe(404)
  expect((await realm.call('PUT', '/admin-roles/x', { permissions: [] })).status).toBe(404)
})

test('emptying the last grant of realm-admin is refused', async () => {
  const { roleId } = await entryOf('admin')
  const answer = await realm.call('PUT', `/admin-roles/${roleId}`, { permissions: ['manage-users'] })
  expect([answer.status, answer.body.code]).toEqual([409, 'last_admin'])
  expect((await entryOf('admin')).permissions).toEqual(['realm-admin'])
})

test('S12: a change counts from the next request of a holder on', async () => {
  const caller = await realm.signInWith(['view-users'])
  const { roleId } = await entryOf(`role-${caller.username}`)
  expect((await realm.callAs(caller.browser, 'GET', '/users')).status).toBe(200)
  await realm.call('PUT', `/admin-roles/${roleId}`, { permissions: ['view-events'] })
  expect((await realm.callAs(caller.browser, 'GET', '/users')).status).toBe(403)
  expect((await realm.callAs(caller.browser, 'GET', '/events')).status).toBe(200)
})

test('writes an ADMIN event and a SECURITY event that name what changed', async () => {
  const { roleId } = await entryOf('auditor')
  await realm.call('PUT', `/admin-roles/${roleId}`, { permissions: ['view-users', 'manage-events'] })
  const [admin] = await realm.events('&type=ADMIN_UPDATE')
  expect(admin).toMatchObject({
    resourceType: 'admin-roles',
    resourceId: roleId,
    actor: realm.adminId,
    outcome: 'SUCCESS',
  })
  const [security] = await realm.events('&type=PERMISSION_CHANGED')
  expect(security).toMatchObject({ category: 'SECURITY', resourceId: roleId, actor: realm.adminId })
  expect(JSON.parse(security.detail)).toEqual({
    roleName: 'auditor',
    added: ['manage-events'],
    removed: ['view-clients', 'view-events'],
  })
})

test('a dry run answers what would be and changes nothing', async () => {
  const { roleId } = await entryOf('user')
  const answer = await realm.call('PUT', `/admin-roles/${roleId}?dryRun=true`, { permissions: ['view-users'] })
  expect([answer.status, answer.body.permissions]).toEqual([200, ['view-users']])
  expect((await entryOf('user')).permissions).toEqual([])
  expect(await realm.events('&type=PERMISSION_CHANGED')).toEqual([])
})
