// Sweep 6: malformed, oversized and ill-meant input is refused with every offending member by name, and changes nothing.
// Contract 0.6, 2.1, 2.9, 7.1, 7.4; S2, S50.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { Answer } from '../harness/index.ts'
import { writableMembers } from './body-members.ts'
import { type ExampleRequest, prepareExample, send } from './example-request.ts'
import { expectSame } from './answers.ts'
import { fingerprint } from './fingerprint.ts'
import { expectProblem, fieldsOf } from './problems.ts'
import { byLabel, reads, type SweptRoute, sweptRoutes, withBody, writes } from './route-table.ts'
import { openRealmStage, openStages, type Stage, stageOf, type Stages } from './stage.ts'

let stages: Stages
let other: Stage
const examples = new Map<string, ExampleRequest>()
beforeAll(async () => {
  stages = await openStages()
  other = await openRealmStage()
  for (const swept of sweptRoutes) examples.set(swept.label, await prepareExample(stageOf(stages, swept), swept))
})

const everything = () =>
  Promise.all([stages.realm.realmId, other.realmId].map((realmId) => fingerprint(stages.realm, realmId)))

/** Nothing that is tried here may change anything, in either realm. */
function changesNothing(): void {
  let before: string[]
  beforeAll(async () => {
    before = await everything()
  })
  afterAll(async () => {
    expectSame(before, await everything())
  })
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function trying(swept: SweptRoute) {
  const { admin } = stageOf(stages, swept)
  const example = examples.get(swept.label)!
  const sound = isPlainObject(example.json) ? example.json : {}
  return {
    example,
    withMembers: (members: object) => send(admin, example, { json: { ...sound, ...members } }),
    withRaw: (raw: string | Buffer) => send(admin, example, { raw, ...(example.type ? { type: example.type } : {}) }),
    withQuery: (query: Record<string, string>) => send(admin, example, { query }),
    admin,
  }
}

describe.each(byLabel(withBody))('%s', (_label, swept) => {
  changesNothing()

  test('names a member that does not exist', async () => {
    const answer = await trying(swept).withMembers({ zzTypo: 1, 'odd.name': null, '': 2 })
    expectProblem(answer, 400, 'unknown_field')
    // A null in a merge patch removes what is not there anyway.
    const named = swept.route.method === 'PATCH' ? ['zzTypo', ''] : ['zzTypo', 'odd.name', '']
    expect(fieldsOf(answer).toSorted()).toEqual(named.toSorted())
  })

  test('names every member of the wrong type, one by one and all at once', async () => {
    const { withMembers } = trying(swept)
    const wrong: Record<string, unknown> = {}
    for (const [name, schema] of writableMembers(swept)) {
      const value = wrongValueFor(schema)
      if (value === undefined) continue
      wrong[name] = value
      const answer = await withMembers({ [name]: value })
      expect(answer.status, answer.text).toBe(400)
      expect(fieldsOf(answer).map(topMember), `${name}: ${answer.text}`).toContain(name)
    }
    expect(Object.keys(wrong)).not.toEqual([])
    const answer = await withMembers(wrong)
    expect([...new Set(fieldsOf(answer).map(topMember))].toSorted()).toEqual(Object.keys(wrong).toSorted())
  })

  test('names a text that the database could not hold', async () => {
    const { withMembers } = trying(swept)
    const values = ['a\0b', 'a\ud800b', ['\udc00'], { a: '\0' }, { a: ['b', 'c\ud800'] }, { 'a\0b': 'c' }]
    for (const [at, [name]] of writableMembers(swept).entries()) {
      // All of them for the first member; then one after the other, since the reader of JSON knows no members.
      for (const value of at === 0 ? values : [values[at % values.length]]) {
        const answer = await withMembers({ [name]: value })
        expectProblem(answer, 400, 'validation_failed')
        expect(fieldsOf(answer).map(topMember)).toEqual([name])
      }
    }
  })

  test('refuses what is no object', async () => {
    const { withRaw } = trying(swept)
    for (const text of ['[[1]]', '[{}]', 'null', '5', 'true', '"text"', '-0']) {
      const answer = await withRaw(text)
      expectProblem(answer, 400, 'validation_failed')
      expect(answer.body.errors, text).not.toEqual([])
    }
  })
})

describe.each(byLabel(writes))('%s', (_label, swept) => {
  changesNothing()

  test('refuses malformed JSON', async () => {
    const { withRaw } = trying(swept)
    for (const text of ['{', '{"a":', "{'a':1}", '{"a":1}}', '\u{feff}{}', 'undefined', '{"a":NaN}', '\0', '{a:1}']) {
      const answer = await withRaw(text)
      expectProblem(answer, 400, 'malformed_json')
      expect(answer.body.errors).toHaveLength(1)
    }
    expectProblem(await withRaw(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31])), 400, 'malformed_json')
  })

  test('S50: refuses endless nesting', async () => {
    const { withRaw } = trying(swept)
    for (const text of [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`]) {
      expectProblem(await withRaw(text), 400, 'malformed_json')
    }
  })

  test('S50: refuses a body of more than 1 MiB', async () => {
    const { withRaw } = trying(swept)
    const largest = 1024 * 1024
    expectProblem(await withRaw(`"${'a'.repeat(largest - 1)}"`), 413, 'payload_too_large')
    expect((await withRaw(`"${'a'.repeat(largest - 2)}"`)).status).toBe(400)
  })

  test('refuses members that reach for a prototype', async () => {
    const { withRaw } = trying(swept)
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      expectProblem(await withRaw(`{"${name}":{"enabled":true,"system":true}}`), 400, 'malformed_json')
      expectProblem(await withRaw(`{"a":[{"${name}":1}]}`), 400, 'malformed_json')
    }
    expect(({} as { system?: boolean }).system).toBeUndefined()
  })

  test('refuses a dry run that is neither true nor false, rather than acting', async () => {
    const { admin, example } = trying(swept)
    for (const query of [
      'dryRun=yes',
      'dryRun=TRUE',
      'dryRun=',
      'dryRun=1',
      'dryRun=true&dryRun=true',
      'dryRun[]=true',
    ]) {
      const search = new URLSearchParams(example.query).toString()
      const path = `${example.path}?${search ? `${search}&` : ''}${query}`
      const { json, type } = example
      const answer = await admin.write(example.method, path, json, type ? { type } : {})
      expect([answer.status, fieldsOf(answer)[0]?.replace('[]', '')], `${query}: ${answer.text}`).toEqual([
        400,
        'dryRun',
      ])
    }
  })

  test('S2: takes the realm, the person and the organization from nowhere but the path', async () => {
    const { admin, example } = trying(swept)
    const ids = {
      realmId: other.realmId,
      realm: other.realmId,
      userId: other.adminId,
      orgId: other.adminId,
      tenant: other.realmId,
    }
    for (const [name, value] of Object.entries(ids)) {
      if (name in example.query) continue
      const answer = await send(admin, example, { query: { [name]: value, dryRun: 'true' } })
      const known = name === 'userId' && example.path.endsWith('/sessions')
      if (!known) expectProblem(answer, 400, 'unknown_field')
    }
    const headers = {
      'x-realm': other.realmId,
      'x-realm-id': other.realmId,
      'x-tenant-id': other.realmId,
      'x-organization-id': other.realmId,
      'x-user-id': other.adminId,
      'x-original-url': `/admin/realms/${other.realmId}/users/${other.adminId}`,
      'x-rewrite-url': `/admin/realms/${other.realmId}/users/${other.adminId}`,
      'x-forwarded-host': `${other.realmId}.example.com`,
      'x-forwarded-prefix': `/admin/realms/${other.realmId}`,
    }
    const plain = await send(admin, example, { query: { dryRun: 'true' } })
    const dressed = await send(admin, example, { query: { dryRun: 'true' }, headers })
    expect(dressed.status, dressed.text).toBe(plain.status)
    expect(dressed.text).not.toContain(other.realmId)
  })
})

describe.each(byLabel(sweptRoutes))('%s', (_label, swept) => {
  changesNothing()

  test('names a parameter that does not exist', async () => {
    const answer = await trying(swept).withQuery({ zzTypo: '1' })
    expectProblem(answer, 400, 'unknown_field')
    expect(fieldsOf(answer)).toEqual(['zzTypo'])
  })
})

const lists = reads.filter(({ route }) => route.query !== undefined)
describe.each(byLabel(lists))('%s', (_label, swept) => {
  changesNothing()
  const badValues: Record<string, string[]> = {
    page: ['-1', 'x', '1.5', '', '99999999999', '1e3', '0x10'],
    size: ['0', '-1', '100000', 'x', ''],
    after: ['x', '1', '%00', '\0'],
    before: ['x', '\0'],
    count: ['1', 'yes', ''],
    sort: ['nonsense', 'password'],
    userId: ['x', '\0'],
    from: ['yesterday', '\0'],
    to: ['x'],
    enabled: ['1', 'maybe'],
  }

  test('names a parameter whose value makes no sense', async () => {
    const { withQuery } = trying(swept)
    const known = Object.keys((swept.route.query as z.ZodObject).shape)
    for (const name of known) {
      for (const value of badValues[name] ?? []) {
        // Realms go by their names, and a page may begin after any name.
        if (swept.path === '/admin/realms' && name === 'after' && value !== '\0') continue
        // The audit chain goes by the numbers of its places, and a file of it holds up to a million.
        if (/\/events\/(verify|export)$/.test(swept.path) && ['1', '100000'].includes(value)) continue
        const answer = await withQuery({ [name]: value })
        expectProblem(answer, 400, 'validation_failed')
        expect(fieldsOf(answer), `${name}=${value}`).toContain(name)
      }
      // Whatever is asked for, nothing breaks.
      for (const value of ['\0', 'a\0b', "';--", '%', '\\', '{}', 'é'.repeat(300), '\u202e', '$1', '[object Object]']) {
        expectSettled(await withQuery({ [name]: value }), `${name}=${value}`)
      }
    }
  })

  test('refuses a parameter that is given twice', async () => {
    const { admin, example } = trying(swept)
    const answer = await admin.get(`${example.path}?size=1&size=2`)
    expectProblem(answer, 400, 'validation_failed')
    expect(fieldsOf(answer)).toEqual(['size'])
  })
})

test('S2: a session of one realm cannot be pointed at another by headers or the Host', async () => {
  const { admin, realmId } = stages.realm
  const disguises: Record<string, string>[] = [
    { host: `${other.realmId}.example.com` },
    { 'x-realm': other.realmId },
    { forwarded: `host=${other.realmId}` },
  ]
  for (const headers of disguises) {
    const answer = await admin.get(`/admin/realms/${realmId}/whoami`, { headers })
    expect(answer.body.realmId).toBe(realmId)
    expect((await admin.get(`/admin/realms/${other.realmId}/whoami`, { headers })).status).toBe(401)
  }
})

/** A refusal or an ordinary answer, but never a failure of the server. */
function expectSettled(answer: Answer, what: string): void {
  expect(answer.status, `${what}: ${answer.text}`).toBeLessThan(500)
}

/** `passwordPolicy.minLength` and `requiredActions[0]` belong to their first member. */
const topMember = (field: string) => field.split(/[.[]/)[0]!

const rubbish = [12_345.5, { zz: [{}] }, 'x'.repeat(70_000), [{ zz: 1 }], true, '\n']

/** The first piece of rubbish that the member's schema refuses. */
const wrongValueFor = (schema: z.ZodType) => rubbish.find((value) => !schema.safeParse(value).success)
