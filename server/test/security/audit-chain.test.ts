// Nobody rewrites the audit trail unnoticed, not even whoever owns the database: S48, contract 6.6 and 10.1.
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAuditAid } from '../../src/app/audit-aid/index.ts'
import { verifyExport } from '../../src/app/audit-aid/verify-export.ts'
import { chainLateEvents, chainNewEvents } from '../../src/domain/events/chain/index.ts'
import { linkHash, sealText } from '../../src/domain/events/chain/proof/index.ts'
import { contentOf } from '../../src/domain/events/chain/store.ts'
import { clearExpiredEvents } from '../../src/domain/events/retention.ts'
import { firstIdAt } from '../../src/platform/ids/index.ts'
import {
  chainAndSeal,
  type ChainStand,
  openChainStand,
  type PlaceRow,
  readPlaces,
  verify,
  writeEvents,
} from '../audit-chain/stand.ts'
import type { TestRealm } from '../harness/index.ts'
import { adminPassword, must } from '../harness/realm.ts'

let stand: ChainStand
let realm: TestRealm
let places: PlaceRow[]
let dayAgo: number
beforeAll(async () => {
  stand = await openChainStand()
  realm = await stand.openRealm()
  dayAgo = stand.node.clock.now()
  await writeEvents(realm, 8)
  await chainAndSeal(stand)
  await writeEvents(realm, 4)
  await chainAndSeal(stand)
  places = await readPlaces(stand, realm)
})
afterAll(() => stand.stop())

/** Does something to the database as its owner could, looks what verification says, and takes it back. */
async function tamper(statements: [text: string, values: unknown[]][]): Promise<Record<string, unknown>> {
  await stand.sql('create table if not exists kept_events as select * from audit_events with no data')
  const tables = ['audit_events', 'audit_chain', 'audit_seals', 'audit_chain_heads']
  const id = realm.realmId
  for (const table of tables) {
    await stand.sql(`drop table if exists kept_${table}`)
    await stand.sql(`create table kept_${table} as select * from ${table} where realm_id = $1`, [id])
  }
  try {
    for (const [text, values] of statements) await stand.sql(text, values)
    return await verify(realm)
  } finally {
    for (const table of tables) await stand.sql(`delete from ${table} where realm_id = $1`, [id])
    for (const table of tables.toReversed()) await stand.sql(`insert into ${table} select * from kept_${table}`)
  }
}

const of = (place: PlaceRow) => [realm.realmId, place.event_id]
const at = (place: PlaceRow) => [realm.realmId, place.seq]
const brokenAt = (place: PlaceRow, reason: string) => ({
  valid: false,
  firstBroken: { seq: place.seq, eventId: place.event_id, reason },
})

