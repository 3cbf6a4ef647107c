import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createRealmFor, type TestNode, type TestRealm } from '../../../../../test/harness/index.ts'
import { contextIn } from '../../../../../test/harness/realm.ts'
import { startSecondNode } from '../../../../../test/security/two-nodes.ts'
import { runTransaction } from '../../../../platform/db/index.ts'
import { makeRecoveryCodes, storeRecoveryCodes, useRecoveryCode } from './index.ts'

let second: TestNode
beforeAll(async () => {
  second = await startSecondNode()
})
afterAll(() => second.stop())

let realm: TestRealm
let userId: string
let codes: string[]
beforeEach(async () => {
  realm = await createRealmFor()
  userId = (await realm.call('POST', '/users', { username: 'ada' })).body.userId
  codes = makeRecoveryCodes()
  await realm.run((ctx) => storeRecoveryCodes(ctx, userId, codes))
})

const use = (code: string, id = userId, node = realm.node) =>
  runTransaction(node.services.db, (work) => useRecoveryCode(contextIn(node, realm.realmId, work), id, code))

test('ten different codes that can be read from paper', () => {
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[2-9A-HJ-NP-Z]{5}(-[2-9A-HJ-NP-Z]{5}){2}$/)
})

test('each works once, however it is typed, and tells how many are left', async () => {
  const [one, two] = codes as [string, string]
  expect(await use(one)).toEqual({ credentialId: expect.any(String), remaining: 9 })
  expect(await use(one)).toBeNull()
  expect(await use(` ${two.toLowerCase().replaceAll('-', ' – ')} `)).toMatchObject({ remaining: 8 })
  const [shown] = (await realm.call('GET', `/users/${userId}/credentials`)).body
  expect(shown).toMatchObject({ type: 'recovery-codes', details: { remaining: 8 }, lastUsedAt: expect.any(Number) })
})

test('works for exactly one of many requests at once on two nodes', async () => {
  const nodes = Array.from({ length: 10 }, (_, at) => (at % 2 ? realm.node : second))
  const used = await Promise.all(nodes.map((node) => use(codes[0]!, userId, node)))
  expect(used.filter((entry) => entry !== null)).toHaveLength(1)
})

test('what is no code, or somebody else’s, or of another realm, is refused', async () => {
  for (const text of ['', 'x', codes[0]!.slice(1), `${codes[0]}A`, 'A'.repeat(1000), 'AAAAA-AAAAA-AAAAA']) {
    expect(await use(text), text).toBeNull()
  }
  expect(await use(codes[0]!, realm.adminId)).toBeNull()
  const other = await createRealmFor()
  expect(await other.run((ctx) => useRecoveryCode(ctx, userId, codes[0]!))).toBeNull()
})

test('a new set ends the one before, also when two are made at once', async () => {
  const sets = [makeRecoveryCodes(), makeRecoveryCodes()]
  await Promise.all(sets.map((set) => realm.run((ctx) => storeRecoveryCodes(ctx, userId, set))))
  expect(await use(codes[0]!)).toBeNull()
  const works = await Promise.all(sets.map((set) => use(set[0]!)))
  expect(works.filter((entry) => entry !== null)).toEqual([expect.objectContaining({ remaining: 9 })])
  expect((await realm.call('GET', `/users/${userId}/credentials`)).body).toHaveLength(1)
})

test('S51: only hashes are kept, and the same code of somebody else has another one', async () => {
  await realm.run((ctx) => storeRecoveryCodes(ctx, realm.adminId, codes))
  const rows = await realm.node.services.db
    .selectFrom('recovery_codes')
    .selectAll()
    .where('realm_id', '=', realm.realmId)
    .execute()
  expect(new Set(rows.map((row) => row.code_hash.toString('hex'))).size).toBe(20)
  const everything = rows.map((row) => row.code_hash.toString('latin1')).join()
  for (const code of codes) expect(everything).not.toContain(code.replaceAll('-', ''))
})
