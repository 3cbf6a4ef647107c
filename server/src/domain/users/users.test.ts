import { beforeAll, describe, expect, it } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../test/harness/index.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await createRealmFor()
})

describe('users', () => {
  it('creates a user with every member of the specification', async () => {
    const answer = await realm.call('POST', '/users', { username: 'Ada', email: 'Ada@Example.org', enabled: true })
    expect(answer.status).toBe(201)
    expect(answer.headers.location).toBe(`/admin/realms/${realm.realmId}/users/${answer.body.userId}`)
    expect(answer.body).toMatchObject({
      realmId: realm.realmId,
      username: 'Ada',
      email: 'Ada@Example.org',
      enabled: true,
      locked: false,
      mfaEnabled: false,
      roles: ['user'],
      attributes: {},
    })
    const read = await realm.call('GET', `/users/${answer.body.userId}`)
    expect(read.body).toEqual(answer.body)
    expect(read.headers.etag).toBe('"1"')
  })

  it('refuses a username or e-mail that anybody has in any case', async () => {
    const answer = await realm.call('POST', '/users', { username: 'ADA@example.ORG', email: 'other@example.org' })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ code: 'conflict', errors: [{ field: 'username' }] })
    const email = await realm.call('POST', '/users', { username: 'other', email: 'ada@EXAMPLE.org' })
    expect(email.body.errors).toMatchObject([{ field: 'email' }])
  })

  it('lists every offending member at once, unknown ones too', async () => {
    const answer = await realm.call('POST', '/users', {
      username: '',
      email: 'nonsense',
      enabled: 'yes',
      nickname: 'x',
    })
    expect(answer.status).toBe(400)
    const fields = answer.body.errors.map((error: { field: string }) => error.field)
    expect(new Set(fields)).toEqual(new Set(['email', 'enabled', 'nickname', 'username']))
    const unknown = await realm.call('POST', '/users', { username: 'typo', emial: 'a@b.c' })
    expect(unknown.body).toMatchObject({ code: 'unknown_field', errors: [{ field: 'emial', code: 'unknown_field' }] })
  })

  it('keeps attributes that a PUT leaves out, and takes back what a GET gave', async () => {
    const { body: user } = await realm.call('POST', '/users', { username: 'put', attributes: { team: ['a', 'b'] } })
    const { attributes: _attributes, ...rest } = (await realm.call('GET', `/users/${user.userId}`)).body
    const put = await realm.call('PUT', `/users/${user.userId}`, { ...rest, email: 'put@example.org' })
    expect(put.status).toBe(200)
    expect(put.body).toMatchObject({ email: 'put@example.org', attributes: { team: ['a', 'b'] } })
    const roles = await realm.call('PUT', `/users/${user.userId}`, { ...put.body, roles: ['admin'] })
    expect(roles.body).toMatchObject({ code: 'validation_failed', errors: [{ field: 'roles' }] })
  })

  it('patches with a merge patch and refuses a stale If-Match', async () => {
    const { body: user } = await realm.call('POST', '/users', { username: 'patch', phone: '+31 20 123' })
    const patched = await realm.call(
      'PATCH',
      `/users/${user.userId}`,
      { locale: 'nl', phone: null },
      { headers: { 'if-match': '"1"' } },
    )
    expect(patched.status).toBe(200)
    expect(patched.body).toMatchObject({ locale: 'nl', phone: null, username: 'patch' })
    expect(patched.headers.etag).toBe('"2"')
    const stale = await realm.call(
      'PATCH',
      `/users/${user.userId}`,
      { locale: 'de' },
      { headers: { 'if-match': '"1"' } },
    )
    expect(stale.status).toBe(412)
  })

  it('answers a repeated Idempotency-Key with the first result and one user', async () => {
    const headers = { 'idempotency-key': 'create-once' }
    const send = () => realm.call('POST', '/users', { username: 'once' }, { headers })
    const answers = await Promise.all([send(), send(), send()])
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201])
    expect(new Set(answers.map((answer) => answer.body.userId)).size).toBe(1)
    const other = await realm.call('POST', '/users', { username: 'twice' }, { headers })
    expect(other.body.code).toBe('conflict')
  })

  it('changes nothing on a dry run, not even the audit trail', async () => {
    const answer = await realm.call('POST', '/users?dryRun=true', { username: 'ghost' })
    expect(answer.status).toBe(201)
    expect((await realm.call('GET', `/users/${answer.body.userId}`)).status).toBe(404)
    const events = await realm.events('&type=ADMIN_CREATE')
    expect(events.some((event) => event.resourceId === answer.body.userId)).toBe(false)
  })

  it('tells of a change too large for an event by the names of its members', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`note${at}`, 'x'.repeat(1500)]))
    const { body: user } = await realm.call('POST', '/users', { username: 'long', attributes })
    const [event] = await realm.events(`&resourceId=${user.userId}`)
    expect(JSON.parse(event.detail).changed).toContain('attributes')
  })

  it('deletes a user', async () => {
    const { body: user } = await realm.call('POST', '/users', { username: 'gone' })
    expect((await realm.call('DELETE', `/users/${user.userId}`)).status).toBe(204)
    expect((await realm.call('GET', `/users/${user.userId}`)).status).toBe(404)
    expect((await realm.call('POST', '/users', { username: 'gone' })).status).toBe(201)
  })

  it('refuses to delete or disable the last administrator', async () => {
    const removed = await realm.call('DELETE', `/users/${realm.adminId}`)
    expect(removed.body).toMatchObject({ status: 409, code: 'last_admin' })
    const disabled = await realm.call('PATCH', `/users/${realm.adminId}`, { enabled: false })
    expect(disabled.body.code).toBe('last_admin')
  })
})

