// The hash chain over the audit trail: contract 6.6, 0.4, 2.88; F3 and F25 (a job may run twice, or be killed in the middle).
import { createHash } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  chainAndSeal,
  type ChainStand,
  openChainStand,
  readPlaces,
  verify,
  writeEvents,
} from '../../../../test/audit-chain/stand.ts'
import { startTestNode, type TestNode } from '../../../../test/harness/index.ts'
import { adminPassword } from '../../../../test/harness/realm.ts'
import { listenToStatements } from '../../../../test/rules/statements.ts'
import { firstIdAt } from '../../../platform/ids/index.ts'
import { clearExpiredEvents } from '../retention.ts'
import { useAuditKeys } from './audit-key.ts'
import { chainLateEvents, chainNewEvents } from './run.ts'

const dayMs = 86_400_000
let stand: ChainStand
let second: TestNode
beforeAll(async () => {
  stand = await openChainStand()
  second = await startTestNode({ database: stand.database, env: { GATEHOUSE_WORKER: 'false' } })
})
afterAll(async () => {
  await second.stop()
  await stand.stop()
})

const countEvents = async (realmId: string) =>
  Number((await stand.sql('select count(*) from audit_events where realm_id = $1', [realmId]))[0]!.count)

const insertAt = (realmId: string, id: string, client: { query(text: string, values: unknown[]): Promise<unknown> }) =>
  client.query(
    `insert into audit_events (realm_id, id, category, type, outcome, actor)
     values ($1, $2, 'AUTHN', 'LOGOUT', 'SUCCESS', 'system')`,
    [realmId, id],
  )

