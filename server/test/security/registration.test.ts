// S31: who registers by themselves gets what was meant for them and no more, on any node and however many come at once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contributions } from '../../src/app/module-list.ts'
import { noteUse } from '../../src/domain/registration/index.ts'
import { admitTry, countFailure } from '../../src/protocols/connect/limit.ts'
import {
  type Answer,
  api,
  createClientIn,
  must,
  refresh,
  redirectUri,
  signInTo,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { atOnce, bearer, openPair, type Pair, startSecondNode } from './two-nodes.ts'

const metadata = { client_name: 'App', redirect_uris: [redirectUri] }
let second: TestNode
let pair: Pair
let realm: TestRealm
beforeAll(async () => {
  second = await startSecondNode()
  pair = await openPair(second)
  realm = pair.realm
})
afterAll(() => second.stop())

async function mint(at: TestRealm, members: object = {}): Promise<{ id: string; token: string }> {
  return (await must(at.call('POST', '/provisioning/initial-access-tokens', members), 201)).body
}

function register(at: TestRealm, token: string | null, json: object = metadata, base = at.node.url): Promise<Answer> {
  return api(`${base}/realms/${at.realmId}/connect/register`, 'POST', { json, ...(token ? bearer(token) : {}) })
}

const registerOne = async (json: object = metadata) =>
  (await must(register(realm, (await mint(realm)).token, json), 201)).body

const idOf = ({ registration_client_uri: uri }: Answer['body']): string => uri.split('/').at(-1)
const manage = (method: string, id: string, token: string, json?: unknown, base = realm.node.url) =>
  api(`${base}/realms/${realm.realmId}/connect/register/${id}`, method, {
    ...bearer(token),
    ...(json === undefined ? {} : { json }),
  })

const countClients = async (at: TestRealm) =>
  (await at.call('GET', '/clients?size=1000')).body.filter(
    ({ createdBy }: { createdBy: string }) => createdBy === 'DCR',
  ).length

describe('S31: an initial access token', () => {
  test('for three clients makes three, of a hundred that come at once to two nodes', async () => {
    const crowd = await openPair(second)
    const { id, token } = await mint(crowd.realm, { count: 3 })
    const answers = await atOnce(crowd, 100, (base) => register(crowd.realm, token, metadata, base))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect([...new Set(answers.map(({ status }) => status))].toSorted()).toEqual(expect.arrayContaining([201, 401]))
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(await countClients(crowd.realm)).toBe(3)
    const [shown] = (await crowd.realm.call('GET', '/provisioning/initial-access-tokens')).body
    expect(shown).toMatchObject({ id, count: 3, remainingCount: 0 })
  })

  test('is of no use in another realm, nor once it is deleted, nor as a token to manage with', async () => {
    const other = await openPair(second)
    const { id, token } = await mint(realm)
    expect((await register(other.realm, token)).status).toBe(401)
    const body = await registerOne()
    expect((await manage('GET', idOf(body), token)).status).toBe(401)
    expect((await register(realm, body.registration_access_token)).status).toBe(401)
    await must(realm.call('DELETE', `/provisioning/initial-access-tokens/${id}`), 204)
    expect((await register(realm, token)).status).toBe(401)
  })
})

test('S31: the number of clients holds when many come at once to two nodes', async () => {
  const crowd = await openPair(second)
  await must(crowd.realm.call('PUT', '/provisioning', { dcrMaxClients: 2 }), 200)
  const { token } = await mint(crowd.realm, { count: 30 })
  // The other node hears of it within moments.
  await second.services.snapshots.refresh(crowd.realm.realmId)
  const answers = await atOnce(crowd, 12, (base) => register(crowd.realm, token, metadata, base))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, ...Array(10).fill(403)])
  expect(await countClients(crowd.realm)).toBe(2)
})