describe('S48 verification says where', () => {
  test('nothing was touched', async () => {
    expect(await tamper([])).toMatchObject({ valid: true, firstBroken: null, checked: places.length })
  })

  test.each([
    ['its outcome', `outcome = 'FAILURE'`],
    ['its actor', `actor = 'somebody-else'`],
    ['what was sealed of it', `actor_sealed = '\\x00'`],
    ['the key its detail is sealed with', `detail_key_id = gen_random_uuid()`],
    ['its address', `ip_hash = '\\x0102'`],
  ])('an event was changed: %s', async (_what, change) => {
    const report = await tamper([[`update audit_events set ${change} where realm_id = $1 and id = $2`, of(places[3]!)]])
    expect(report).toMatchObject(brokenAt(places[3]!, 'EVENT_CHANGED'))
  })

  test('an event was removed, with and without its place', async () => {
    const removal: [string, unknown[]] = ['delete from audit_events where realm_id = $1 and id = $2', of(places[4]!)]
    expect(await tamper([removal])).toMatchObject(brokenAt(places[4]!, 'EVENT_REMOVED'))
    const both = await tamper([removal, ['delete from audit_chain where realm_id = $1 and seq = $2', at(places[4]!)]])
    expect(both).toMatchObject({ valid: false, firstBroken: { seq: places[5]!.seq, reason: 'CHAIN_GAP' } })
  })

  test('the newest events were cut off together with their places', async () => {
    const cut = places.slice(-2)
    const report = await tamper(
      cut.flatMap((place): [string, unknown[]][] => [
        ['delete from audit_events where realm_id = $1 and id = $2', of(place)],
        ['delete from audit_chain where realm_id = $1 and seq = $2', at(place)],
      ]),
    )
    expect(report).toMatchObject({ valid: false, firstBroken: { seq: cut[0]!.seq, reason: 'CHAIN_GAP' } })
  })

  test('the oldest events were cut off as if retention had done it', async () => {
    const [seal] = await stand.sql('select seq::int from audit_seals where realm_id = $1 order by number', [
      realm.realmId,
    ])
    const last = places[Number(seal!.seq) - 1]!
    const report = await tamper([
      ['delete from audit_events where realm_id = $1 and id <= $2', of(last)],
      ['delete from audit_chain where realm_id = $1 and seq <= $2', at(last)],
      // With an invented removal: it would have to be signed.
      [
        `update audit_seals set removed_before = $2 where realm_id = $1 and number = 2`,
        [realm.realmId, firstIdAt(stand.node.clock.now())],
      ],
    ])
    expect(report).toMatchObject({ valid: false, firstBroken: { reason: 'CHAIN_GAP' } })
  })

  test('an event was removed under the id of one that retention removed', async () => {
    const kept = await stand.openRealm()
    const setting = `insert into realm_settings (realm_id, settings) values ($1, '{"eventRetentionDays":1}')
      on conflict (realm_id) do update set settings = realm_settings.settings || excluded.settings`
    await stand.sql(setting, [kept.realmId])
    await writeEvents(kept, 3)
    // What the last seal before the removal does not cover stays with its place alone.
    let removed = 0
    for (const days of [3, 0, 4]) {
      stand.node.clock.advance(days * 86_400_000)
      await writeEvents(kept, 3)
      await chainAndSeal(stand)
      if (days === 3) removed = await clearExpiredEvents(stand.node.services)
    }
    expect(removed).toBeGreaterThan(0)
    await Promise.all([kept, realm].map(({ admin, realmId }) => admin.login(realmId, 'admin', adminPassword)))
    expect(await verify(kept)).toMatchObject({ valid: true })
    const target = (await readPlaces(stand, kept)).at(-2)!
    await stand.sql('delete from audit_events where realm_id = $1 and id = $2', [kept.realmId, target.event_id])
    await stand.sql('update audit_chain set event_id = $3 where realm_id = $1 and seq = $2', [
      ...[kept.realmId, target.seq],
      firstIdAt(dayAgo - 30 * 86_400_000),
    ])
    const expected = { seq: target.seq, reason: 'EVENT_REMOVED' }
    expect(await verify(kept)).toMatchObject({ valid: false, firstBroken: expected })
    expect(await verify(kept, `?after=${target.seq - 1}`)).toMatchObject({ valid: false, firstBroken: expected })
    const exported = join(tmpdir(), `${kept.realmId}.ndjson`)
    await writeFile(exported, (await kept.call('GET', '/events/export')).text)
    expect((await verifyExport(exported, null, null)).broken).toMatchObject(expected)
    await rm(exported)
  })

  test('two events were exchanged', async () => {
    const [a, b] = [places[2]!, places[5]!]
    const swap = `update audit_chain set event_id = $3 where realm_id = $1 and seq = $2`
    const spare = firstIdAt(1)
    const report = await tamper([
      [swap, [...at(a), spare]],
      [swap, [...at(b), a.event_id]],
      [swap, [...at(a), b.event_id]],
    ])
    expect(report).toMatchObject({
      valid: false,
      firstBroken: { seq: a.seq, eventId: b.event_id, reason: 'EVENT_MOVED' },
    })
  })

  test('an event was put in where the chain had passed long before', async () => {
    const planted = firstIdAt(dayAgo - 72 * 3_600_000)
    const insert: [string, unknown[]] = [
      `insert into audit_events (realm_id, id, category, type, outcome, actor) values ($1, $2, 'ADMIN', 'ADMIN_UPDATE', 'SUCCESS', 'system')`,
      [realm.realmId, planted],
    ]
    expect(await tamper([insert])).toMatchObject({
      valid: false,
      firstBroken: { seq: null, eventId: planted, reason: 'EVENT_INSERTED' },
    })
    // And the jobs never make it one of the chain, also when somebody sets back where they and the chain were.
    await stand.sql(...insert)
    const ran = async () => {
      await chainNewEvents(stand.node.services)
      await chainLateEvents(stand.node.services)
      return (await readPlaces(stand, realm)).map(({ event_id }) => event_id)
    }
    expect(await ran()).not.toContain(planted)
    const mark = JSON.stringify({ through: dayAgo - 96 * 3_600_000 })
    await stand.sql(`update server_settings set value = $1 where name = 'audit-chain'`, [mark])
    await writeEvents(realm, 1)
    expect(await ran()).not.toContain(planted)
    const passed = (await ran()).toSorted().at(-1)!
    const setBack = 'update audit_chain_heads set passed_id = $2 where realm_id = $1'
    for (const to of [null, firstIdAt(dayAgo - 96 * 3_600_000)]) {
      await stand.sql(setBack, [realm.realmId, to])
      await writeEvents(realm, 1)
      expect(await ran()).not.toContain(planted)
      expect(stand.node.lines.join('\n')).toContain('could not be continued')
    }
    await stand.sql(setBack, [realm.realmId, passed])
    await stand.sql('delete from audit_events where realm_id = $1 and id = $2', [realm.realmId, planted])
    await chainAndSeal(stand)
    expect(await verify(realm)).toMatchObject({ valid: true })
    places = await readPlaces(stand, realm)
  })
})

