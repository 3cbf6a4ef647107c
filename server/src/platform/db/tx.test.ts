import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase } from '../../../test/harness/node.ts'
import { DomainError } from '../errors/index.ts'
import { createDatabase, type Database, Rollback, runTransaction } from './index.ts'

let db: Database
let database: Awaited<ReturnType<typeof cloneDatabase>>
beforeAll(async () => {
  database = await cloneDatabase()
  db = createDatabase({ url: database.adminUrl, poolSize: 4, prepared: true })
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const failure = (code: string) => Object.assign(new Error(code), { code })
const count = async (name: string) =>
  (await db.selectFrom('server_counters').selectAll().where('name', '=', name).execute()).length
const insert = (tx: Database, name: string) =>
  tx.insertInto('server_counters').values({ name, stripe: 0, value: 1 }).execute()

it('runs the whole closure again after a deadlock, and its effects once', async () => {
  let tries = 0
  const effects: string[] = []
  await runTransaction(db, async ({ tx, afterCommit }) => {
    tries++
    await insert(tx, 'retried')
    afterCommit(() => effects.push(`try ${tries}`))
    if (tries < 3) throw failure('40P01')
  })
  expect(tries).toBe(3)
  expect(effects).toEqual(['try 3'])
  expect(await count('retried')).toBe(1)
})

it('gives up after a few tries with 503 and Retry-After', async () => {
  const refused = await runTransaction(db, async () => {
    throw failure('40001')
  }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'unavailable', retryAfterSeconds: expect.any(Number) })
})

it('keeps nothing and runs no effect when the closure throws, or rolls back on purpose', async () => {
  const effects: string[] = []
  await runTransaction(db, async ({ tx, afterCommit }) => {
    await insert(tx, 'thrown')
    afterCommit(() => effects.push('thrown'))
    throw new DomainError('conflict', 'no')
  }).catch(() => undefined)
  const answer = await runTransaction(db, async ({ tx, afterCommit }) => {
    await insert(tx, 'dry')
    afterCommit(() => effects.push('dry'))
    throw new Rollback('what would have been')
  })
  expect(answer).toBe('what would have been')
  expect(effects).toEqual([])
  expect(await count('thrown')).toBe(0)
  expect(await count('dry')).toBe(0)
})

it('hides the text of a lost connection', async () => {
  const error = await runTransaction(db, async () => {
    throw failure('57P01')
  }).catch((thrown: unknown) => thrown as DomainError)
  expect(error).toMatchObject({ code: 'unavailable', detail: 'The database cannot be reached at the moment.' })
})
