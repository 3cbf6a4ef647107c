import { beforeEach, describe, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../test/harness/index.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await createRealmFor()
})

async function roleNamed(name: string) {
  const { body } = await realm.call('GET', '/roles')
  return body.find((role: { name: string }) => role.name === name)
}

async function createRole(name: string, compositeRoleNames: string[] = []) {
  const answer = await realm.call('POST', '/roles', { name, compositeRoleNames })
  expect(answer.status).toBe(201)
  return answer.body
}

describe('the record', () => {
  test('a fresh realm has admin, auditor and the default role user', async () => {
    const { body } = await realm.call('GET', '/roles')
    expect(body.map((role: { name: string }) => role.name)).toEqual(['admin', 'auditor', 'user'])
    expect(body.map((role: { defaultRole: boolean }) => role.defaultRole)).toEqual([false, false, true])
    expect(body[2]).toEqual({
      realmId: realm.realmId,
      roleId: expect.any(String),
      name: 'user',
      description: expect.any(String),
      defaultRole: true,
      composite: false,
      compositeRoleNames: [],
      createdAt: expect.any(Number),
    })
  })

  test('is created with Location and ETag, replaced as a whole and patched in part', async () => {
    const created = await realm.call('POST', '/roles', { name: 'support', description: 'First line' })
    expect(created.status).toBe(201)
    expect(created.headers.location).toBe(`/admin/realms/${realm.realmId}/roles/${created.body.roleId}`)
    const path = `/roles/${created.body.roleId}`
    const read = await realm.call('GET', path)
    expect(read.body).toEqual(created.body)

    const patched = await realm.call(
      'PATCH',
      path,
      { compositeRoleNames: ['user'] },
      { type: 'application/merge-patch+json' },
    )
    expect(patched.body).toMatchObject({ description: 'First line', composite: true, compositeRoleNames: ['user'] })
    const stale = await realm.call('PUT', path, read.body, { headers: { 'if-match': String(read.headers.etag) } })
    expect(stale.status).toBe(412)
    const replaced = await realm.call(
      'PUT',
      path,
      { name: 'helpdesk' },
      { headers: { 'if-match': String(patched.headers.etag) } },
    )
    expect(replaced.body).toMatchObject({
      name: 'helpdesk',
      description: null,
      composite: false,
      compositeRoleNames: [],
    })
    expect((await realm.call('GET', path)).headers.etag).toBe(replaced.headers.etag)
  })

  test('a record that was read can be sent back; S11: what is read-only stays as it was', async () => {
    const role = await createRole('support')
    const answer = await realm.call('PUT', `/roles/${role.roleId}`, {
      ...role,
      defaultRole: true,
      createdAt: 1,
      realmId: 'other',
      roleId: realm.adminId,
      composite: true,
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(role)
    expect((await roleNamed('user')).defaultRole).toBe(true)
  })

  test('pages in the order of the name with a cursor', async () => {
    for (const name of ['delta', 'bravo', 'charlie']) await createRole(name)
    const seen: string[] = []
    let path: string | null = '/roles?size=2&count=true'
    while (path) {
      const { body, headers } = await realm.call('GET', path)
      expect(headers['x-total-count']).toBe('6')
      seen.push(...body.map((role: { name: string }) => role.name))
      path = /<\/admin\/realms\/[^/]+([^>]+)>/.exec(String(headers.link ?? ''))?.[1] ?? null
    }
    expect(seen).toEqual(['admin', 'auditor', 'bravo', 'charlie', 'delta', 'user'])
    expect((await realm.call('GET', '/roles?after=nonsense')).body.errors[0].field).toBe('after')
  })

  test('refuses a taken name, an unknown member and a name with a space at its end, naming the member', async () => {
    const taken = await realm.call('POST', '/roles', { name: 'user' })
    expect([taken.status, taken.body.code, taken.body.errors[0].field]).toEqual([409, 'conflict', 'name'])
    const role = await createRole('support')
    const renamed = await realm.call('PUT', `/roles/${role.roleId}`, { name: 'user' })
    expect([renamed.status, renamed.body.errors[0].field]).toEqual([409, 'name'])
    expect((await realm.call('POST', '/roles', { name: 'x', permissions: ['realm-admin'] })).body.code).toBe(
      'unknown_field',
    )
    expect((await realm.call('POST', '/roles', { name: 'x ' })).body.errors[0].field).toBe('name')
  })

  test('of parallel creations with one name exactly one succeeds', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => realm.call('POST', '/roles', { name: 'race' })))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409])
  })
})