describe('the list of users', () => {
  let large: TestRealm
  beforeAll(async () => {
    large = await createRealmFor()
    for (let at = 0; at < 12; at++) {
      const name = `u${String(at).padStart(2, '0')}`
      const attributes = { firstName: at % 2 ? 'Grace' : 'Ada', department: at % 3 ? 'sales' : 'care' }
      await large.call('POST', '/users', { username: name, email: `${name}@x.org`, enabled: at !== 5, attributes })
    }
  })
  const names = async (query: string) =>
    (await large.call('GET', `/users${query}`)).body.map((user: { username: string }) => user.username)

  it('is newest first and pages by cursor to the end', async () => {
    const seen: string[] = []
    let path = '/users?size=5'
    for (let guard = 0; guard < 10 && path; guard++) {
      const answer = await large.call('GET', path)
      seen.push(...answer.body.map((user: { username: string }) => user.username))
      const next = /<[^?]*(\?[^>]*)>; rel="next"/.exec(String(answer.headers.link ?? ''))?.[1]
      path = next ? `/users${next}` : ''
    }
    expect(seen).toEqual([...Array.from({ length: 12 }, (_, at) => `u${String(11 - at).padStart(2, '0')}`), 'admin'])
  })

  it('finds by prefix of any name, once each, in order, by page and by cursor', async () => {
    expect(await names('?search=gra')).toEqual(['u01', 'u03', 'u05', 'u07', 'u09', 'u11'])
    expect(await names('?search=u0&size=3')).toEqual(['u00', 'u01', 'u02'])
    const page = await large.call('GET', '/users?search=u0&size=3')
    const rest = await names(`?search=u0&size=100&after=${page.body[2].userId}`)
    expect(rest).toEqual(['u03', 'u04', 'u05', 'u06', 'u07', 'u08', 'u09'])
    expect(await names('?search=U1')).toEqual(['u10', 'u11'])
  })

  it('filters by state, role, attribute, exact name, and sorts', async () => {
    expect(await names('?enabled=false')).toEqual(['u05'])
    expect(await names('?role=admin')).toEqual(['admin'])
    expect(await names('?attribute=department:care')).toEqual(['u09', 'u06', 'u03', 'u00'])
    expect(await names('?username=U05&exact=true')).toEqual(['u05'])
    expect(await names('?email=u1')).toEqual(['u10', 'u11'])
    expect(await names('?sort=-username&size=2')).toEqual(['u11', 'u10'])
    expect(await names('?sort=username&size=3')).toEqual(['admin', 'u00', 'u01'])
    expect(await names('?serviceAccounts=true')).toEqual([])
    expect((await large.call('GET', '/users?count=true&size=1')).headers['x-total-count']).toBe('13')
  })

  it('refuses a page that cannot be served', async () => {
    for (const query of [
      '?page=-1',
      '?size=0',
      '?size=1001',
      '?page=1000&size=1000',
      '?after=x',
      '?sort=age',
      '?nonsense=1',
    ]) {
      expect((await large.call('GET', `/users${query}`)).status, query).toBe(400)
    }
  })
})
