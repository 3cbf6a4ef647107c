// S8, contract 5.2: managing clients is no way to anything that the manager does not hold.
import { beforeEach, describe, expect, test } from 'vitest'
import { type Browser, createRealmFor, type TestRealm } from '../../../test/harness/index.ts'
import { must } from '../../../test/harness/realm.ts'

let realm: TestRealm
let manager: Browser
beforeEach(async () => {
  realm = await createRealmFor()
  manager = (await realm.signInWith(['manage-clients'])).browser
})

async function call(method: string, path: string, json?: unknown) {
  const options = method === 'PATCH' ? { type: 'application/merge-patch+json' } : {}
  const answer = await realm.callAs(manager, method, path, json, options)
  return answer.status < 300 ? 'done' : `${answer.status} ${answer.body.code}`
}

async function makeMachine(clientId: string, role?: string) {
  const client = (await realm.call('POST', '/clients', { clientId, grantTypes: ['client_credentials'] })).body
  if (role) await must(realm.call('POST', `/clients/${client.id}/service-account/roles`, { name: role }), 201)
  return client
}

/** Every way to speak for a client: know its secret, replace its proof, send its people elsewhere, widen its tokens. */
const takeovers = (id: string): [string, string, unknown?][] => [
  ['GET', `/clients/${id}/secret`],
  ['POST', `/clients/${id}/secret`, { graceSeconds: 60 }],
  ['PATCH', `/clients/${id}`, { name: 'mine' }],
  ['PATCH', `/clients/${id}`, { redirectUris: ['https://evil.example/cb'] }],
  ['PUT', `/clients/${id}`, { tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: 'https://evil.example/jwks' }],
  ['PUT', `/clients/${id}/allowed-resources`, { allowedResources: ['https://api.example.com'] }],
  ['POST', `/clients/${id}/mappers`, { name: 'x', type: 'CONSTANT', config: { claim: 'x', value: 'y' } }],
  ['DELETE', `/clients/${id}`],
]

describe('S8', () => {
  test('a client whose service account holds more is closed to whoever only manages clients', async () => {
    const { id } = await makeMachine('chief', 'admin')
    const before = (await realm.call('GET', `/clients/${id}`)).body
    for (const takeover of takeovers(id)) expect(await call(...takeover), takeover.join(' ')).toBe('403 escalation')
    expect((await realm.call('GET', `/clients/${id}`)).body).toEqual(before)
    expect(await realm.events('&type=SECRET_REVEALED')).toEqual([])
  })

  test('what it holds through a composite role counts, and what the manager holds does not stand in the way', async () => {
    await realm.call('POST', '/roles', { name: 'outer', compositeRoleNames: ['auditor'] })
    const { id } = await makeMachine('watcher', 'outer')
    expect(await call('POST', `/clients/${id}/secret`)).toBe('403 escalation')
    manager = (await realm.signInWith(['manage-clients', 'view-users', 'view-events'])).browser
    for (const takeover of takeovers(id)) expect(await call(...takeover), takeover.join(' ')).toBe('done')
  })

  test('a service account gets no role that carries more than the manager holds, nor loses one', async () => {
    const { id } = await makeMachine('machine')
    const roles = `/clients/${id}/service-account/roles`
    await realm.call('POST', '/roles', { name: 'outer', compositeRoleNames: ['admin'] })
    await realm.call('POST', '/roles', { name: 'harmless' })
    for (const name of ['admin', 'auditor', 'outer']) expect(await call('POST', roles, { name })).toBe('403 escalation')
    expect(await call('POST', roles, { name: 'harmless' })).toBe('done')
    const { body } = await realm.call('GET', roles)
    expect(body.map((role: { name: string }) => role.name).toSorted()).toEqual(['harmless', 'user'])
    await realm.call('POST', roles, { name: 'auditor' })
    expect(await call('DELETE', roles, { name: 'auditor' })).toBe('403 escalation')
    expect(await call('DELETE', `${roles}?name=harmless`)).toBe('done')
  })

  test('a client that people hand tokens of the admin API to is made and changed by realm-admins only', async () => {
    const adminApi = `${realm.node.url}/admin`
    for (const audience of [
      adminApi,
      `${adminApi}/`,
      `${adminApi}/realms/${realm.realmId}`,
      adminApi.replace('http', 'HTTP'),
    ]) {
      expect(await call('POST', '/clients', { clientId: 'x', audiences: [audience] }), audience).toBe('403 escalation')
    }
    expect(await call('POST', '/clients', { clientId: adminApi, includeClientIdInAudience: true })).toBe(
      '403 escalation',
    )
    expect(await call('POST', '/clients', { clientId: 'x', audiences: [`${adminApi}istration`] })).toBe('done')
    const plain = await makeMachine('plain')
    expect(await call('PUT', `/clients/${plain.id}/allowed-resources`, { allowedResources: [adminApi] })).toBe(
      '403 escalation',
    )
    expect(await call('PATCH', `/clients/${plain.id}`, { audiences: [adminApi] })).toBe('403 escalation')
    expect(
      (await realm.call('PUT', `/clients/${plain.id}/allowed-resources`, { allowedResources: [adminApi] })).status,
    ).toBe(200)
    for (const takeover of takeovers(plain.id))
      expect(await call(...takeover), takeover.join(' ')).toBe('403 escalation')
  })

  test('a refusal is recorded against the manager', async () => {
    const { id } = await makeMachine('chief', 'admin')
    await call('POST', `/clients/${id}/secret`)
    const [event] = await realm.events('&outcome=FAILURE')
    expect(event).toMatchObject({ resourceType: 'clients', resourceId: id, detail: 'denied: escalation' })
  })

  test('nobody signs in as a service account', async () => {
    const { serviceAccountUserId, secret } = await makeMachine('machine')
    const hash = await realm.node.services.passwords.hash('correct-horse-battery-42')
    const { setPassword } = await import('../users/password/index.ts')
    await realm.run((ctx) => setPassword(ctx, serviceAccountUserId, { hash, temporary: false, historyCount: 5 }))
    const { createBrowser } = await import('../../../test/harness/index.ts')
    for (const password of ['correct-horse-battery-42', secret]) {
      const login = await createBrowser(realm.node.url).login(realm.realmId, 'service-account-machine', password)
      expect(login.status).toBe(401)
    }
  })
})