describe('composite roles', () => {
  test('refuses names that are not there, each by its place', async () => {
    const answer = await realm.call('POST', '/roles', { name: 'x', compositeRoleNames: ['user', 'nobody', 'nothing'] })
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual([
      'compositeRoleNames[1]',
      'compositeRoleNames[2]',
    ])
  })

  test('refuses a circle of any length', async () => {
    const one = await createRole('one')
    await createRole('two', ['one'])
    await createRole('three', ['two'])
    for (const child of ['one', 'two', 'three']) {
      const answer = await realm.call('PUT', `/roles/${one.roleId}`, { name: 'one', compositeRoleNames: [child] })
      expect([answer.status, answer.body.errors[0].field]).toEqual([400, 'compositeRoleNames'])
    }
    expect((await realm.call('POST', '/roles', { name: 'self', compositeRoleNames: ['self'] })).status).toBe(400)
  })

  test('two parallel changes cannot build a circle together', async () => {
    const one = await createRole('one')
    const two = await createRole('two')
    const answers = await Promise.all([
      realm.call('PUT', `/roles/${one.roleId}`, { name: 'one', compositeRoleNames: ['two'] }),
      realm.call('PUT', `/roles/${two.roleId}`, { name: 'two', compositeRoleNames: ['one'] }),
    ])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400])
  })

  test('the ETag of a composite role changes with the name of a role in it', async () => {
    const child = await createRole('child')
    const parent = await createRole('parent', ['child'])
    const before = await realm.call('GET', `/roles/${parent.roleId}`)
    await realm.call('PUT', `/roles/${child.roleId}`, { name: 'renamed' })
    const after = await realm.call('GET', `/roles/${parent.roleId}`, undefined, {
      headers: { 'if-none-match': String(before.headers.etag) },
    })
    expect([after.status, after.body?.compositeRoleNames]).toEqual([200, ['renamed']])
    await realm.call('DELETE', `/roles/${child.roleId}`)
    expect((await realm.call('GET', `/roles/${parent.roleId}`)).body.composite).toBe(false)
  })
})

describe('what is protected', () => {
  test('admin can be neither deleted nor renamed, the default role not deleted', async () => {
    const admin = await roleNamed('admin')
    const user = await roleNamed('user')
    for (const answer of [
      await realm.call('DELETE', `/roles/${admin.roleId}`),
      await realm.call('PUT', `/roles/${admin.roleId}`, { name: 'root' }),
      await realm.call('DELETE', `/roles/${user.roleId}`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'protected'])
    }
  })

  test('exactly one role is the default, and new users get it', async () => {
    const user = await roleNamed('user')
    const role = await createRole('member')
    const answer = await realm.call('PUT', `/roles/${role.roleId}/default`)
    expect([answer.status, answer.body.defaultRole]).toEqual([200, true])
    const { body } = await realm.call('GET', '/roles')
    expect(
      body.filter((entry: { defaultRole: boolean }) => entry.defaultRole).map((entry: { name: string }) => entry.name),
    ).toEqual(['member'])
    expect((await realm.call('POST', '/users', { username: 'ada' })).body.roles).toEqual(['member'])
    expect((await realm.call('DELETE', `/roles/${user.roleId}`)).status).toBe(204)
    expect((await realm.call('PUT', `/roles/${role.roleId}/default`)).status).toBe(200)
  })

  test('two parallel changes of the default leave one default', async () => {
    const one = await createRole('one')
    const two = await createRole('two')
    const answers = await Promise.all([one, two].map((role) => realm.call('PUT', `/roles/${role.roleId}/default`)))
    expect(answers.map((answer) => answer.status)).toEqual([200, 200])
    const { body } = await realm.call('GET', '/roles')
    expect(body.filter((role: { defaultRole: boolean }) => role.defaultRole)).toHaveLength(1)
  })

  test('the role through which the last administrator holds realm-admin cannot be deleted or emptied', async () => {
    const chief = await createRole('chief', ['admin'])
    const admin = await roleNamed('admin')
    await realm.call('POST', `/users/${realm.adminId}/roles`, { name: 'chief' })
    expect((await realm.call('DELETE', `/users/${realm.adminId}/roles/${admin.roleId}`)).status).toBe(204)
    for (const answer of [
      await realm.call('DELETE', `/roles/${chief.roleId}`),
      await realm.call('PUT', `/roles/${chief.roleId}`, { name: 'chief', compositeRoleNames: [] }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'last_admin'])
    }
    expect((await realm.call('GET', '/roles')).status).toBe(200)
  })

  test('a role of another realm is not there', async () => {
    const other = await createRealmFor()
    const foreign = (await other.call('POST', '/roles', { name: 'x' })).body
    const missing = await realm.call('GET', `/roles/${realm.adminId}`)
    const answer = await realm.call('GET', `/roles/${foreign.roleId}`)
    expect([answer.status, answer.body.detail]).toEqual([404, missing.body.detail])
    expect((await realm.call('DELETE', `/roles/${foreign.roleId}`)).status).toBe(404)
    expect((await realm.call('POST', '/roles', { name: 'y', compositeRoleNames: ['x'] })).status).toBe(400)
  })
})
