// What time, limits and the application’s own server do to transactions; the node is one of its own, since its clock is moved.
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  createClientIn,
  createRealmFor,
  must,
  type Person,
  startTestNode,
  type TestClient,
  type TestNode,
  type TestRealm,
} from '../../../test/harness/index.ts'
import { adminPassword } from '../../../test/harness/realm.ts'
import {
  callTx,
  consumeTx,
  createShop,
  machineToken,
  personToken,
  signTx,
  startTx,
} from '../../../test/harness/transactions.ts'
import { callBackJob } from './callback.ts'
import { canonicaliseDetails } from './details.ts'
import { transactionsContribution } from './index.ts'
import { createLimit } from './limit.ts'
import { deleteEndedTransactions } from './store.ts'
import { isStrongEnough, proofsOfAmr } from './strength.ts'

interface Call {
  key: string
  body: string
}

const calls: Call[] = []
let answerWith = 204
let host: Server
let callbackUrl: string
let node: TestNode
let realm: TestRealm
let shop: TestClient
let ada: Person
let machine: string
let token: string

beforeAll(async () => {
  host = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      calls.push({ key: String(request.headers['idempotency-key']), body })
      response.writeHead(answerWith).end()
    })
  }).listen(0, '127.0.0.1')
  await once(host, 'listening')
  const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  callbackUrl = `${origin}/told`
  node = await startTestNode({ env: { GATEHOUSE_EGRESS_ALLOW: 'http://127.0.0.1' } })
  realm = await createRealmFor({ node })
  shop = await createShop(realm, { redirectUris: ['https://app.example.org/callback', `${origin}/callback`] })
  ada = await addPerson(realm, 'ada')
  ;[machine, token] = await Promise.all([machineToken(realm, shop), personToken(realm, shop, 'ada')])
})
afterAll(async () => {
  await node.stop()
  host.close()
})

const byPassword = { decision: 'APPROVE', method: 'PASSWORD', password: adminPassword }
const statusOf = async (id: string) => (await callTx(realm, machine, 'GET', `/${id}`)).body.status as string

