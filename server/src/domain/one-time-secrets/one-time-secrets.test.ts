import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRealmFor, startTestNode, type TestNode, type TestRealm } from '../../../test/harness/index.ts'
import { contextIn } from '../../../test/harness/realm.ts'
import { runTransaction } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids/index.ts'
import type { Context } from '../context/index.ts'
import {
  issueCode,
  issueToken,
  oneTimeSecretsContribution,
  peekToken,
  revokeSecrets,
  useCode,
  useOnce,
  useToken,
} from './index.ts'

// Nodes of their own: time is moved here, and two of them share one database.
let first: TestNode
let second: TestNode
beforeAll(async () => {
  first = await startTestNode()
  const database = { url: first.databaseUrl, adminUrl: first.adminDatabaseUrl }
  second = await startTestNode({ database, env: { GATEHOUSE_WORKER: 'false' } })
})
afterAll(async () => {
  await second.stop()
  await first.stop()
})

let realm: TestRealm
let subject: string
beforeEach(async () => {
  realm = await createRealmFor({ node: first })
  subject = newId()
})

const ttlMs = 10 * 60_000
// The clock runs on while a test does.
const marginMs = 10_000
const purpose = 'OTP_EMAIL'
const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const issue = (more: object = {}) =>
  realm.run((ctx) => issueCode(ctx, { purpose, subject, boundTo: null, ttlMs, ...more }))
const use = (code: string, more: object = {}, node = first) =>
  useCode(node.services, { realmId: realm.realmId, purpose, subject, boundTo: null, code, ...more })
const runOn = <T>(node: TestNode, work: (ctx: Context) => Promise<T>) =>
  runTransaction(node.services.db, (transaction) => work(contextIn(node, realm.realmId, transaction)))
const rows = () =>
  first.services.db.selectFrom('one_time_secrets').selectAll().where('realm_id', '=', realm.realmId).execute()
const turns = (count: number) => Array.from({ length: count }, (_, at) => (at % 2 === 0 ? first : second))

describe('S41: a code', () => {
  test('is six digits, works once, and is stored as a hash that needs the service’s key', async () => {
    const code = await issue()
    expect(code).toMatch(/^\d{6}$/)
    const [row] = await rows()
    expect(JSON.stringify(row)).not.toContain(code)
    expect(row!.value_hash).toHaveLength(32)
    expect(await use(`${code.slice(0, 3)} ${code.slice(3)}`)).toBe('OK')
    expect(await use(code)).toBe('GONE')
    expect(await rows()).toEqual([])
  })

  test('is tried five times at most, and the right one comes too late after that', async () => {
    const code = await issue()
    for (let at = 0; at < 5; at++) expect(await use(wrongFor(code))).toBe('WRONG')
    expect(await use(code)).toBe('GONE')
  })

  test('is tried five times at most by a hundred requests at once on two nodes', async () => {
    const code = await issue()
    const answers = await Promise.all(turns(100).map((node) => use(wrongFor(code), {}, node)))
    expect(answers.filter((answer) => answer === 'WRONG')).toHaveLength(5)
    expect(await use(code)).toBe('GONE')
  })

  test('works for exactly one of many requests at once on two nodes', async () => {
    const code = await issue()
    const answers = await Promise.all(turns(5).map((node) => use(code, {}, node)))
    expect(answers.filter((answer) => answer === 'OK')).toHaveLength(1)
  })

  test('that cannot be one costs no try', async () => {
    const code = await issue()
    for (const text of ['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦', '9'.repeat(100), '1e5000']) {
      expect(await use(text), text).toBe('WRONG')
    }
    expect((await rows())[0]!.tries).toBe(0)
    expect(await use(code)).toBe('OK')
  })

  test('ends its time after it was issued; wrong tries do not extend it', async () => {
    const code = await issue()
    first.clock.advance(ttlMs - marginMs)
    expect(await use(wrongFor(code))).toBe('WRONG')
    first.clock.advance(marginMs)
    expect(await use(code)).toBe('GONE')
  })

  test('is worth nothing for another purpose, subject, sign-in or realm', async () => {
    const boundTo = newId()
    const code = await issue({ boundTo })
    const other = await createRealmFor({ node: first })
    for (const foreign of [
      { purpose: 'OTP_SMS' },
      { subject: newId() },
      { boundTo: newId() },
      { boundTo: null },
      { realmId: other.realmId },
    ]) {
      expect(await use(code, { boundTo, ...foreign }), JSON.stringify(foreign)).toBe('GONE')
    }
    // Nor do such requests use up the tries of whom it belongs to.
    expect((await rows())[0]!.tries).toBe(0)
    expect(await use(code, { boundTo })).toBe('OK')
  })

  test('ends the one before', async () => {
    const before = await issue()
    let after = await issue()
    while (after === before) after = await issue()
    expect(await use(before)).toBe('WRONG')
    expect(await use(after)).toBe('OK')
  })
})