/** Changes one event and computes everything after it anew, as somebody who knows how it is done would. */
async function rewriteFrom(place: PlaceRow): Promise<[string, unknown[]][]> {
  const rows = new Map(
    (await stand.sql('select * from audit_events where realm_id = $1', [realm.realmId])).map((row) => [row.id, row]),
  )
  let hash = places[places.indexOf(place) - 1]!.hash
  const statements: [string, unknown[]][] = [
    [`update audit_events set outcome = 'FAILURE' where realm_id = $1 and id = $2`, of(place)],
  ]
  for (const next of places.slice(places.indexOf(place))) {
    const row = { ...rows.get(next.event_id)!, ...(next === place ? { outcome: 'FAILURE' } : {}) }
    hash = linkHash(hash, contentOf(row as never))
    statements.push([
      `update audit_chain set hash = decode($3, 'hex') where realm_id = $1 and seq = $2`,
      [...at(next), hash],
    ])
  }
  statements.push([`update audit_chain_heads set hash = decode($2, 'hex') where realm_id = $1`, [realm.realmId, hash]])
  return statements
}

describe('S48 a chain that was computed anew', () => {
  test('does not fit its seals', async () => {
    const { seq } = (
      await stand.sql('select seq::int from audit_seals where realm_id = $1 order by number', [realm.realmId])
    )[0] as { seq: number }
    const report = await tamper(await rewriteFrom(places[2]!))
    expect(report).toMatchObject({ valid: false, firstBroken: { seq, reason: 'CHAIN_REWRITTEN' } })
  })

  test('cannot be sealed by anybody else: a seal of another key is none', async () => {
    const statements = await rewriteFrom(places[2]!)
    const hashes = new Map(statements.slice(1, -1).map(([, [, seq, hash]]) => [Number(seq), String(hash)]))
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const keyId = String(publicKey.export({ format: 'jwk' }).x)
    const seals = await stand.sql('select number::int, seq::int, sealed_at from audit_seals where realm_id = $1', [
      realm.realmId,
    ])
    for (const seal of seals) {
      const { number, seq } = seal as { number: number; seq: number }
      const hash = hashes.get(seq) ?? places[seq - 1]!.hash
      const text = sealText({
        ...{ realm: realm.realmId, number, seq, hash, at: Number(seal.sealed_at) },
        ...{ removedBefore: null, keyId },
      })
      statements.push([
        `update audit_seals set hash = decode($3, 'hex'), key_id = $4, signature = $5 where realm_id = $1 and number = $2`,
        [realm.realmId, number, hash, keyId, sign(null, Buffer.from(text), privateKey)],
      ])
    }
    expect(await tamper(statements)).toMatchObject({ valid: false, firstBroken: { reason: 'SEAL_INVALID' } })
  })

  test('does not get rid of its seals: they are numbered, and somebody may have noted a hash', async () => {
    const noSeals: [string, unknown[]][] = [
      ...(await rewriteFrom(places[2]!)),
      ['delete from audit_seals where realm_id = $1 and number = 1', [realm.realmId]],
    ]
    expect((await tamper(noSeals)).valid).toBe(false)
    const hidden = await tamper([
      ['delete from audit_seals where realm_id = $1 and number = 1', [realm.realmId]],
      ['update audit_chain_heads set seals = 1 where realm_id = $1', [realm.realmId]],
    ])
    expect(hidden).toMatchObject({ valid: false, firstBroken: { reason: 'SEAL_MISSING' } })
    expect(
      await tamper([['delete from audit_seals where realm_id = $1 and number = 1', [realm.realmId]]]),
    ).toMatchObject({
      valid: false,
      firstBroken: { reason: 'SEAL_MISSING' },
    })
    expect(await tamper([['delete from audit_seals where realm_id = $1', [realm.realmId]]])).toMatchObject({
      valid: false,
      firstBroken: { reason: 'SEAL_MISSING' },
    })
  })

  test('the failure is an event itself', async () => {
    await tamper([[`update audit_events set outcome = 'FAILURE' where realm_id = $1 and id = $2`, of(places[3]!)]])
    // The tampering was taken back together with its event; what went out stays.
    const line = stand.node.auditLines.findLast(({ type }) => type === 'AUDIT_CHAIN_VERIFIED')
    expect(line).toMatchObject({ outcome: 'FAILURE', detail: expect.stringContaining('EVENT_CHANGED') })
  })
})