describe('the chain', () => {
  test('gives every event a place of its own, in order, and shows it where events are read', async () => {
    const realm = await stand.openRealm()
    await writeEvents(realm, 5)
    expect((await realm.events()).map(({ seq, hash }) => [seq, hash])).toContainEqual([null, null])
    await chainNewEvents(stand.node.services)
    const places = await readPlaces(stand, realm)
    expect(places.map(({ seq }) => seq)).toEqual(places.map((_, at) => at + 1))
    expect(places.map(({ event_id }) => event_id)).toEqual(places.map(({ event_id }) => event_id).sort())
    expect(places).toHaveLength(await countEvents(realm.realmId))
    const shown = await realm.events('&type=LOGOUT')
    expect(shown).toHaveLength(5)
    for (const event of shown) {
      expect(places).toContainEqual({ seq: event.seq, event_id: event.id, hash: event.hash })
    }
  })

  test('is the same whoever computes it: SHA-256 over the hash before and the canonical row', async () => {
    const realm = await stand.openRealm()
    await writeEvents(realm, 1)
    await chainNewEvents(stand.node.services)
    const [first, next] = await readPlaces(stand, realm)
    let before = Buffer.alloc(32)
    for (const place of [first!, next!]) {
      const [row] = await stand.sql('select * from audit_events where realm_id = $1 and id = $2', [
        realm.realmId,
        place.event_id,
      ])
      const members = Object.entries(row!).map(([name, value]) => [
        name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
        value instanceof Buffer ? value.toString('base64url') : value,
      ])
      const sorted = Object.fromEntries(members.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
      before = createHash('sha256').update(before).update(JSON.stringify(sorted)).digest()
      expect(before.toString('hex')).toBe(place.hash)
    }
  })

  test('of a realm without events is empty and valid', async () => {
    const realm = await stand.openRealm()
    await stand.sql('delete from audit_events where realm_id = $1', [realm.realmId])
    const report = await verify(realm)
    expect(report).toMatchObject({
      valid: true,
      checked: 0,
      from: null,
      to: null,
      firstBroken: null,
      lastSeal: null,
      next: null,
    })
  })

  test('costs nothing when nothing happened: no realm is looked at', async () => {
    await chainNewEvents(stand.node.services)
    const listener = listenToStatements()
    expect(await chainNewEvents(stand.node.services)).toBe(0)
    listener.stop()
    const aboutRealms = [...listener.texts].filter((text) => !text.includes('server_settings'))
    expect(aboutRealms.map((text) => / from \(? ?"?(\w+)/.exec(text)?.[1]).sort()).toEqual([
      'audit_chain_heads',
      'select',
    ])
  })

  test('chains the history of a realm that is older than the chain', async () => {
    const realm = await stand.openRealm()
    const old = firstIdAt(stand.node.clock.now() - 20 * dayMs)
    await stand.sql(
      `insert into audit_events (realm_id, id, category, type, outcome, actor) values ($1, $2, 'AUTHN', 'LOGOUT', 'SUCCESS', 'system')`,
      [realm.realmId, old],
    )
    await chainNewEvents(stand.node.services)
    expect((await readPlaces(stand, realm))[0]).toMatchObject({ seq: 1, event_id: old })
    expect((await verify(realm)).valid).toBe(true)
  })
})

describe('an event that comes to light late', () => {
  test('because its transaction stayed open gets a later place, and nothing is missed', async () => {
    const realm = await stand.openRealm()
    const client = new pg.Client({ connectionString: stand.database.superUrl })
    await client.connect()
    await client.query('begin')
    const lateId = firstIdAt(stand.node.clock.now() - 1)
    await insertAt(realm.realmId, lateId, client)
    await writeEvents(realm, 3)
    await chainNewEvents(stand.node.services)
    const before = await readPlaces(stand, realm)
    expect(before.map(({ event_id }) => event_id)).not.toContain(lateId)
    await client.query('commit')
    await client.end()
    // Nobody else writes in this realm: the late event alone is reason enough to look at it.
    await chainNewEvents(stand.node.services)
    const after = await readPlaces(stand, realm)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.at(-1)).toMatchObject({ seq: before.length + 1, event_id: lateId })
    expect((await verify(realm)).valid).toBe(true)
  })

  test('by hours is found by the nightly look', async () => {
    const realm = await stand.openRealm()
    await chainAndSeal(stand)
    const lateId = firstIdAt(stand.node.clock.now() - 10 * 3_600_000)
    await stand.sql(
      `insert into audit_events (realm_id, id, category, type, outcome, actor) values ($1, $2, 'AUTHN', 'LOGOUT', 'SUCCESS', 'system')`,
      [realm.realmId, lateId],
    )
    await chainNewEvents(stand.node.services)
    const before = await readPlaces(stand, realm)
    expect(before.map(({ event_id }) => event_id)).not.toContain(lateId)
    expect(await verify(realm)).toMatchObject({ valid: true, unchained: 1 })
    expect(await chainLateEvents(stand.node.services)).toBeGreaterThan(0)
    const place = (await readPlaces(stand, realm)).find(({ event_id }) => event_id === lateId)
    expect(place!.seq).toBeGreaterThan(before.at(-1)!.seq)
    expect((await verify(realm)).valid).toBe(true)
  })
})

describe('workers', () => {
  test('F25 on two nodes at once give every event exactly one place, and the chain holds', async () => {
    const realm = await stand.openRealm()
    for (let round = 0; round < 3; round++) {
      await writeEvents(realm, 20)
      await Promise.all([
        chainNewEvents(stand.node.services),
        chainNewEvents(second.services),
        writeEvents(realm, 10),
        chainNewEvents(second.services),
        chainNewEvents(stand.node.services),
      ])
    }
    await chainNewEvents(stand.node.services)
    const places = await readPlaces(stand, realm)
    expect(places.map(({ seq }) => seq)).toEqual(places.map((_, at) => at + 1))
    expect(new Set(places.map(({ event_id }) => event_id)).size).toBe(places.length)
    expect(places).toHaveLength(await countEvents(realm.realmId))
    expect((await verify(realm)).valid).toBe(true)
  })

  test('F3 one that stands still while it holds a chain holds up that realm alone, and cannot add anything afterwards', async () => {
    const [frozen, other] = [await stand.openRealm(), await stand.openRealm()]
    await chainNewEvents(stand.node.services)
    const worker = new pg.Client({ connectionString: stand.database.superUrl })
    worker.on('error', () => undefined)
    await worker.connect()
    await worker.query('begin')
    const held = await worker.query('select seq::int, hash from audit_chain_heads where realm_id = $1 for update', [
      frozen.realmId,
    ])
    await writeEvents(frozen, 2)
    await writeEvents(other, 2)
    await chainNewEvents(stand.node.services)
    expect((await verify(other)).unchained).toBeLessThan((await verify(frozen)).unchained)
    // Its connection is lost while it sleeps; another takes over.
    await stand.sql('select pg_terminate_backend($1)', [
      (
        await stand.sql(`select pid from pg_locks where mode = 'RowShareLock' and pid <> pg_backend_pid()
        and relation = 'audit_chain_heads'::regclass`)
      )[0]!.pid,
    ])
    await expect(worker.query('select 1')).rejects.toThrow()
    await chainNewEvents(second.services)
    const places = await readPlaces(stand, frozen)
    expect(places.length).toBeGreaterThanOrEqual(Number(held.rows[0].seq) + 2)
    // What it had in mind is refused by the keys of the table.
    const next = Number(held.rows[0].seq) + 1
    await expect(
      stand.sql('insert into audit_chain (realm_id, seq, event_id, hash) values ($1, $2, $3, $4)', [
        frozen.realmId,
        next,
        firstIdAt(1),
        held.rows[0].hash,
      ]),
    ).rejects.toThrow(/audit_chain_pkey/)
    expect((await verify(frozen)).valid).toBe(true)
  })

  test('F25 killed between the places and the head leave nothing behind, and the next run does all of it', async () => {
    const realm = await stand.openRealm()
    await chainNewEvents(stand.node.services)
    const before = await readPlaces(stand, realm)
    await writeEvents(realm, 3)
    // The head refuses to be written: the transaction ends as it does when its worker dies.
    await stand.sql(
      'alter table audit_chain_heads add constraint dies check (seq <= $$1$$::bigint) not valid'.replace(
        '$$1$$',
        `'${before.length}'`,
      ),
    )
    await chainNewEvents(stand.node.services)
    expect(await readPlaces(stand, realm)).toEqual(before)
    expect(stand.node.lines.join('')).toContain('could not be continued')
    await stand.sql('alter table audit_chain_heads drop constraint dies')
    await writeEvents(realm, 1)
    await chainNewEvents(second.services)
    expect(await readPlaces(stand, realm)).toHaveLength(await countEvents(realm.realmId))
    expect((await verify(realm)).valid).toBe(true)
  })
})

describe('a seal', () => {
  test('covers a chain within minutes, also when its realm falls silent, and only once', async () => {
    const realm = await stand.openRealm()
    await writeEvents(realm, 2)
    await chainNewEvents(stand.node.services)
    expect((await verify(realm)).lastSeal).toBeNull()
    await chainAndSeal(stand)
    const sealed = await readPlaces(stand, realm)
    const { lastSeal, keys, valid } = await verify(realm)
    expect(valid).toBe(true)
    expect(lastSeal).toMatchObject({ realm: realm.realmId, seq: expect.any(Number), keyId: keys[0].kid })
    expect(sealed[lastSeal.seq - 1]!.hash).toBe(lastSeal.hash)
    // It leaves the database, too.
    expect(stand.node.lines.some((line) => line.includes(lastSeal.signature))).toBe(true)
    const count = async () =>
      (await stand.sql('select count(*)::int from audit_seals where realm_id = $1', [realm.realmId]))[0]!.count
    // The report above is an event of its own; once that is sealed, silence makes no more of them.
    await chainAndSeal(stand)
    expect(await count()).toBe(2)
    await chainAndSeal(stand)
    expect(await count()).toBe(2)
  })

  test('is signed with a key that lies sealed, and the same one on every node', async () => {
    const [row] = await stand.sql(`select value, sealed from server_settings where name = 'audit-key'`)
    const realm = await stand.openRealm()
    const { keys } = await verify(realm)
    expect(keys).toHaveLength(1)
    expect(JSON.stringify(row!.value)).toBe('{}')
    expect((row!.sealed as Buffer).toString('latin1')).not.toContain(keys[0].x)
    expect((await useAuditKeys(second.services)).keyId).toBe(keys[0].kid)
  })
})

describe('verification', () => {
  test('goes through a long trail in steps, and is recorded each time', async () => {
    const realm = await stand.openRealm()
    await writeEvents(realm, 25)
    await chainAndSeal(stand)
    let next: number | null = 0
    let checked = 0
    let calls = 0
    while (next !== null) {
      const report: { next: number | null; checked: number; valid: boolean } = await verify(
        realm,
        `?size=10&after=${next}`,
      )
      expect(report.valid).toBe(true)
      checked += report.checked
      calls += 1
      next = report.next
    }
    expect(checked).toBe((await readPlaces(stand, realm)).length)
    expect(calls).toBe(Math.ceil(checked / 10))
    const recorded = await realm.events('&type=AUDIT_CHAIN_VERIFIED')
    expect(recorded).toHaveLength(calls)
    expect(JSON.parse(recorded[0].detail)).toMatchObject({ valid: true })
    expect(recorded[0]).toMatchObject({ category: 'SECURITY', outcome: 'SUCCESS', actor: realm.adminId })
  })

  test('takes the newest, a range of time, and a hash that was noted outside', async () => {
    const realm = await stand.openRealm()
    await writeEvents(realm, 4)
    await chainAndSeal(stand)
    await writeEvents(realm, 4)
    await chainAndSeal(stand)
    const places = await readPlaces(stand, realm)
    const last = places.at(-1)!
    expect(await verify(realm, '?last=3')).toMatchObject({ valid: true, checked: 3, to: last.seq, next: null })
    const later = await verify(realm, `?from=${stand.node.clock.now() - 3 * 60_000}`)
    expect(later).toMatchObject({ valid: true, to: last.seq })
    expect(later.from).toBeGreaterThan(1)
    expect((await verify(realm, `?expect=${places[2]!.seq}:${places[2]!.hash}`)).valid).toBe(true)
    expect(await verify(realm, `?expect=${places[2]!.seq}:${'0'.repeat(64)}`)).toMatchObject({
      valid: false,
      firstBroken: { seq: places[2]!.seq, reason: 'CHAIN_REWRITTEN' },
    })
    for (const query of ['?size=0', '?size=5001', '?after=x', '?last=-1', '?expect=1', '?from=soon']) {
      expect((await realm.call('GET', `/events/verify${query}`)).status, query).toBe(400)
    }
  })

  test('holds after somebody was erased: their key goes, the rows and their hashes stay', async () => {
    const realm = await stand.openRealm()
    const { userId } = await realm.signInWith([])
    await chainAndSeal(stand)
    await stand.sql('delete from audit_keys where realm_id = $1 and id = $2', [realm.realmId, userId])
    expect((await realm.events(`&actor=${userId}`))[0].actor).toBe(`erased:${userId}`)
    expect(await verify(realm)).toMatchObject({ valid: true, firstBroken: null })
  })
})

describe('retention', () => {
  test('removes events with their places, and what remains is checked from the seal before it', async () => {
    const realm = await stand.openRealm()
    const other = await stand.openRealm()
    await writeEvents(realm, 5)
    await chainAndSeal(stand)
    await stand.sql(
      `insert into realm_settings (realm_id, settings) values ($1, '{"eventRetentionDays":1}')
       on conflict (realm_id) do update set settings = realm_settings.settings || excluded.settings`,
      [realm.realmId],
    )
    const before = await readPlaces(stand, realm)
    stand.node.clock.advance(2 * dayMs)
    await writeEvents(realm, 3)
    await writeEvents(other, 1)
    await chainAndSeal(stand)
    expect(await clearExpiredEvents(stand.node.services)).toBeGreaterThanOrEqual(before.length)
    const after = await readPlaces(stand, realm)
    expect(after[0]!.seq).toBeGreaterThan(1)
    for (const { admin, realmId } of [realm, other]) await admin.login(realmId, 'admin', adminPassword)
    const report = await verify(realm)
    expect(report).toMatchObject({ valid: true, from: after[0]!.seq, to: after.at(-1)!.seq })
    expect(report.lastSeal.removedBefore).toEqual(expect.any(String))
    // A second night finds nothing to do; the chain goes on.
    expect(await clearExpiredEvents(stand.node.services)).toBe(0)
    await writeEvents(realm, 1)
    await chainNewEvents(stand.node.services)
    expect((await verify(realm)).valid).toBe(true)
    expect((await verify(other)).valid).toBe(true)
  })
})