describe('S41: a link', () => {
  const sealed = 'ada@example.org'
  const issueLink = (more: object = {}) =>
    realm.run((ctx) => issueToken(ctx, { purpose: 'MAGIC_LINK', subject, boundTo: null, ttlMs, ...more }))
  const peek = (token: string, as: 'MAGIC_LINK' | 'RESET_PASSWORD' = 'MAGIC_LINK', realmId = realm.realmId) =>
    peekToken(first.services, realmId, as, token)

  test('can be looked at as often as mail scanners like, and used once', async () => {
    const boundTo = newId()
    const token = await issueLink({ boundTo, details: { next: '/x' }, sealed })
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const expected = { subject, boundTo, details: { next: '/x' }, sealed, expiresAt: expect.any(Number) }
    expect(await peek(token)).toEqual(expected)
    expect(await peek(token)).toEqual(expected)
    expect(await realm.run((ctx) => useToken(ctx, 'MAGIC_LINK', token))).toEqual(expected)
    expect(await peek(token)).toBeNull()
    expect(await realm.run((ctx) => useToken(ctx, 'MAGIC_LINK', token))).toBeNull()
  })

  test('S51: neither it nor what is sealed with it can be read in the table', async () => {
    const token = await issueLink({ sealed })
    const [row] = await rows()
    const everything = JSON.stringify(row) + row!.sealed!.toString('latin1')
    expect(everything).not.toContain(token)
    expect(everything).not.toContain(sealed)
  })

  test('works for exactly one of many requests at once on two nodes', async () => {
    const token = await issueLink()
    const used = await Promise.all(turns(10).map((node) => runOn(node, (ctx) => useToken(ctx, 'MAGIC_LINK', token))))
    expect(used.filter((secret) => secret !== null)).toHaveLength(1)
  })

  test('is not used up by a transaction that is rolled back', async () => {
    const token = await issueLink()
    const failing = realm.run(async (ctx) => {
      expect(await useToken(ctx, 'MAGIC_LINK', token)).not.toBeNull()
      throw new Error('something else went wrong')
    })
    await expect(failing).rejects.toThrow('something else')
    expect(await peek(token)).not.toBeNull()
  })

  test('is worth nothing for another purpose or realm, nor after its time, nor once there is a newer one', async () => {
    const token = await issueLink()
    const other = await createRealmFor({ node: first })
    expect(await peek(token, 'RESET_PASSWORD')).toBeNull()
    expect(await peek(token, 'MAGIC_LINK', other.realmId)).toBeNull()
    expect(await realm.run((ctx) => useToken(ctx, 'RESET_PASSWORD', token))).toBeNull()
    expect(await other.run((ctx) => useToken(ctx, 'MAGIC_LINK', token))).toBeNull()
    for (const rubbish of ['', 'x', `${token}x`, token.slice(1), '\0'.repeat(43)])
      expect(await peek(rubbish)).toBeNull()

    const newer = await issueLink()
    expect(await peek(token)).toBeNull()
    first.clock.advance(ttlMs - marginMs)
    expect(await peek(newer)).not.toBeNull()
    first.clock.advance(marginMs)
    expect(await peek(newer)).toBeNull()
    expect(await realm.run((ctx) => useToken(ctx, 'MAGIC_LINK', newer))).toBeNull()
  })
})

test('a value that was not stored can be used once, by one of many at once on two nodes, and not after its end', async () => {
  const expiresAt = first.clock.now() + marginMs
  const attempts = turns(10).map((node) => runOn(node, (ctx) => useOnce(ctx, 'PASSKEY_CHALLENGE', 'value', expiresAt)))
  expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1)
  const late = (value: string) => realm.run((ctx) => useOnce(ctx, 'PASSKEY_CHALLENGE', value, expiresAt))
  expect(await late('another')).toBe(true)
  first.clock.advance(marginMs)
  expect(await late('a third')).toBe(false)
})

describe('codes and links of somebody', () => {
  test('are revoked all at once, or those of some purposes', async () => {
    const link = await realm.run((ctx) => issueToken(ctx, { purpose: 'RESET_PASSWORD', subject, boundTo: null, ttlMs }))
    const code = await issue()
    await realm.run((ctx) => revokeSecrets(ctx, subject, ['RESET_PASSWORD']))
    expect(await peekToken(first.services, realm.realmId, 'RESET_PASSWORD', link)).toBeNull()
    expect(await use(code)).toBe('OK')
    const another = await issue()
    await realm.run((ctx) => revokeSecrets(ctx, subject))
    expect(await use(another)).toBe('GONE')
  })

  test.each([
    ['disabled', 'PATCH', { enabled: false }],
    ['locked', 'PATCH', { locked: true }],
    ['deleted', 'DELETE', undefined],
  ])('die when the person is %s', async (_what, method, body) => {
    const { userId } = (await realm.call('POST', '/users', { username: 'ada' })).body
    const link = await realm.run((ctx) =>
      issueToken(ctx, { purpose: 'RESET_PASSWORD', subject: userId, boundTo: null, ttlMs }),
    )
    const type = body ? { type: 'application/merge-patch+json' } : {}
    expect((await realm.call(method, `/users/${userId}`, body, type)).status).toBeLessThan(300)
    expect(await peekToken(first.services, realm.realmId, 'RESET_PASSWORD', link)).toBeNull()
  })
})

test('the clean-up forgets what is over and keeps what is not', async () => {
  await issue()
  await realm.run((ctx) => issueCode(ctx, { purpose, subject: newId(), boundTo: null, ttlMs: 2 * ttlMs }))
  first.clock.advance(ttlMs)
  await oneTimeSecretsContribution.jobs![0]!.handle(first.services, {})
  expect(await rows()).toHaveLength(1)
})
