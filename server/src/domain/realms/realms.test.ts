import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { systemPassword } from '../../../test/harness/node.ts'
import { must } from '../../../test/harness/realm.ts'
import {
  type Browser,
  createBrowser,
  createRealmFor,
  getNode,
  startTestNode,
  type TestNode,
} from '../../../test/harness/index.ts'

let node: TestNode
let system: Browser
beforeAll(async () => {
  node = await getNode()
  system = createBrowser(node.url)
  await must(system.login('master', 'admin', systemPassword), 200)
})

const unique = (prefix: string) => `${prefix}-${Math.random().toString(36).slice(2, 10)}`

describe('realms', () => {
  it('are created with their administrator, roles, key and settings', async () => {
    const name = unique('acme')
    const answer = await system.write('POST', '/admin/realms', { name, displayName: 'Acme' })
    expect(answer.status).toBe(201)
    expect(answer.headers.location).toBe(`/admin/realms/${name}`)
    expect(answer.body).toMatchObject({
      realmId: name,
      displayName: 'Acme',
      enabled: true,
      adminPassword: expect.any(String),
    })
    const base = `/admin/realms/${name}`
    const names = (await system.get(`${base}/admin-roles`)).body.map(
      (role: { roleName: string; permissions: string[] }) => [role.roleName, role.permissions],
    )
    expect(names).toEqual([
      ['admin', ['realm-admin']],
      ['auditor', ['view-users', 'view-clients', 'view-events']],
      ['user', []],
    ])
    expect((await system.get(`${base}/keys`)).body).toMatchObject([
      { algorithm: 'RSA', status: 'ACTIVE', rotatedAt: null },
    ])
    const settings = (await system.get(`${base}/settings`)).body
    expect(settings).toMatchObject({ displayName: 'Acme', logoUrl: null, primaryColor: null, customCss: null })
    const users = (await system.get(`${base}/users`)).body
    expect(users).toMatchObject([{ username: 'admin', roles: ['admin', 'user'], requiredActions: ['UPDATE_PASSWORD'] }])
    const login = await createBrowser(node.url).login(name, 'admin', answer.body.adminPassword)
    expect(login.body).toMatchObject({ requiredAction: 'UPDATE_PASSWORD' })
  })

  it('S5 refuse reserved and malformed names, and names that are taken', async () => {
    for (const name of [
      'admin',
      'realms',
      'monitoring',
      'v3',
      'interactive-docs',
      'Acme',
      '-x',
      'a_b',
      '..',
      'a/b',
      'а',
      '',
      'x'.repeat(64),
    ]) {
      const answer = await system.write('POST', '/admin/realms', { name })
      expect(answer.body, name).toMatchObject({ status: 400, errors: [{ field: 'name' }] })
    }
    const name = unique('twice')
    await must(system.write('POST', '/admin/realms', { name }), 201)
    expect((await system.write('POST', '/admin/realms', { name })).body).toMatchObject({
      status: 409,
      errors: [{ field: 'name' }],
    })
  })

  it('are listed by name for the system realm, and only their own for anybody else', async () => {
    const realm = await createRealmFor()
    expect((await realm.admin.get('/admin/realms')).body).toMatchObject([{ realmId: realm.realmId }])
    expect((await realm.admin.get('/admin/realms/master')).body).toMatchObject({ status: 404, code: 'realm_not_found' })
    expect((await realm.admin.write('POST', '/admin/realms', { name: unique('no') })).body.code).toBe('forbidden')
    const all = (await system.get(`/admin/realms?size=1000`)).body.map((entry: { realmId: string }) => entry.realmId)
    expect(all).toContain(realm.realmId)
    expect(all).toEqual([...all].sort())
    expect((await system.get(`/admin/realms?search=${realm.realmId}`)).body).toHaveLength(1)
  })

  it('can be disabled: its own people are refused, the system realm acts on', async () => {
    const realm = await createRealmFor()
    await must(system.write('PUT', `/admin/realms/${realm.realmId}`, { displayName: null, enabled: false }), 200)
    expect((await realm.call('GET', '/users')).body).toMatchObject({ status: 403, code: 'realm_disabled' })
    expect((await createBrowser(node.url).get(`/realms/${realm.realmId}/login`)).status).toBe(403)
    expect((await system.get(`/admin/realms/${realm.realmId}/users`)).status).toBe(200)
    await must(system.write('PUT', `/admin/realms/${realm.realmId}`, { enabled: true }), 200)
    expect((await realm.call('GET', '/users')).status).toBe(200)
  })

  it('are never emptied by a purge that was not preceded by their deletion', async () => {
    const realm = await createRealmFor()
    await realm.run((ctx) => ctx.services.jobs.enqueue(ctx.tx, { name: 'realms.purge' }, { realmId: realm.realmId }))
    await sleep(2500)
    expect((await realm.call('GET', '/users')).body).toHaveLength(1)
  })

  it('refuse to lose the system realm', async () => {
    expect((await system.write('DELETE', '/admin/realms/master?confirm=master')).body.code).toBe('protected')
    expect((await system.write('PUT', '/admin/realms/master', { enabled: false })).body.code).toBe('protected')
  })

  it('vanish on every node at once when deleted, keep their name until purged, and leave no row behind', async () => {
    const second = await startTestNode({ database: { url: node.databaseUrl, adminUrl: node.adminDatabaseUrl } })
    const realm = await createRealmFor({ node })
    const other = createBrowser(second.url)
    await must(other.login('master', 'admin', systemPassword), 200)
    await must(other.get(`/admin/realms/${realm.realmId}/users`), 200)
    expect((await system.write('DELETE', `/admin/realms/${realm.realmId}`)).body).toMatchObject({
      status: 400,
      errors: [{ field: 'confirm' }],
    })
    await must(system.write('DELETE', `/admin/realms/${realm.realmId}?confirm=${realm.realmId}`), 204)
    const path = `/admin/realms/${realm.realmId}/users`
    expect((await other.get(path)).body).toMatchObject({ status: 404, code: 'realm_not_found' })
    expect((await system.get(path)).status).toBe(404)
    expect((await realm.admin.get(path)).status).toBe(404)
    expect((await system.write('POST', '/admin/realms', { name: realm.realmId })).status).toBe(409)
    for (let wait = 0; wait < 100; wait++) {
      if ((await system.write('POST', '/admin/realms', { name: realm.realmId })).status === 201) break
      await sleep(100)
    }
    const again = (await system.get(`/admin/realms/${realm.realmId}/events`)).body
    expect(again.total).toBe(0)
    expect((await other.get(path)).body).toHaveLength(1)
    await second.stop()
  }, 30_000)
})

