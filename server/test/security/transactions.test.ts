// Attacks on transactions: somebody else’s, another realm’s, repeated, reordered, replayed, and at once on two nodes.
// S12, S39, S40, S44; contract 3.9, 4.36.
import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canonicalJson } from '../../src/platform/text/index.ts'
import { addKey } from '../harness/authenticator.ts'
import { addDevice } from '../harness/device.ts'
import {
  addPerson,
  addTotp,
  api,
  authorize,
  createClientIn,
  createRealmFor,
  isSignedIn,
  issuerOf,
  must,
  passPassword,
  type Person,
  requestToken,
  signInTo,
  step,
  type TestClient,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'
import { makeKey, present, prove } from '../harness/signing.ts'
import {
  callTx,
  consumeTx,
  createShop,
  machineToken,
  payment,
  personToken,
  signTx,
  startTx,
  txUrl,
} from '../harness/transactions.ts'
import { atOnce, bearer, openPair, type Pair, startSecondNode } from './two-nodes.ts'

const maxFailures = 5
let second: TestNode
let pair: Pair
let realm: TestRealm
let shop: TestClient
let other: TestClient
let machine: string
let foreignMachine: string
let ada: Person
let token: string

beforeAll(async () => {
  second = await startSecondNode()
  pair = await openPair(second)
  realm = pair.realm
  await must(realm.call('PUT', '/settings', { bruteForce: { maxFailures, perIpMaxPerMinute: 10_000 } }), 200)
  ;[shop, other] = [await createShop(realm), await createShop(realm, { consentRequired: true })]
  ada = await addPerson(realm, 'ada')
  ;[machine, foreignMachine] = await Promise.all([machineToken(realm, shop), machineToken(realm, other)])
  token = await personToken(realm, shop, 'ada')
})
afterAll(() => second?.stop())

const byPassword = { decision: 'APPROVE', method: 'PASSWORD', password: adminPassword }
const statusOf = async (id: string) => (await callTx(realm, machine, 'GET', `/${id}`)).body.status as string

async function addSigner(username: string) {
  const person = await addPerson(realm, username)
  return { ...person, token: await personToken(realm, shop, username) }
}

describe('a transaction of somebody else', () => {
  /** All that can be done to one; each must look as if there were none. */
  async function tryAll(stranger: string, id: string, at = realm): Promise<number[]> {
    const answers = [
      await callTx(at, stranger, 'GET', `/${id}`),
      await signTx(at, stranger, id, byPassword),
      await signTx(at, stranger, id, { decision: 'REJECT' }),
      await consumeTx(at, stranger, id),
    ]
    return answers.map(({ status }) => status)
  }

  test('is not there: for another person at the same application, another application, another realm', async () => {
    const { id } = await startTx(realm, machine, { userId: ada.userId })
    const bob = await addSigner('bob')
    expect(await tryAll(bob.token, id)).toEqual([404, 404, 404, 404])
    expect(await tryAll(foreignMachine, id)).toEqual([404, 404, 404, 404])
    // A token of hers at an application that was not let near her account.
    const elsewhere = await personToken(realm, other, 'ada')
    expect(await tryAll(elsewhere, id)).toEqual([404, 404, 404, 404])
    const strange = await createRealmFor()
    const strangeShop = await createShop(strange, { clientId: shop.clientId })
    expect(await tryAll(await machineToken(strange, strangeShop), id, strange)).toEqual([404, 404, 404, 404])
    // A token of one realm is none in another.
    expect(await tryAll(machine, id, strange)).toEqual([401, 401, 401, 401])
    expect(await statusOf(id)).toBe('PENDING')
  })

  test('is the person’s with a token of the house, which may sign it and not consume it', async () => {
    const { id } = await startTx(realm, machine, { userId: ada.userId })
    const house = await createShop(realm)
    const own = await personToken(realm, house, 'ada')
    expect((await callTx(realm, own, 'GET', `/${id}`)).status).toBe(200)
    expect((await signTx(realm, own, id, byPassword)).status).toBe(200)
    expect((await consumeTx(realm, own, id)).status).toBe(403)
    expect((await consumeTx(realm, token, id)).status).toBe(200)
  })

  test('is not signed by the application itself', async () => {
    const { id } = await startTx(realm, machine, { userId: ada.userId })
    expect((await signTx(realm, machine, id, byPassword)).status).toBe(404)
    expect((await signTx(realm, machine, id, { decision: 'REJECT' })).status).toBe(404)
    expect(await statusOf(id)).toBe('PENDING')
  })

  test('does not open to a token that is meant for another place', async () => {
    const api = 'https://api.example.org/'
    const client = await createShop(realm)
    await must(realm.call('PUT', `/clients/${client.id}/allowed-resources`, { allowedResources: [api] }), 200)
    const form = { grant_type: 'client_credentials', resource: api }
    const { access_token: away } = (await must(requestToken(realm, client, form), 200)).body
    expect((await callTx(realm, away, 'POST', '', { ...payment, userId: ada.userId })).status).toBe(401)
    const { id_token: idToken } = await signInTo(realm, client, { username: 'ada' })
    expect((await callTx(realm, idToken!, 'POST', '', payment)).status).toBe(401)
  })
})

describe('the order', () => {
  test('cannot be changed: nothing is consumed before it is signed, nothing answered twice', async () => {
    const { id } = await startTx(realm, token)
    expect((await consumeTx(realm, machine, id)).body.code).toBe('invalid_transition')
    await must(signTx(realm, token, id, byPassword), 200)
    expect((await signTx(realm, token, id, byPassword)).status).toBe(409)
    expect((await signTx(realm, token, id, { decision: 'REJECT' })).status).toBe(409)
    await must(consumeTx(realm, machine, id), 200)
    expect((await signTx(realm, token, id, { decision: 'REJECT' })).status).toBe(409)
    expect(await statusOf(id)).toBe('CONSUMED')
  })

  test('of a hundred that consume at once on two nodes, one does', async () => {
    const { id } = await startTx(realm, token)
    await must(signTx(realm, token, id, byPassword), 200)
    const answers = await atOnce(pair, 100, (base) => consumeTx(realm, machine, id, base))
    const codes = answers.map(({ status, body }) => (status === 200 ? 'done' : `${status} ${body.code}`))
    expect(codes.filter((code) => code === 'done')).toHaveLength(1)
    expect(codes.filter((code) => code === '409 already_consumed')).toHaveLength(99)
    expect(await realm.events(`&type=TX_CONSUMED&resourceId=${id}`)).toHaveLength(1)
  })

  test('of a yes and a no at once on two nodes, one counts', async () => {
    const { id } = await startTx(realm, token)
    const answers = await atOnce(pair, 10, (base) =>
      signTx(realm, token, id, base === second.url ? { decision: 'REJECT' } : byPassword, base),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
    const events = await realm.events(`&resourceId=${id}`)
    expect(events.filter(({ type }) => type === 'TX_SIGNED' || type === 'TX_REJECTED')).toHaveLength(1)
  })

  test('right passwords that come too late are no wrong tries', async () => {
    const { id } = await startTx(realm, token)
    // The no is quick, the passwords are still being hashed then.
    const late = Array.from({ length: maxFailures }, () => signTx(realm, token, id, byPassword))
    const answers = await Promise.all([...late, signTx(realm, token, id, { decision: 'REJECT' })])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const next = await startTx(realm, token)
    expect((await signTx(realm, token, next.id, byPassword)).status).toBe(200)
  })
})

describe('a proof', () => {
  test('of an authenticator app is good for one transaction', async () => {
    const grace = await addSigner('grace')
    const codeAt = await addTotp(realm, grace.userId)
    const [one, two] = [await startTx(realm, grace.token), await startTx(realm, grace.token)]
    const answer = { decision: 'APPROVE', method: 'TOTP', code: codeAt(30_000) }
    const answers = await Promise.all([
      signTx(realm, grace.token, one.id, answer),
      signTx(realm, grace.token, two.id, answer, second.url),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })

  test('of a passkey is good for its own transaction, from its own origin, of its own person', async () => {
    const edith = await addSigner('edith')
    const key = await addKey(realm, edith.userId)
    const [one, two] = [await startTx(realm, edith.token), await startTx(realm, edith.token)]
    const ask = (challenge: string) => ({ challenge, rpId: '127.0.0.1' })
    const sign = (assertion: object) =>
      signTx(realm, edith.token, one.id, { decision: 'APPROVE', method: 'WEBAUTHN', assertion })
    const stranger = await addKey(realm, (await addPerson(realm, 'key-holder')).userId)
    for (const hostile of [
      key.answer(ask(two.challenge!)),
      key.answer(ask(one.challenge!), { origin: 'https://evil.example' }),
      key.answer({ challenge: one.challenge!, rpId: 'evil.example' }),
      stranger.answer(ask(one.challenge!)),
    ]) {
      expect((await sign(hostile)).status).toBe(401)
    }
    expect((await sign(key.answer(ask(one.challenge!)))).status).toBe(200)
    expect(await statusOf(two.id)).toBe('PENDING')
  })

  test('of a device names its transaction, its hash and the decision, and comes from a device of the person', async () => {
    const dora = await addSigner('dora')
    const device = await addDevice(realm, dora.userId)
    const strangers = await addDevice(realm, (await addPerson(realm, 'device-holder')).userId)
    const [one, two] = [await startTx(realm, dora.token), await startTx(realm, dora.token)]
    const claims = { tx: one.id, hash: one.hash, decision: 'APPROVE' }
    const sign = async (signature: string, deviceId = device.deviceId) =>
      (await signTx(realm, dora.token, one.id, { decision: 'APPROVE', method: 'DEVICE', deviceId, signature })).status
    expect(await sign(await device.state({ ...claims, tx: two.id }))).toBe(401)
    expect(await sign(await device.state({ ...claims, hash: `${one.hash}x` }))).toBe(401)
    expect(await sign(await device.state({ ...claims, decision: 'REJECT' }))).toBe(401)
    expect(await sign(await strangers.state(claims), strangers.deviceId)).toBe(401)
    expect(await sign(await device.state(claims))).toBe(200)
    expect((await callTx(realm, dora.token, 'GET', `/${one.id}`)).body.method).toBe('DEVICE')
  })

  test('S40: 200 wrong passwords at once on two nodes are looked at no more often than the realm allows', async () => {
    const victim = await addSigner('victim')
    const { id } = await startTx(realm, victim.token)
    const wrong = { ...byPassword, password: 'wrong-password' }
    const answers = await atOnce(pair, 200, (base) => signTx(realm, victim.token, id, wrong, base))
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(maxFailures)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(0)
    const failures = await realm.events(`&type=LOGIN_FAILURE&actor=${victim.userId}`)
    expect(failures.length).toBeLessThanOrEqual(maxFailures)
    const locked = await signTx(realm, victim.token, id, byPassword)
    expect(locked.status).toBe(429)
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0)
    expect(await statusOf(id)).toBe('PENDING')
  })

  test('S40: wrong codes at once lock, too, and a right one is not looked at then', async () => {
    const vera = await addSigner('vera')
    const codeAt = await addTotp(realm, vera.userId)
    const { id } = await startTx(realm, vera.token)
    const answer = (code: string) => signTx(realm, vera.token, id, { decision: 'APPROVE', method: 'TOTP', code })
    const wrong = { decision: 'APPROVE', method: 'TOTP', code: '000000' }
    const answers = await atOnce(pair, 60, (base) => signTx(realm, vera.token, id, wrong, base))
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(maxFailures)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(0)
    expect((await answer(codeAt(30_000))).status).toBe(429)
    expect(await statusOf(id)).toBe('PENDING')
  })
})

describe('one ledger for signing and signing in (S40)', () => {
  test('wrong codes for a transaction close the door, and wrong codes at the door end signing', async () => {
    const [iris, jane] = [await addSigner('iris'), await addSigner('jane')]
    const codes = { iris: await addTotp(realm, iris.userId), jane: await addTotp(realm, jane.userId) }
    const mine = await startTx(realm, iris.token)
    const wrong = { decision: 'APPROVE', method: 'TOTP', code: '000000' }
    // Part of the tries here and part of them there are counted together.
    const door = await passPassword(realm, 'iris')
    const { challengeId, browser } = door
    for (let turn = 0; turn < maxFailures - 1; turn++) await signTx(realm, iris.token, mine.id, wrong)
    expect((await step(browser, realm, { challengeId, code: '000000' })).status).toBe(401)
    const right = { ...wrong, code: codes.iris(30_000) }
    expect((await signTx(realm, iris.token, mine.id, right, second.url)).status).toBe(429)
    const late = await step(browser, realm, { challengeId, code: codes.iris(30_000) })
    expect([late.status, isSignedIn(browser, realm)]).toEqual([401, false])
    // And the other way round.
    const hers = await startTx(realm, jane.token)
    const start = await passPassword(realm, 'jane')
    for (let turn = 0; turn < maxFailures - 1; turn++)
      await step(start.browser, realm, { challengeId: start.challengeId, code: '000000' })
    expect((await signTx(realm, jane.token, hers.id, wrong)).status).toBe(401)
    expect((await passPassword(realm, 'jane')).answer.status).toBe(401)
    expect((await signTx(realm, jane.token, hers.id, { ...wrong, code: codes.jane(30_000) })).status).toBe(429)
    expect((await signTx(realm, jane.token, hers.id, byPassword)).status).toBe(429)
  })
})

test('a token that is bound to a key signs with a proof of that key only', async () => {
  const kate = await addPerson(realm, 'kate')
  const key = await makeKey()
  const client = await createClientIn(realm, { publicClient: true })
  const { params, verifier } = await authorize(realm, client, { username: 'kate' })
  const form = {
    ...{ grant_type: 'authorization_code', code: params.code!, redirect_uri: client.redirectUri },
    ...{ code_verifier: verifier, client_id: client.clientId },
  }
  const headers = await prove(key, { url: `${issuerOf(realm)}/token` })
  const bound = (await must(api(`${issuerOf(realm)}/token`, 'POST', { form, headers }), 200)).body.access_token
  const { id } = await startTx(realm, machine, { userId: kate.userId })
  const url = txUrl(realm, `/${id}/sign`)
  expect((await signTx(realm, bound, id, byPassword)).status).toBe(401)
  const stolen = await present(await makeKey(), { url, method: 'POST', token: bound })
  expect((await api(url, 'POST', { json: byPassword, ...stolen })).status).toBe(401)
  const elsewhere = await present(key, { url: txUrl(realm), method: 'POST', token: bound })
  expect((await api(url, 'POST', { json: byPassword, ...elsewhere })).status).toBe(401)
  const own = await present(key, { url, method: 'POST', token: bound })
  const answers = await atOnce(pair, 10, (base) =>
    api(txUrl(realm, `/${id}/sign`, base), 'POST', { json: byPassword, ...own }),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(9)
})

test('details that two readers would read in two ways are refused, or are one thing for everybody', async () => {
  const send = async (details: string) => {
    const raw = `{"type":"t","title":"T","userId":"${ada.userId}","details":${details}}`
    return api(txUrl(realm), 'POST', { headers: bearer(machine).headers, raw, type: 'application/json' })
  }
  const refused = [
    '{"__proto__":{"amount":1}}',
    '{"a":{"__proto__":null}}',
    '{"constructor":{"prototype":{"amount":1}}}',
    `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    '{"a":1e999}',
    '{"a":"\\ud800"}',
  ]
  for (const hostile of refused) {
    const { status } = await send(hostile)
    expect([hostile.slice(0, 40), status]).toEqual([hostile.slice(0, 40), 400])
  }
  expect(({} as { amount?: number }).amount).toBeUndefined()
  const twice = await must(send('{"amount":1,"amount":900}'), 201)
  expect([twice.body.details, hashOf(twice.body)]).toEqual([{ amount: 900 }, twice.body.hash])
})

/** As anybody computes it from what they were given (contract 4.36). */
function hashOf({ type, title, details, userId, clientId }: Record<string, unknown>): string {
  return hash('sha256', canonicalJson({ type, title, details, userId, clientId }), 'base64url')
}

describe('S12: whoever is disabled or deleted meanwhile', () => {
  test.each([
    ['disabled', (id: string, username: string) => realm.call('PUT', `/users/${id}`, { username, enabled: false })],
    ['locked', (id: string, username: string) => realm.call('PUT', `/users/${id}`, { username, locked: true })],
    ['deleted', (id: string) => realm.call('DELETE', `/users/${id}`)],
  ])('%s signs nothing with the next request on either node', async (how, end) => {
    const username = `to-be-${how}`
    const person = await addSigner(username)
    const { id } = await startTx(realm, person.token)
    await end(person.userId, username)
    for (const base of pair.bases) {
      expect((await signTx(realm, person.token, id, byPassword, base)).status).toBe(401)
      expect((await callTx(realm, person.token, 'GET', `/${id}`, undefined, base)).status).toBe(401)
    }
  })

  test('and an application that is disabled consumes nothing', async () => {
    const gone = await createShop(realm)
    const [own, hers] = [await machineToken(realm, gone), await personToken(realm, gone, 'ada')]
    const { id } = await startTx(realm, own, { userId: ada.userId })
    await must(signTx(realm, hers, id, byPassword), 200)
    const { body } = await realm.call('GET', `/clients/${gone.id}`)
    await must(realm.call('PUT', `/clients/${gone.id}`, { clientId: body.clientId, enabled: false }), 200)
    for (const base of pair.bases) expect((await consumeTx(realm, own, id, base)).status).toBe(401)
  })
})