describe('what the person answered is told to the application', () => {
  const waitForCall = async (key: string) => {
    for (let tries = 0; tries < 100 && !calls.some((call) => call.key === key); tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return calls.filter((call) => call.key === key)
  }

  test.each([
    ['SIGNED', byPassword],
    ['REJECTED', { decision: 'REJECT' }],
  ])('once it is %s, with its name and its hash and nothing of its content', async (status, answer) => {
    const made = await startTx(realm, token, { callbackUrl })
    await must(signTx(realm, token, made.id, answer), 200)
    const told = await waitForCall(`${made.id}:${status}`)
    expect(told.map(({ body }) => JSON.parse(body))).toEqual([{ id: made.id, status, hash: made.hash }])
  })

  test('again while the application does not take it', async () => {
    const { id } = await startTx(realm, token, { callbackUrl })
    const data = { realmId: realm.realmId, transactionId: id, status: 'SIGNED' as const }
    answerWith = 500
    await expect(callBackJob.handle(node.services, data)).rejects.toThrow('500')
    answerWith = 302
    await expect(callBackJob.handle(node.services, data)).rejects.toThrow()
    answerWith = 204
    await callBackJob.handle(node.services, data)
    await callBackJob.handle(node.services, { ...data, realmId: 'another' })
    expect(calls.filter(({ key }) => key === `${id}:SIGNED`)).toHaveLength(3)
  })
})

describe('limits', () => {
  test('fifty wait for one person, and what has been answered or is over makes room', async () => {
    const bea = await addPerson(realm, 'bea')
    const own = await personToken(realm, shop, 'bea')
    const made = []
    for (let at = 0; at < 50; at++) made.push(await startTx(realm, machine, { userId: bea.userId, ttlSeconds: 3600 }))
    const full = await callTx(realm, machine, 'POST', '', { type: 't', title: 'T', details: {}, userId: bea.userId })
    expect([full.status, full.body.code]).toEqual([409, 'limit_reached'])
    await must(signTx(realm, own, made[0]!.id, { decision: 'REJECT' }), 200)
    await startTx(realm, machine, { userId: bea.userId })
    // Another person is not in the way.
    await startTx(realm, machine, { userId: ada.userId })
  })

  test('an application that makes too many in a minute waits', async () => {
    const busy = await createClientIn(realm, { grantTypes: ['client_credentials'] })
    const own = await machineToken(realm, busy)
    await createLimit(node.services).consume(realm.realmId, busy.id, { cost: 600 })
    const answer = await callTx(realm, own, 'POST', '', { type: 't', title: 'T', details: {}, userId: ada.userId })
    expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })
})

test('a person’s export shows their transactions, and their erasure removes them', async () => {
  const [section] = transactionsContribution.dataSubject!
  const eve = await addPerson(realm, 'eve')
  const made = await realm.run((ctx) =>
    ctx.tx
      .insertInto('transactions')
      .values({
        ...{ realm_id: realm.realmId, id: eve.userId, type: 't', title: 'T', details: '{"a":1}', hash: 'h' },
        ...{ user_id: eve.userId, client_uuid: shop.id, client_id: shop.clientId },
        ...{ created_at: ctx.now, expires_at: ctx.now + 1000 },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const shown = await realm.run((ctx) => section!.exportFor(ctx, eve.userId))
  expect(shown).toEqual([expect.objectContaining({ id: made.id, details: { a: 1 }, status: 'PENDING' })])
  expect(await realm.run((ctx) => section!.exportFor(ctx, realm.adminId))).toEqual([])
  await realm.run((ctx) => section!.eraseFor(ctx, eve.userId))
  expect(await realm.run((ctx) => section!.exportFor(ctx, eve.userId))).toEqual([])
})

test('details that no parser would give are refused all the same', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '\0', '\ud800', 2 ** 53]) {
    expect(() => canonicaliseDetails({ a: [value] }, 't')).toThrow()
  }
  expect(() => canonicaliseDetails({ '\ud800': 1 }, 't')).toThrow()
  expect(() => canonicaliseDetails({ ['x'.repeat(129)]: 1 }, 't')).toThrow()
  expect(canonicaliseDetails(JSON.parse('{"__proto__":{"a":1},"b":-0}'), 't')).toBe('{"__proto__":{"a":1},"b":0}')
})

test('the sign-in and the signature count together, and words of amr that name no factor count for nothing', () => {
  const password = { method: 'password', at: 0 }
  expect(isStrongEnough(2, proofsOfAmr(['pwd']), password)).toBe(false)
  expect(isStrongEnough(2, proofsOfAmr(['pwd', 'mfa', 'face', '']), password)).toBe(false)
  expect(isStrongEnough(2, proofsOfAmr(['otp']), password)).toBe(true)
  expect(isStrongEnough(3, proofsOfAmr(['otp']), password)).toBe(false)
  expect(isStrongEnough(3, proofsOfAmr(['pop', 'user', 'mfa']), password)).toBe(true)
  expect(isStrongEnough(1, [], password)).toBe(true)
  expect(isStrongEnough(4, proofsOfAmr(['pop', 'user']), password)).toBe(false)
})

// The last one: it moves the clock by a month, and nobody’s session is left then.
describe('time', () => {
  test('ends what waits and what is signed, and a month later it is gone', async () => {
    const [waiting, signed, used] = await Promise.all([
      startTx(realm, token, { ttlSeconds: 60 }),
      startTx(realm, token, { ttlSeconds: 60 }),
      startTx(realm, token, { ttlSeconds: 60 }),
    ])
    await must(signTx(realm, token, signed.id, byPassword), 200)
    await must(signTx(realm, token, used.id, byPassword), 200)
    await must(consumeTx(realm, machine, used.id), 200)
    node.clock.advance(61_000)
    expect([await statusOf(waiting.id), await statusOf(signed.id)]).toEqual(['EXPIRED', 'EXPIRED'])
    expect(await statusOf(used.id)).toBe('CONSUMED')
    const late = await signTx(realm, token, waiting.id, byPassword)
    expect([late.status, late.body.code, late.body.detail]).toEqual([
      409,
      'invalid_transition',
      expect.stringContaining('EXPIRED'),
    ])
    expect((await signTx(realm, token, waiting.id, { decision: 'REJECT' })).status).toBe(409)
    expect((await consumeTx(realm, machine, signed.id)).body.code).toBe('invalid_transition')
    expect((await consumeTx(realm, machine, used.id)).body.code).toBe('already_consumed')

    const forget = transactionsContribution.jobs!.find(({ name }) => name === 'transactions.forget')!
    const count = async () =>
      (await node.services.db.selectFrom('transactions').select('id').where('id', '=', used.id).execute()).length
    node.clock.advance(30 * 86_400_000 - 120_000)
    await forget.handle(node.services, {})
    expect(await count()).toBe(1)
    node.clock.advance(121_000)
    expect(await deleteEndedTransactions(node.services.db, node.clock.now() - 30 * 86_400_000, 1)).toBe(1)
    await forget.handle(node.services, {})
    expect(await count()).toBe(0)
  })
})