describe('S31: a registration access token', () => {
  test('is bound to its client: not another’s, not one of an administrator, not one of another realm', async () => {
    const [mine, theirs] = [await registerOne(), await registerOne()]
    const ofAdmin = await createClientIn(realm, {})
    const elsewhere = await openPair(second)
    const token = mine.registration_access_token
    const foreign = (await must(register(elsewhere.realm, (await mint(elsewhere.realm)).token), 201)).body
    const reference = await manage('GET', '01980a51-0000-7000-8000-000000000000', token)
    expect(reference.status).toBe(401)
    for (const id of [idOf(theirs), ofAdmin.id, ofAdmin.clientId, idOf(foreign), 'x', "'"]) {
      const answer = await manage('GET', encodeURIComponent(id), token)
      expect([answer.status, answer.text], id).toEqual([401, reference.text])
    }
    const taken = await manage('PUT', idOf(theirs), token, { ...metadata, client_id: theirs.client_id })
    expect(taken.status).toBe(401)
    expect((await manage('DELETE', ofAdmin.id, token)).status).toBe(401)
    expect((await manage('GET', idOf(theirs), theirs.registration_access_token)).body).toEqual(theirs)
  })

  test('is good for one replacement, however many are sent at once to two nodes', async () => {
    const body = await registerOne()
    const answers = await atOnce(pair, 8, (base) =>
      manage('PUT', idOf(body), body.registration_access_token, { ...metadata, client_id: body.client_id }, base),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(401)])
    const { registration_access_token: renewed } = answers.find(({ status }) => status === 200)!.body
    for (const base of pair.bases) {
      expect((await manage('GET', idOf(body), body.registration_access_token, undefined, base)).status).toBe(401)
      expect((await manage('GET', idOf(body), renewed, undefined, base)).status).toBe(200)
    }
  })
})

describe('S31: a registrant', () => {
  const wishes = {
    ...{ audiences: ['https://api.example.com'], allowedResources: ['https://api.example.com'], roles: ['admin'] },
    ...{ consentRequired: false, requirePkce: false, securityProfile: 'DEFAULT', mappers: [{ name: 'x' }] },
    ...{ serviceAccountEnabled: true, accessTokenLifetimeSeconds: 86_400, enabled: true, createdBy: 'ADMIN' },
    ...{ default_role: 'admin', description: 'by me', webOrigins: ['https://evil.example'] },
  }
  const notTheirs = { audiences: [], allowedResources: [], consentRequired: true, requirePkce: true, createdBy: 'DCR' }

  test('sets none of what belongs to administrators, at first or later', async () => {
    const body = await registerOne({ ...metadata, ...wishes })
    const read = async () => (await realm.call('GET', `/clients/${idOf(body)}`)).body
    const common = { ...notTheirs, serviceAccountUserId: null, accessTokenLifetimeSeconds: null, webOrigins: [] }
    expect(await read()).toMatchObject({ ...common, enabled: true, description: null })

    const arranged = {
      ...{ enabled: false, audiences: ['https://api.example.org'], requirePushedAuthorizationRequests: true },
      ...{ dpopBoundAccessTokens: true, accessTokenLifetimeSeconds: 60, description: 'Watched' },
      subjectClaim: { strategy: 'USERNAME', attribute: null },
    }
    const before = await read()
    await must(realm.call('PUT', `/clients/${idOf(body)}`, { ...before, ...arranged, scopes: ['groups'] }), 200)
    const put = { ...metadata, ...wishes, client_id: body.client_id, scope: 'groups', subject_type: 'public' }
    const replaced = await manage('PUT', idOf(body), body.registration_access_token, {
      ...put,
      require_pushed_authorization_requests: false,
      dpop_bound_access_tokens: false,
    })
    expect(replaced.status, replaced.text).toBe(200)
    expect(await read()).toMatchObject({ ...common, ...arranged, scopes: ['groups'] })
  })

  test('cannot touch a client that an administrator gave power to', async () => {
    const body = await registerOne({ client_name: 'Job', grant_types: ['client_credentials'] })
    const id = idOf(body)
    await must(realm.call('POST', `/clients/${id}/service-account/roles`, { name: 'admin' }), 201)
    const put = { client_id: body.client_id, grant_types: ['client_credentials'], client_name: 'Mine now' }
    for (const answer of [
      await manage('PUT', id, body.registration_access_token, put),
      await manage('DELETE', id, body.registration_access_token),
    ]) {
      expect([answer.status, answer.body.error], answer.text).toEqual([403, 'access_denied'])
    }
    expect((await realm.call('GET', `/clients/${id}`)).body.name).toBe('Job')
  })

  test('who changes its name or its addresses has everybody asked again; who deletes itself loses what was granted', async () => {
    const body = await registerOne()
    const client = { id: idOf(body), clientId: body.client_id, secret: body.client_secret, redirectUri }
    const consents = async () => (await realm.admin.get(`/realms/${realm.realmId}/account/gdpr/consents`)).body
    const named = async () => (await consents()).map(({ clientId }: { clientId: string }) => clientId)
    await signInTo(realm, client)
    expect(await named()).toContain(client.clientId)
    const same = { ...metadata, client_id: body.client_id, contacts: ['a@example.org'] }
    const kept = (await must(manage('PUT', client.id, body.registration_access_token, same), 200)).body
    expect(await named()).toContain(client.clientId)
    const more = { ...same, redirect_uris: [redirectUri, 'https://evil.example/cb'] }
    const moved = (await must(manage('PUT', client.id, kept.registration_access_token, more), 200)).body
    expect(await named()).not.toContain(client.clientId)

    const { refresh_token: token } = await signInTo(realm, client)
    expect((await refresh(realm, client, token!)).status).toBe(200)
    await must(manage('DELETE', client.id, moved.registration_access_token), 204)
    expect((await refresh(realm, client, token!)).status).toBe(401)
    const left = await realm.node.services.db
      .selectFrom('client_registrations')
      .select('client_uuid')
      .where('realm_id', '=', realm.realmId)
      .where('client_uuid', '=', client.id)
      .execute()
    expect(left).toEqual([])
  })
})