describe('S48 the serving role', () => {
  test.each([
    `update audit_chain set hash = ''`,
    'delete from audit_chain',
    'truncate audit_chain',
    `update audit_seals set signature = ''`,
    'delete from audit_seals',
    'truncate audit_seals, audit_chain',
    `update audit_events set outcome = 'x'`,
    'delete from audit_events',
    'drop index audit_events_lately',
  ])('is refused: %s', async (statement) => {
    await expect(sql.raw(statement).execute(stand.node.services.db)).rejects.toThrow(/permission denied|must be owner/)
  })
})

describe('who may', () => {
  test('verify and export is whoever may read the trail, and nobody of another realm', async () => {
    const other = await stand.openRealm()
    for (const path of ['/events/verify', '/events/export']) {
      expect((await other.callAs(other.admin, 'GET', path)).status).toBe(200)
      expect((await realm.callAs(other.admin, 'GET', path)).status).toBe(401)
      const clerk = await realm.signInWith(['view-users'])
      expect((await realm.callAs(clerk.browser, 'GET', path)).status).toBe(403)
      expect((await realm.admin.write('POST', `/admin/realms/${realm.realmId}${path}`, {})).status).toBe(405)
    }
    const text = (await other.call('GET', '/events/export')).text
    expect(text).not.toContain(realm.realmId)
  })
})

