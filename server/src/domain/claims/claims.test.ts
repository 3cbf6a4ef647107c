import { beforeEach, describe, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../test/harness/index.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await createRealmFor()
})

const department = { name: 'Department', claim: 'department', source: 'ATTRIBUTE', sourceKey: 'department' }

async function create(members: object = {}) {
  const answer = await realm.call('POST', '/claims', { ...department, ...members })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

describe('a claim mapper', () => {
  test('is created with defaults, read, replaced as a whole and deleted', async () => {
    const created = await realm.call('POST', '/claims', department)
    expect(created.status).toBe(201)
    expect(created.headers.location).toBe(`/admin/realms/${realm.realmId}/claims/${created.body.claimId}`)
    expect(created.body).toEqual({
      realmId: realm.realmId,
      claimId: expect.any(String),
      ...department,
      value: null,
      type: 'STRING',
      multivalued: false,
      inIdToken: true,
      inAccessToken: true,
      inUserinfo: true,
      inIntrospection: true,
      inSaml: false,
    })
    const path = `/claims/${created.body.claimId}`
    const read = await realm.call('GET', path)
    expect(read.body).toEqual(created.body)
    const replaced = await realm.call('PUT', path, { ...read.body, multivalued: true, inIdToken: false })
    expect(replaced.body).toEqual({ ...created.body, multivalued: true, inIdToken: false })
    const stale = await realm.call('PUT', path, read.body, { headers: { 'if-match': String(read.headers.etag) } })
    expect(stale.status).toBe(412)
    expect((await realm.call('DELETE', path)).status).toBe(204)
    expect((await realm.call('GET', path)).status).toBe(404)
  })

  test('keeps a constant of any shape', async () => {
    for (const value of ['text', 5, true, ['a', 'b'], { a: { b: null } }]) {
      const members = { source: 'CONSTANT', sourceKey: null, type: 'JSON', value: JSON.stringify(value) }
      const made = await create({ ...members, name: `as text ${JSON.stringify(value)}` })
      expect(made.value).toBe(JSON.stringify(value))
    }
    const made = await create({ name: 'object', source: 'CONSTANT', sourceKey: null, type: 'JSON', value: { a: [1] } })
    expect((await realm.call('GET', `/claims/${made.claimId}`)).body.value).toEqual({ a: [1] })
  })

  test('refuses a name that is taken, also when two come at once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => realm.call('POST', '/claims', department)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409])
    const other = await create({ name: 'other' })
    const renamed = await realm.call('PUT', `/claims/${other.claimId}`, department)
    expect([renamed.status, renamed.body.errors[0].field]).toEqual([409, 'name'])
  })

  test('pages in the order of the name', async () => {
    const seen: string[] = []
    let path: string | null = '/claims?size=10&count=true'
    let total = ''
    while (path) {
      const { body, headers } = await realm.call('GET', path)
      total = String(headers['x-total-count'])
      seen.push(...body.map((claim: { name: string }) => claim.name))
      path = /<\/admin\/realms\/[^/]+([^>]+)>/.exec(String(headers.link ?? ''))?.[1] ?? null
    }
    expect(seen).toEqual(seen.toSorted())
    expect(seen).toHaveLength(Number(total))
    expect((await realm.call('GET', '/claims?after=nonsense')).body.errors[0].field).toBe('after')
  })

  test.each([
    ...['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'azp', 'client_id', 'act', 'nhi', 'cnf', 'scope'],
    ...[
      'act.sub',
      'nonce',
      'gid',
      'uic',
      'offline',
      'acr',
      'auth_time',
      '__proto__.x',
      'a.constructor.b',
      'a..b',
      '.a',
      'a b',
    ],
    ...['{clientId}', '{clientId}.roles', 'x.{clientId}', 'a.b.c.d.e.f'],
  ])('refuses to set %s and names the member', async (claim) => {
    const answer = await realm.call('POST', '/claims', { ...department, claim })
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toContain('claim')
    const { claimId } = await create()
    expect((await realm.call('PUT', `/claims/${claimId}`, { ...department, claim })).status).toBe(400)
  })

  test.each([
    [{ source: 'ATTRIBUTE', sourceKey: null }, 'sourceKey'],
    [{ source: 'PROPERTY', sourceKey: 'passwordHash' }, 'sourceKey'],
    [{ source: 'SESSION', sourceKey: 'token' }, 'sourceKey'],
    [{ source: 'CLIENT_ROLES', sourceKey: null }, 'sourceKey'],
    [{ source: 'CONSTANT', sourceKey: null }, 'value'],
    [{ source: 'CONSTANT', sourceKey: null, value: 'five', type: 'NUMBER' }, 'value'],
    [{ source: 'CONSTANT', sourceKey: null, value: 'x'.repeat(8193) }, 'value'],
    [{ value: 'x' }, 'value'],
  ])('refuses what could never produce anything: %o', async (members, field) => {
    const answer = await realm.call('POST', '/claims', { ...department, ...members })
    expect([answer.status, answer.body.errors.map((error: { field: string }) => error.field)]).toEqual([400, [field]])
  })

  test('of another realm is not there', async () => {
    const other = await createRealmFor()
    const foreign = (await other.call('POST', '/claims', department)).body
    for (const [method, body] of [['GET'], ['PUT', department], ['DELETE']] as const) {
      expect((await realm.call(method, `/claims/${foreign.claimId}`, body)).status).toBe(404)
    }
    expect((await other.call('GET', `/claims/${foreign.claimId}`)).body).toEqual(foreign)
  })

  test('may be read with view-clients and changed with manage-authorization alone', async () => {
    const viewer = await realm.signInWith(['view-clients'])
    expect((await realm.callAs(viewer.browser, 'GET', '/claims')).status).toBe(200)
    expect((await realm.callAs(viewer.browser, 'POST', '/claims', department)).status).toBe(403)
    const writer = await realm.signInWith(['manage-authorization'])
    expect((await realm.callAs(writer.browser, 'GET', '/claims')).status).toBe(200)
    expect((await realm.callAs(writer.browser, 'POST', '/claims', department)).status).toBe(201)
    const stranger = await realm.signInWith(['manage-users', 'manage-clients'])
    expect((await realm.callAs(stranger.browser, 'POST', '/claims', department)).status).toBe(403)
  })
})