describe('the system realm', () => {
  it('acts on every realm, and the event belongs to the realm acted on', async () => {
    const realm = await createRealmFor()
    const { body } = await must(
      system.write('POST', `/admin/realms/${realm.realmId}/users`, { username: 'made-by-system' }),
      201,
    )
    const events = await realm.events('&type=ADMIN_CREATE')
    expect(events[0]).toMatchObject({ resourceType: 'users', resourceId: body.userId, actorName: 'admin' })
    expect(events[0].actor).not.toBe(realm.adminId)
  })

  it('lets in only holders of realm-admin: its other users are nobody elsewhere', async () => {
    const realm = await createRealmFor()
    const created = await must(system.write('POST', '/admin/realms/master/users', { username: unique('clerk') }), 201)
    await must(
      system.write('PUT', `/admin/realms/master/users/${created.body.userId}/password`, {
        newPassword: systemPassword,
      }),
      204,
    )
    await must(
      system.write('POST', `/admin/realms/master/users/${created.body.userId}/roles`, { name: 'auditor' }),
      201,
    )
    const clerk = createBrowser(node.url)
    await must(clerk.login('master', created.body.username, systemPassword), 200)
    expect((await clerk.get('/admin/realms/master/users')).status).toBe(200)
    expect((await clerk.get(`/admin/realms/${realm.realmId}/users`)).status).toBe(401)
  })
})