describe('an export', () => {
  const file = join(tmpdir(), `gatehouse-audit-${process.pid}.ndjson`)
  let lines: string[]
  let keyId: string
  beforeAll(async () => {
    await chainAndSeal(stand)
    const answer = await must(realm.call('GET', '/events/export'), 200)
    lines = answer.text.trimEnd().split('\n')
    keyId = (await verify(realm)).keys[0].kid
  })
  afterAll(() => rm(file, { force: true }))

  /** What the command says about a file of these lines. */
  async function check(given: string[], args: string[] = []) {
    await writeFile(file, `${given.join('\n')}\n`)
    const printed: string[] = []
    const io = { print: (line: string) => printed.push(line), tell: (line: string) => printed.push(line) }
    const code = await runAuditAid(['verify', file, '--json', ...args], io as never)
    return { code, reports: code === 2 ? [] : JSON.parse(printed.join('\n')), printed }
  }
  const change = (at: number, edit: (line: Record<'content' | 'event', object>) => object) =>
    lines.with(at, JSON.stringify(edit(JSON.parse(lines[at]!))))

  test('proves itself without a server, with the key that was noted outside', async () => {
    const { code, reports } = await check(lines, ['--key', keyId])
    expect(reports).toMatchObject([{ realm: realm.realmId, from: 1, broken: null, next: null }])
    expect(code).toBe(0)
    expect(reports[0].events).toBeGreaterThanOrEqual(places.length)
    expect(reports[0].seals).toBeGreaterThanOrEqual(2)
    const shown = JSON.parse(lines[3]!)
    expect(shown).toMatchObject({ kind: 'event', event: { id: shown.eventId, seq: shown.seq } })
    expect((await realm.events('&type=ADMIN_READ_SENSITIVE'))[0]).toMatchObject({ resourceType: 'events' })
    expect((await check(lines, ['--key', createHash('sha256').digest('base64url')])).reports[0].broken.reason).toBe(
      'KEY_UNKNOWN',
    )
    expect((await check(lines, ['--key', 'nonsense'])).code).toBe(2)
  })

  test('shows every change of the file', async () => {
    const last = lines.length - 1
    const seal = lines.findIndex((line) => line.startsWith('{"kind":"seal"'))
    const cases: [string, string[]][] = [
      ['EVENT_CHANGED', change(2, (line) => ({ ...line, content: { ...line.content, outcome: 'X' } }))],
      ['READING_DIFFERS', change(2, (line) => ({ ...line, event: { ...line.event, type: 'X' } }))],
      ['FILE_CHANGED', change(2, (line) => ({ ...line, event: { ...line.event, sourceIp: '9.9.9.9' } }))],
      ['CHAIN_GAP', lines.toSpliced(3, 1)],
      ['CHAIN_GAP', lines.with(2, lines[3]!).with(3, lines[2]!)],
      ['FILE_CUT_OFF', lines.slice(0, last)],
      ['FILE_CHANGED', [...lines.slice(0, last - 1), lines[last]!]],
      ['FILE_CHANGED', [...lines, lines[2]!]],
      ['NOT_AN_EXPORT', ['{"hello":"world"}']],
      ['NOT_AN_EXPORT', lines.toSpliced(4, 0, 'not json')],
      ['NOT_AN_EXPORT', change(last, () => ({ kind: 'manifest' }))],
      ['NOT_AN_EXPORT', change(last, (line) => ({ ...line, signature: 7 }))],
      ['SEAL_MISSING', lines.toSpliced(seal, 1)],
    ]
    for (const [reason, given] of cases) {
      const { code, reports } = await check(given)
      expect(reports[0].broken?.reason, reason).toBe(reason)
      expect(code).toBe(1)
    }
    // Whoever changes a line and the manifest with it still has no signature.
    const body = change(2, (line) => ({ ...line, event: { ...line.event, sourceIp: '9.9.9.9' } })).slice(0, last)
    const { manifest, ...rest } = JSON.parse(lines[last]!)
    const sha256 = createHash('sha256')
      .update(`${body.join('\n')}\n`)
      .digest('hex')
    const resigned = await check([...body, JSON.stringify({ ...rest, manifest: { ...manifest, sha256 } })])
    expect(resigned.reports[0].broken?.reason).toBe('FILE_CHANGED')
    const forged = await check(change(seal, (line) => ({ ...line, at: 1 })))
    expect(forged.reports[0].broken.reason).toBe('SEAL_INVALID')
  })

  test('may be cut into files that follow one another', async () => {
    const first = (await realm.call('GET', '/events/export?size=5')).text
    const second = (await realm.call('GET', '/events/export?after=5&size=4')).text
    const files = [file, `${file}.2`]
    await writeFile(files[0]!, first)
    await writeFile(files[1]!, second)
    const printed: string[] = []
    const io = { print: (line: string) => printed.push(line), tell: () => undefined } as never
    expect(await runAuditAid(['verify', ...files, '--key', keyId], io)).toBe(0)
    expect(printed.join('\n')).toContain('export again with after=9')
    expect(await runAuditAid(['verify', ...files.toReversed()], io)).toBe(1)
    expect(printed.join('\n')).toContain('does not go on where the one before ended')
    expect(JSON.parse((await readFile(files[1]!, 'utf8')).split('\n')[0]!)).toMatchObject({ kind: 'header', after: 5 })
    await rm(files[1]!)
  })

  test('of an empty trail is a file, too', async () => {
    const empty = await stand.openRealm()
    const { text } = await empty.call('GET', '/events/export')
    expect((await check(text.trimEnd().split('\n'))).reports[0]).toMatchObject({ events: 0, broken: null })
    const told: string[] = []
    const io = { print: () => undefined, tell: (line: string) => told.push(line) } as never
    expect(await runAuditAid(['verify', `${file}.missing`], io)).toBe(2)
    expect(told).toEqual([expect.stringContaining('cannot be read (ENOENT)')])
  })
})