test('S31: a whole network of IPv6 has as many tries as one address', async () => {
  const { services } = realm.node
  const answers = await Promise.all(
    Array.from({ length: 21 }, (_, at) => admitTry(services, realm.realmId, `2001:db8::${at}`, true)),
  )
  expect(answers.filter(({ allowed }) => allowed)).toHaveLength(20)
  await countFailure(services, realm.realmId, '2001:db8:0:1::1')
  expect((await admitTry(services, realm.realmId, '2001:db8::ffff', false)).allowed).toBe(false)
  expect((await admitTry(services, realm.realmId, '2001:db8:0:1::2', false)).allowed).toBe(true)
})

test('S31: who is let in without asking people is so as it was then, not under another name or address', async () => {
  const body = await registerOne()
  const id = idOf(body)
  const asksPeople = async () => (await realm.call('GET', `/clients/${id}`)).body.consentRequired
  await must(realm.call('PATCH', `/clients/${id}`, { consentRequired: false }), 200)
  const same = { ...metadata, client_id: body.client_id, contacts: ['a@example.org'] }
  const kept = (await must(manage('PUT', id, body.registration_access_token, same), 200)).body
  expect(await asksPeople()).toBe(false)
  const more = { ...same, redirect_uris: [redirectUri, 'https://evil.example/cb'] }
  await must(manage('PUT', id, kept.registration_access_token, more), 200)
  expect(await asksPeople()).toBe(true)
})

test('a registration that nobody uses ends after the days that the realm says; one in use stays', async () => {
  const { services } = realm.node
  const [unused, used] = [await registerOne(), await registerOne()]
  const job = contributions.flatMap(({ jobs = [] }) => jobs).find(({ name }) => name === 'registration.end-unused')!
  const days = (count: number) => ({ ...services, clock: { now: () => services.clock.now() + count * 86_400_000 } })
  const isThere = async (body: Answer['body']) => (await realm.call('GET', `/clients/${idOf(body)}`)).status === 200
  await job.handle(days(1000), {})
  expect([await isThere(unused), await isThere(used)]).toEqual([true, true])

  await must(realm.call('PUT', '/provisioning', { dcrClientTtlDays: 30 }), 200)
  await noteUse(days(20), realm.realmId, idOf(used))
  await job.handle(days(29), {})
  expect(await isThere(unused)).toBe(true)
  await job.handle(days(31), {})
  expect([await isThere(unused), await isThere(used)]).toEqual([false, true])
  const [event] = await realm.events(`&resourceId=${idOf(unused)}&type=ADMIN_DELETE`)
  expect(event).toMatchObject({ actor: 'system', resourceType: 'clients', clientId: unused.client_id })
  expect(JSON.parse(event.detail)).toMatchObject({ createdBy: 'DCR', unusedForDays: 30 })
  await job.handle(days(51), {})
  expect(await isThere(used)).toBe(false)
})
