import { newId } from '../../../../platform/ids/index.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRealmFor, startTestNode, type TestNode, type TestRealm } from '../../../../../test/harness/index.ts'
import { contextIn } from '../../../../../test/harness/realm.ts'
import { runTransaction } from '../../../../platform/db/index.ts'
import { codeAt } from './codes.ts'
import { readPendingTotp, startTotp, type TotpEnrolment, useTotp } from './index.ts'

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
let userId: string
beforeEach(async () => {
  realm = await createRealmFor({ node: first })
  userId = (await realm.call('POST', '/users', { username: 'ada' })).body.userId
})

const stepMs = 30_000
const signInId = newId()
const naming = { issuerName: 'Acme: Bank', username: 'ada' }
const start = () => realm.run((ctx) => startTotp(ctx, { userId, label: 'Phone', ...naming }))
type Allow = 'CONFIRMED' | 'PENDING' | 'ANY'
const use = (code: string, allow: Allow = 'CONFIRMED', node = first) =>
  runTransaction(node.services.db, (work) => useTotp(contextIn(node, realm.realmId, work), { userId, code, allow }))
const codeIn = ({ secret }: TotpEnrolment, steps: number) => codeAt(secret, first.clock.now() + steps * stepMs)

/** To the beginning of a later step: the clock runs on while a test does, and must not cross into the next one. */
function skipSteps(): void {
  first.clock.advance(4 * stepMs - (first.clock.now() % stepMs) + 1000)
}

/** An app in use, far enough from the step that confirmed it. */
async function enrol(): Promise<TotpEnrolment> {
  const app = await start()
  expect(await use(codeIn(app, 0), 'PENDING')).toEqual({ credentialId: app.id })
  skipSteps()
  return app
}

describe('an enrolment', () => {
  test('gives a secret of 160 bits and an address that apps understand', async () => {
    const { secret, uri } = await start()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const url = new URL(uri)
    expect([url.protocol, url.host, decodeURIComponent(url.pathname)]).toEqual(['otpauth:', 'totp', '/Acme: Bank:ada'])
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'Acme: Bank',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })

  test('waits until a good code confirms it, and can be shown again meanwhile', async () => {
    const app = await start()
    expect(await realm.run((ctx) => readPendingTotp(ctx, { userId, signInId, ...naming }))).toEqual(app)
    expect(await use(codeIn(app, 0), 'CONFIRMED')).toBeNull()
    expect((await realm.call('GET', `/users/${userId}`)).body.mfaEnabled).toBe(false)
    expect(await use(codeIn(app, 0), 'ANY')).toEqual({ credentialId: app.id })
    expect(await realm.run((ctx) => readPendingTotp(ctx, { userId, signInId, ...naming }))).toBeNull()
    expect((await realm.call('GET', `/users/${userId}`)).body.mfaEnabled).toBe(true)
  })

  test('takes the place of one that waits, never of one in use', async () => {
    const inUse = await enrol()
    const [one, two] = await Promise.all([start(), start()])
    const left = await realm.run((ctx) => readPendingTotp(ctx, { userId, signInId, ...naming }))
    expect([one.id, two.id]).toContain(left?.id)
    const gone = left?.id === one.id ? two : one
    expect(await use(codeIn(gone, 0), 'ANY')).toBeNull()
    expect(await use(codeIn(inUse, 0))).toEqual({ credentialId: inUse.id })
    expect(await use(codeIn(left!, 0), 'ANY')).toEqual({ credentialId: left!.id })
  })

  test('ends at ten apps', async () => {
    for (let at = 0; at < 10; at++) await enrol()
    await expect(start()).rejects.toMatchObject({ code: 'limit_reached' })
  })

  test('S51: the secret cannot be read in the table, and not be opened in another row', async () => {
    const mine = await start()
    const rows = () =>
      first.services.db.selectFrom('credentials').selectAll().where('realm_id', '=', realm.realmId).execute()
    const row = (await rows()).find(({ id }) => id === mine.id)!
    expect(JSON.stringify(row) + row.secret_sealed!.toString('latin1')).not.toContain(mine.secret)
    const stolen = realm.run(async (ctx) => {
      const theirs = await startTotp(ctx, { userId: realm.adminId, label: null, ...naming })
      await ctx.tx
        .updateTable('credentials')
        .set({ secret_sealed: row.secret_sealed })
        .where('realm_id', '=', realm.realmId)
        .where('id', '=', theirs.id)
        .execute()
      return useTotp(ctx, { userId: realm.adminId, code: codeAt(mine.secret, ctx.now), allow: 'ANY' })
    })
    await expect(stolen).rejects.toThrow()
  })
})

describe('a code', () => {
  test.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])('of %i steps from now is good: %s', async (steps, isGood) => {
    const app = await enrol()
    expect((await use(codeIn(app, steps))) !== null).toBe(isGood)
  })

  test('works once, also for the rest of its window, and no earlier one works after it', async () => {
    const app = await enrol()
    const code = codeIn(app, 0)
    const earlier = codeIn(app, -1)
    expect(await use(code)).not.toBeNull()
    expect(await use(code)).toBeNull()
    expect(await use(earlier)).toBeNull()
    first.clock.advance(stepMs)
    expect(await use(code)).toBeNull()
    expect(await use(codeIn(app, 0))).not.toBeNull()
  })

  test('that confirmed an app is used up by that', async () => {
    const app = await start()
    const code = codeIn(app, 0)
    expect(await use(code, 'PENDING')).not.toBeNull()
    expect(await use(code)).toBeNull()
  })

  test('works for exactly one of many requests at once on two nodes', async () => {
    const app = await enrol()
    second.clock.advance(first.clock.now() - second.clock.now())
    const code = codeIn(app, 0)
    const used = await Promise.all(
      Array.from({ length: 10 }, (_, at) => use(code, 'CONFIRMED', at % 2 ? first : second)),
    )
    expect(used.filter((use) => use !== null)).toHaveLength(1)
  })

  test('is not used up by a transaction that is rolled back', async () => {
    const app = await enrol()
    const code = codeIn(app, 0)
    const failing = realm.run(async (ctx) => {
      expect(await useTotp(ctx, { userId, code, allow: 'CONFIRMED' })).not.toBeNull()
      throw new Error('something else went wrong')
    })
    await expect(failing).rejects.toThrow('something else')
    expect(await use(code)).not.toBeNull()
  })

  test('may have spaces; what is no code is refused', async () => {
    const app = await enrol()
    const code = codeIn(app, 0)
    for (const text of ['', '12345', `${code}0`, code.slice(1), 'abcdef', '9'.repeat(1000)]) {
      expect(await use(text), text).toBeNull()
    }
    expect(await use(` ${code.slice(0, 3)} ${code.slice(3)} `)).not.toBeNull()
  })

  test('of somebody else or of another realm is worth nothing', async () => {
    const app = await enrol()
    const code = codeIn(app, 0)
    const other = await createRealmFor({ node: first })
    const elsewhere = other.run((ctx) => useTotp(ctx, { userId, code, allow: 'ANY' }))
    const asAdmin = realm.run((ctx) => useTotp(ctx, { userId: realm.adminId, code, allow: 'ANY' }))
    expect([await elsewhere, await asAdmin]).toEqual([null, null])
    expect(await use(code)).not.toBeNull()
  })
})
