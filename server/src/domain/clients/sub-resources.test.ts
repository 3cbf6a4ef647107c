import { beforeEach, describe, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../test/harness/index.ts'
import { readPersonRoles } from '../tokens/index.ts'
import { readProtocolClient } from './index.ts'

let realm: TestRealm
let id: string
let path: string
beforeEach(async () => {
  realm = await createRealmFor()
  const client = { clientId, grantTypes: ['client_credentials'] }
  id = (await realm.call('POST', '/clients', client)).body.id
  path = `/clients/${id}`
})
// Must be encoded in a path.
const clientId = 'shop/e%'
const fieldsOf = (answer: { body: { errors?: { field: string }[] } }) =>
  (answer.body.errors ?? []).map(({ field }) => field)
const readClient = async () => (await readProtocolClient(realm.node.services, realm.realmId, clientId))!

describe('a sub-resource', () => {
  test('is found by the id or by the clientId, and the id goes first (contract 4.8)', async () => {
    const byName = `/clients/${encodeURIComponent(clientId)}`
    for (const part of ['roles', 'mappers', 'service-account/roles', 'allowed-resources'])
      expect((await realm.call('GET', `${byName}/${part}`)).body, part).toEqual(
        (await realm.call('GET', `${path}/${part}`)).body,
      )
    // Somebody registers the id of another client as the name of their own.
    const mimic = (await realm.call('POST', '/clients', { clientId: id })).body
    await realm.call('POST', `/clients/${mimic.id}/roles`, { name: 'mine' })
    expect((await realm.call('GET', `${path}/roles`)).body).toEqual([])
    // The client itself is read by its id alone.
    expect((await realm.call('GET', byName)).status).toBe(404)
    expect((await realm.call('GET', '/clients/nobody/roles')).status).toBe(404)
  })

  test('goes with its client, and a change of it raises the client’s version', async () => {
    const versions = [(await readClient()).version]
    await realm.call('POST', `${path}/mappers`, {
      name: 'm',
      type: 'REALM_ROLES',
      config: { claim: 'roles', multivalued: true },
    })
    versions.push((await readClient()).version)
    await realm.call('PUT', `${path}/allowed-resources`, { allowedResources: ['https://api.example.com'] })
    versions.push((await readClient()).version)
    await realm.call('POST', `${path}/secret`)
    versions.push((await readClient()).version)
    expect(versions).toEqual([1, 2, 3, 4])
    await realm.call('POST', `${path}/roles`, { name: 'r' })
    expect((await realm.call('DELETE', path)).status).toBe(204)
    const left = await realm.run(async (ctx) => [
      ...(await ctx.tx.selectFrom('client_roles').select('id').where('realm_id', '=', realm.realmId).execute()),
      ...(await ctx.tx.selectFrom('client_mappers').select('id').where('realm_id', '=', realm.realmId).execute()),
    ])
    expect(left).toEqual([])
  })
})

describe('client roles', () => {
  test('are made, listed by name and deleted by name', async () => {
    for (const name of ['viewer', 'editor']) {
      const { status, body, headers } = await realm.call('POST', `${path}/roles`, { name, description: name })
      expect([status, body]).toEqual([201, { roleId: expect.any(String), name, description: name, clientId }])
      expect(headers.location).toBe(`/admin/realms/${realm.realmId}${path}/roles/${name}`)
    }
    const list = await realm.call('GET', `${path}/roles?size=1&count=true`)
    expect([list.body[0].name, list.headers['x-total-count']]).toEqual(['editor', '2'])
    expect((await realm.call('GET', `${path}/roles?after=${list.body[0].roleId}`)).body[0].name).toBe('viewer')
    expect((await realm.call('DELETE', `${path}/roles/viewer`)).status).toBe(204)
    expect((await realm.call('DELETE', `${path}/roles/viewer`)).status).toBe(404)
    const spaced = await realm.call('POST', `${path}/roles`, { name: 'may read/write' })
    expect((await realm.admin.write('DELETE', String(spaced.headers.location))).status).toBe(204)
  })

  test('have names that are unique in their client only', async () => {
    await realm.call('POST', `${path}/roles`, { name: 'editor' })
    const taken = await realm.call('POST', `${path}/roles`, { name: 'editor' })
    expect([taken.status, fieldsOf(taken)]).toEqual([409, ['name']])
    const other = (await realm.call('POST', '/clients', { clientId: 'other' })).body
    expect((await realm.call('POST', `/clients/${other.id}/roles`, { name: 'editor' })).status).toBe(201)
    expect(fieldsOf(await realm.call('POST', `${path}/roles`, { name: ' x' }))).toEqual(['name'])
  })
})

describe('protocol mappers', () => {
  const department = { name: 'department', type: 'ATTRIBUTE', config: { claim: 'department', sourceKey: 'dept' } }

  test('are made, replaced, listed and read with the client', async () => {
    const { status, body } = await realm.call('POST', `${path}/mappers`, department)
    const config = { ...department.config, value: null, type: 'STRING', multivalued: false, inSaml: false }
    const flags = { inIdToken: true, inAccessToken: true, inUserinfo: true, inIntrospection: true }
    expect([status, body]).toEqual([
      201,
      {
        mapperId: expect.any(String),
        name: 'department',
        protocol: 'oidc',
        type: 'ATTRIBUTE',
        config: { ...config, ...flags },
      },
    ])
    const item = `${path}/mappers/${body.mapperId}`
    const replaced = await realm.call('PUT', item, { ...body, config: { ...body.config, inIdToken: false } })
    expect(replaced.body.config.inIdToken).toBe(false)
    expect((await realm.call('GET', `${path}/mappers`)).body).toEqual([replaced.body])
    expect((await readClient()).mappers).toEqual([
      { name: 'department', protocol: 'oidc', type: 'ATTRIBUTE', config: replaced.body.config },
    ])
    expect((await realm.call('PUT', item, body, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect((await realm.call('DELETE', item)).status).toBe(204)
    expect((await readClient()).mappers).toEqual([])
    const saml = await realm.call('POST', `${path}/mappers`, { ...department, protocol: 'saml' })
    expect(saml.body.config.inSaml).toBe(true)
  })

  test('refuse claims that only the service writes', async () => {
    const reserved = 'iss sub aud exp iat nbf jti azp client_id act nhi cnf scope cnf.jkt act.sub'.split(' ')
    for (const claim of reserved) {
      const answer = await realm.call('POST', `${path}/mappers`, {
        ...department,
        config: { ...department.config, claim },
      })
      expect([answer.status, fieldsOf(answer)], claim).toEqual([400, ['config.claim']])
    }
    const made = (await realm.call('POST', `${path}/mappers`, department)).body
    const answer = await realm.call('PUT', `${path}/mappers/${made.mapperId}`, {
      ...made,
      config: { ...made.config, claim: 'sub' },
    })
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['config.claim']])
  })

  test('refuse a source without what it reads, a member that is not there and a taken name', async () => {
    const attempts: [unknown, string[]][] = [
      [{ ...department, config: { claim: 'x' } }, ['config.sourceKey']],
      [{ ...department, type: 'CONSTANT', config: { claim: 'x' } }, ['config.value']],
      [{ ...department, type: 'SCRIPT' }, ['type']],
      [{ ...department, config: { ...department.config, script: 'x' } }, ['config.script']],
      [{ name: 'x', type: 'GROUPS' }, ['config']],
      [{ ...department, protocol: 'wsfed' }, ['protocol']],
    ]
    for (const [body, fields] of attempts)
      expect(fieldsOf(await realm.call('POST', `${path}/mappers`, body))).toEqual(fields)
    await realm.call('POST', `${path}/mappers`, department)
    const taken = await realm.call('POST', `${path}/mappers`, department)
    expect([taken.status, fieldsOf(taken)]).toEqual([409, ['name']])
  })

  test('of another client of the realm are not found through this one', async () => {
    const { mapperId } = (await realm.call('POST', `${path}/mappers`, department)).body
    const other = (await realm.call('POST', '/clients', { clientId: 'other' })).body
    expect((await realm.call('PUT', `/clients/${other.id}/mappers/${mapperId}`, department)).status).toBe(404)
    expect((await realm.call('DELETE', `/clients/${other.id}/mappers/${mapperId}`)).status).toBe(404)
  })
})

describe('the roles of a service account', () => {
  test('are of the realm and of clients, given once and taken in either way', async () => {
    const roles = `${path}/service-account/roles`
    const other = (await realm.call('POST', '/clients', { clientId: 'other' })).body
    await realm.call('POST', `/clients/${other.id}/roles`, { name: 'editor' })
    const given = await realm.call('POST', roles, { name: 'auditor' })
    expect([given.status, given.body]).toMatchObject([201, { name: 'auditor', clientId: null, source: 'DIRECT' }])
    expect((await realm.call('POST', roles, { name: 'auditor' })).status).toBe(200)
    const editor = await realm.call('POST', roles, { name: 'editor', clientId: 'other' })
    expect([editor.status, editor.body]).toMatchObject([201, { name: 'editor', clientId: 'other', source: 'DIRECT' }])
    expect((await realm.call('POST', roles, { name: 'editor', clientId: other.id })).status).toBe(200)
    const list = await realm.call('GET', `${roles}?count=true`)
    expect(list.headers['x-total-count']).toBe('3')
    expect(list.body.map((role: { name: string }) => role.name)).toEqual(['editor', 'user', 'auditor'])
    expect(list.body[0]).toEqual(editor.body)
    const userId = (await readClient()).serviceAccountUserId!
    expect((await readPersonRoles(realm.node.services.db, realm.realmId, userId)).clientRoles).toEqual([
      { clientId: 'other', name: 'editor' },
    ])

    expect((await realm.call('DELETE', roles, { name: 'auditor' })).status).toBe(204)
    expect((await realm.call('DELETE', `${roles}?name=editor&clientId=other`)).status).toBe(204)
    expect((await realm.call('DELETE', roles, { name: 'auditor' })).status).toBe(404)
    expect((await realm.call('DELETE', `${roles}?name=editor&clientId=other`)).status).toBe(404)
    expect((await realm.call('GET', roles)).body.map((role: { name: string }) => role.name)).toEqual(['user'])
  })

  test('refuse what is unknown, unnamed or named twice, and a client without a service account', async () => {
    const roles = `${path}/service-account/roles`
    for (const body of [{ name: 'nothing' }, { name: 'user', clientId: 'nobody' }, { name: 'user', clientId }])
      expect((await realm.call('POST', roles, body)).status).toBe(404)
    expect(fieldsOf(await realm.call('DELETE', roles))).toEqual(['name'])
    expect(fieldsOf(await realm.call('DELETE', `${roles}?name=user`, { name: 'auditor' }))).toEqual(['name'])
    const plain = (await realm.call('POST', '/clients', { clientId: 'plain' })).body
    expect((await realm.call('GET', `/clients/${plain.id}/service-account/roles`)).body).toEqual([])
    const refused = await realm.call('POST', `/clients/${plain.id}/service-account/roles`, { name: 'user' })
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  })
})

describe('allowed resources', () => {
  test('are replaced as a whole, mirrored in the record and read with the client', async () => {
    const list = `${path}/allowed-resources`
    expect((await realm.call('GET', list)).body).toEqual({ allowedResources: [] })
    const resources = ['https://api.example.com/orders', 'urn:example:stock']
    const { status, body, headers } = await realm.call('PUT', list, { allowedResources: [...resources, resources[0]] })
    expect([status, body, headers.etag]).toEqual([200, { allowedResources: resources }, '"2"'])
    expect((await realm.call('GET', path)).body.allowedResources).toEqual(resources)
    expect((await readClient()).allowedResources).toEqual(resources)
    expect((await realm.call('PUT', list, body, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect((await realm.call('PUT', list, { allowedResources: [] })).body).toEqual({ allowedResources: [] })
  })

  test('are absolute and without a fragment', async () => {
    const answer = await realm.call('PUT', `${path}/allowed-resources`, {
      allowedResources: ['api', 'https://a.example/#x', 'urn:a'],
    })
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['allowedResources[0]', 'allowedResources[1]']])
    expect(fieldsOf(await realm.call('PUT', `${path}/allowed-resources`, {}))).toEqual(['allowedResources'])
  })
})
