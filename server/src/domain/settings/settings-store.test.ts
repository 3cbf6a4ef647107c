import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createScratchDatabase, type ScratchDatabase } from '../../../test/services/scratch-database.ts'
import { createSealer } from '../../platform/crypto/index.ts'
import { createDatabase, type Database, runTransaction } from '../../platform/db/index.ts'
import { systemClock } from '../../platform/time/index.ts'
import { type Context, jobActor, type Services } from '../context/index.ts'
import { createSnapshots, type RealmSnapshots } from '../snapshot/index.ts'
import {
  defaultSettings,
  lookSection,
  openCaptchaSecret,
  settingsContribution,
  settingsSection,
  updateSettings,
} from './index.ts'
import { loadSettings } from './service.ts'

let scratch: ScratchDatabase
let db: Database
let snapshots: RealmSnapshots
const sealer = createSealer([{ id: 'k1', key: randomBytes(32) }])
let made = 0
let realmId = ''

beforeAll(async () => {
  scratch = await createScratchDatabase({ migrated: true })
  db = createDatabase({ url: scratch.appUrl, poolSize: 4, prepared: true })
  snapshots = createSnapshots({ db, sealer, clock: systemClock, maxBytes: 1 << 20, onPollError: () => undefined })
})

afterAll(async () => {
  await db.destroy()
  await scratch.drop()
})

beforeEach(async () => {
  made += 1
  realmId = `realm-${made}`
  await scratch.run(`insert into realms (realm_id, created_at, system) values ('${realmId}', 0, false)`)
  await act(async (ctx) => settingsContribution.seed?.(ctx, {} as never))
})

async function act<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
  const services = { config: { baseUrl: 'https://login.example.com' }, sealer, snapshots, db } as unknown as Services
  const origin = { sourceIp: null, userAgent: null, traceId: '0' }
  return await runTransaction(db, ({ tx, afterCommit }) =>
    work({ services, realmId, actor: jobActor, tx, now: 0, origin, afterCommit, dryRun: false }),
  )
}

const storedRow = async () => (await scratch.run(`select * from realm_settings where realm_id = '${realmId}'`)).rows[0]

describe('stored settings', () => {
  test('a seeded realm has the defaults and stores none of them', async () => {
    expect(await act((ctx) => loadSettings(ctx, false))).toEqual({
      record: { realmId, ...defaultSettings },
      version: 2,
    })
    expect((await storedRow()).settings).toEqual({})
  })

  test('a change is read back from the database and seen by the next snapshot', async () => {
    const old = await snapshots.find(realmId)
    expect((await old?.section(settingsSection))?.primaryColor).toBeNull()
    await act((ctx) =>
      updateSettings(ctx, { primaryColor: '#123456', displayName: 'Example', bruteForce: { maxFailures: 3 } }),
    )
    expect((await storedRow()).settings).toEqual({ primaryColor: '#123456', bruteForce: { maxFailures: 3 } })

    const next = await snapshots.find(realmId)
    expect(next?.configVersion).toBe((old?.configVersion ?? 0) + 1)
    expect(await next?.section(settingsSection)).toMatchObject({ primaryColor: '#123456', displayName: 'Example' })
    expect(await next?.section(lookSection)).toMatchObject({ displayName: 'Example', themeVersion: expect.any(String) })
    // A request in flight finishes on what it began with.
    expect((await old?.section(settingsSection))?.primaryColor).toBeNull()
  })

  test('every change raises the version, also one of the realm itself; no change leaves it', async () => {
    const first = await act((ctx) => updateSettings(ctx, { rememberMe: false }))
    const same = await act((ctx) => updateSettings(ctx, { rememberMe: false, displayName: null }))
    expect(same.version).toBe(first.version)
    await scratch.run(`update realms set display_name = 'x', version = version + 1 where realm_id = '${realmId}'`)
    const renamed = await act((ctx) => loadSettings(ctx, false))
    expect(renamed.version).toBe(first.version + 1)
    expect(renamed.record.displayName).toBe('x')
  })

  test('two changes at once both arrive', async () => {
    await Promise.all([
      act((ctx) => updateSettings(ctx, { welcomeText: 'one' })),
      act((ctx) => updateSettings(ctx, { primaryColor: '#222' })),
      act((ctx) => updateSettings(ctx, { passwordPolicy: { minLength: 20 } })),
    ])
    const { record, version } = await act((ctx) => loadSettings(ctx, false))
    expect(record).toMatchObject({ welcomeText: 'one', primaryColor: '#222', passwordPolicy: { minLength: 20 } })
    expect(version).toBe(5)
  })

  test('S51 the captcha secret is sealed in its own realm and row, and is cleared by an empty one', async () => {
    await act((ctx) => updateSettings(ctx, { captcha: { provider: 'hcaptcha', siteKey: 'key', secret: 'canary-1' } }))
    expect(await openCaptchaSecret({ db, sealer }, realmId)).toBe('canary-1')
    const row = await storedRow()
    expect(JSON.stringify(row.settings)).not.toContain('canary')
    expect((row.sealed as Buffer).includes('canary')).toBe(false)

    const other = `${realmId}-copy`
    await scratch.run(`insert into realms (realm_id, created_at) values ('${other}', 0)`)
    await scratch.run(
      `insert into realm_settings select '${other}', settings, sealed from realm_settings where realm_id = '${realmId}'`,
    )
    await expect(openCaptchaSecret({ db, sealer }, other)).rejects.toThrow()

    await act((ctx) => updateSettings(ctx, { captcha: { provider: null, secret: '' } }))
    expect((await storedRow()).sealed).toBeNull()
    expect(await openCaptchaSecret({ db, sealer }, realmId)).toBeNull()
  })

  test('a new secret alone is a change', async () => {
    const first = await act((ctx) => updateSettings(ctx, { captcha: { secret: 'one' } }))
    const second = await act((ctx) => updateSettings(ctx, { captcha: { secret: 'two' } }))
    expect(second.version).toBeGreaterThan(first.version)
    expect(await openCaptchaSecret({ db, sealer }, realmId)).toBe('two')
  })

  test('refuses to disable the system realm, and disables others', async () => {
    await act((ctx) => updateSettings(ctx, { enabled: false }))
    expect((await snapshots.find(realmId))?.enabled).toBe(false)
    await scratch.run(`update realms set system = true, enabled = true where realm_id = '${realmId}'`)
    await expect(act((ctx) => updateSettings(ctx, { enabled: false }))).rejects.toMatchObject({ code: 'protected' })
  })

  test('a realm without a row still has the defaults and can be changed', async () => {
    await scratch.run(`delete from realm_settings where realm_id = '${realmId}'`)
    expect((await act((ctx) => loadSettings(ctx, false))).record.rememberMe).toBe(true)
    expect((await act((ctx) => updateSettings(ctx, { rememberMe: false }))).record.rememberMe).toBe(false)
  })

  test('a deleted realm has none', async () => {
    await scratch.run(`update realms set deleted_at = 1 where realm_id = '${realmId}'`)
    await expect(act((ctx) => loadSettings(ctx, false))).rejects.toMatchObject({ code: 'not_found' })
  })
})
