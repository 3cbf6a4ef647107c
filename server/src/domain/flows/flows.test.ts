import { beforeEach, describe, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../test/harness/index.ts'
import { authenticators, flowsSection } from './index.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await createRealmFor()
})

const aliases = ['browser', 'registration', 'reset-credentials', 'first-broker-login', 'direct-grant', 'step-up']
const steps = [
  { authenticator: 'cookie', requirement: 'ALTERNATIVE' },
  { authenticator: 'username-password', requirement: 'ALTERNATIVE' },
]

async function create(alias: string, members: object = {}) {
  const answer = await realm.call('POST', '/flows', { alias, type: 'BROWSER', steps, ...members })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

const patch = (path: string, json: unknown) => realm.call('PATCH', path, json, { type: 'application/merge-patch+json' })

const countRows = () =>
  realm.run(async (ctx) => {
    const rows = (table: 'flows' | 'flow_bindings') =>
      ctx.tx.selectFrom(table).select('alias').where('realm_id', '=', ctx.realmId).execute()
    return (await rows('flows')).length + (await rows('flow_bindings')).length
  })

async function readSection() {
  const snapshot = await realm.node.services.snapshots.find(realm.realmId)
  return snapshot!.section(flowsSection)
}

describe('a fresh realm', () => {
  test('has the built-in flows, all in use, without a row', async () => {
    const { body } = await realm.call('GET', '/flows')
    expect(body.map((flow: { alias: string }) => flow.alias)).toEqual(aliases)
    for (const flow of body) {
      expect(flow).toMatchObject({
        realmId: realm.realmId,
        builtIn: true,
        bound: true,
        createdAt: null,
        updatedAt: null,
      })
      expect((await realm.call('GET', `/flows/${flow.alias}`)).body).toEqual(flow)
    }
    expect(await countRows()).toBe(0)
    expect((await realm.call('GET', '/flow')).body).toEqual(body[0])
  })

  test('has ids of steps that are its own and the same at every read', async () => {
    const other = await createRealmFor()
    const idsOf = async (of: TestRealm) => JSON.stringify((await of.call('GET', '/flows')).body).match(/"id":"[^"]+"/g)!
    const [once, again, theirs] = [await idsOf(realm), await idsOf(realm), await idsOf(other)]
    expect(once).toEqual(again)
    expect(new Set([...once, ...theirs]).size).toBe(once.length * 2)
    expect(once.every((id) => id[20] === '8')).toBe(true)
  })

  test('runs the browser flow with its second factor where one is wanted', async () => {
    const { BROWSER } = await readSection()
    expect(BROWSER).toMatchObject({
      alias: 'browser',
      type: 'BROWSER',
      version: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
    const shown = BROWSER.steps.map(({ authenticator, requirement }) => [authenticator, requirement])
    expect(shown).toEqual([
      ['cookie', 'ALTERNATIVE'],
      ['identity-provider', 'DISABLED'],
      [null, 'ALTERNATIVE'],
    ])
    const [first, second] = BROWSER.steps[2]!.steps
    expect(first!.steps.map(({ authenticator }) => authenticator)).toEqual([
      'username-password',
      'passkey',
      'magic-link',
    ])
    expect([second!.requirement, second!.condition]).toEqual(['CONDITIONAL', null])
    expect(second!.steps.map(({ config }) => config)).toEqual([
      {},
      { numberMatching: true, requireDeviceKey: false },
      { numberMatching: true },
      {},
      { codeLifetimeSeconds: 300 },
      { codeLifetimeSeconds: 300 },
      {},
    ])
  })
})

describe('the document', () => {
  test('is created, read, replaced and deleted, with an ETag that follows', async () => {
    const made = await realm.call('POST', '/flows', { alias: 'staff', type: 'BROWSER', steps })
    expect(made.headers.location).toBe(`/admin/realms/${realm.realmId}/flows/staff`)
    expect(made.body).toEqual({
      ...{ realmId: realm.realmId, alias: 'staff', displayName: null, description: null, type: 'BROWSER' },
      ...{ builtIn: false, bound: false, createdAt: expect.any(Number), updatedAt: made.body.createdAt },
      steps: steps.map((step) => ({ id: expect.any(String), ...step, condition: null, config: {}, steps: [] })),
    })
    const read = await realm.call('GET', '/flows/staff')
    expect([read.body, read.headers.etag]).toEqual([made.body, made.headers.etag])
    const headers = { 'if-match': String(read.headers.etag) }
    const replaced = await realm.call('PUT', '/flows/staff', { displayName: 'Staff', steps }, { headers })
    expect(replaced.body).toMatchObject({ displayName: 'Staff', type: 'BROWSER' })
    expect((await realm.call('PUT', '/flows/staff', { steps }, { headers })).status).toBe(412)
    expect((await realm.call('DELETE', '/flows/staff')).status).toBe(204)
    expect((await realm.call('GET', '/flows/staff')).status).toBe(404)
  })

  test.each(aliases)('%s goes round: what was read can be sent back and is the same', async (alias) => {
    const read = (await realm.call('GET', `/flows/${alias}`)).body
    const sent = await realm.call('PUT', `/flows/${alias}`, read)
    expect(sent.status, sent.text).toBe(200)
    const { createdAt, updatedAt, ...rest } = sent.body
    expect(rest).toEqual(Object.fromEntries(Object.entries(read).filter(([name]) => !name.endsWith('At'))))
    expect([typeof createdAt, createdAt]).toEqual(['number', updatedAt])
    const again = await realm.call('PUT', `/flows/${alias}`, sent.body)
    expect(again.body).toEqual({ ...sent.body, updatedAt: again.body.updatedAt })
  })

  test('is copied by sending one that was read under another alias', async () => {
    const { body: browser } = await realm.call('GET', '/flow')
    const copy = await create('browser-2', { ...browser, alias: 'browser-2' })
    expect([copy.builtIn, copy.bound, copy.steps]).toEqual([false, false, browser.steps])
  })

  test('keeps ids that are given, assigns the others and fills in what a configuration leaves out', async () => {
    const id = 'aaaaaaaa-0000-4000-8000-000000000001'
    const cidrs = ['192.0.2.0/24', '2001:db8::/32', '198.51.100.7']
    const flow = await create('staff', {
      steps: [
        { id, authenticator: 'username-password', requirement: 'REQUIRED' },
        {
          requirement: 'CONDITIONAL',
          condition: { type: 'condition-ip', config: { cidrs } },
          steps: [{ authenticator: 'otp-email', requirement: 'REQUIRED', config: {} }],
        },
      ],
    })
    expect(flow.steps[0].id).toBe(id)
    expect(flow.steps[1]).toMatchObject({
      authenticator: null,
      condition: { type: 'condition-ip', config: { cidrs, negate: false } },
      steps: [{ id: expect.any(String), config: { codeLifetimeSeconds: 300 } }],
    })
    expect(flow).toEqual((await realm.call('GET', '/flows/staff')).body)
  })

  test('of a built-in flow gets a row when it is edited and loses it when it is reset', async () => {
    const before = (await realm.call('GET', '/flows/step-up')).body
    const changed = { ...before, displayName: 'More', steps: [{ authenticator: 'totp', requirement: 'REQUIRED' }] }
    const edited = (await realm.call('PUT', '/flows/step-up', changed)).body
    expect(edited).toMatchObject({ displayName: 'More', builtIn: true, bound: true, createdAt: expect.any(Number) })
    expect((await readSection()).STEP_UP.steps).toHaveLength(1)
    expect(await countRows()).toBe(1)
    const reset = await realm.call('POST', '/flows/step-up/reset')
    expect([reset.status, reset.body]).toEqual([200, before])
    expect(await countRows()).toBe(0)
    expect((await readSection()).STEP_UP.steps).toEqual(before.steps)
  })

  test('of a realm’s own flow starts over with the steps of the built-in one', async () => {
    const flow = await create('staff', { displayName: 'Staff' })
    const reset = (await realm.call('POST', '/flows/staff/reset')).body
    const { body: browser } = await realm.call('GET', '/flow')
    expect(reset).toEqual({ ...flow, steps: browser.steps, updatedAt: reset.updatedAt })
  })

  test('of a dry run is shown and not kept', async () => {
    const dry = await realm.call('POST', '/flows?dryRun=true', { alias: 'staff', type: 'BROWSER', steps })
    expect(dry.status).toBe(201)
    expect((await realm.call('GET', '/flows/staff')).status).toBe(404)
    const unsafe = await realm.call('PUT', '/flow?dryRun=true', { steps: [] })
    expect([unsafe.status, unsafe.body.code]).toEqual([400, 'flow_unsafe'])
  })

  test('of another realm is not there', async () => {
    const other = await createRealmFor()
    await other.call('POST', '/flows', { alias: 'theirs', type: 'BROWSER', steps })
    const answers = [
      await realm.call('GET', '/flows/theirs'),
      await realm.call('PUT', '/flows/theirs', { steps }),
      await patch('/flows/theirs', { alias: 'ours' }),
      await realm.call('DELETE', '/flows/theirs'),
      await realm.call('PUT', '/flows/theirs/bind'),
      await realm.call('POST', '/flows/theirs/reset'),
      await realm.call('PUT', '/flow', { alias: 'theirs' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    expect((await other.call('GET', '/flows/theirs')).body.alias).toBe('theirs')
  })
})

describe('a list', () => {
  test('has built-in flows first and the realm’s own by alias, page by page', async () => {
    for (const alias of ['zoo', 'ape']) await create(alias)
    const shown = async (query: string) => {
      const { body, headers } = await realm.call('GET', `/flows${query}`)
      return { aliases: body.map((flow: { alias: string }) => flow.alias), headers }
    }
    expect((await shown('')).aliases).toEqual([...aliases, 'ape', 'zoo'])
    expect((await shown('?type=BROWSER')).aliases).toEqual(['browser', 'ape', 'zoo'])
    const first = await shown('?size=3&count=true')
    expect([first.aliases, first.headers['x-total-count']]).toEqual([aliases.slice(0, 3), '8'])
    const next = /<[^?]*(\?[^>]*)>; rel="next"/.exec(String(first.headers.link))![1]!
    const second = await shown(next)
    expect(second.aliases).toEqual(aliases.slice(3))
    const last = await shown(/<[^?]*(\?[^>]*)>; rel="next"/.exec(String(second.headers.link))![1]!)
    expect([last.aliases, last.headers.link]).toEqual([['ape', 'zoo'], undefined])
    expect((await shown(`?after=${realm.adminId}`)).aliases).toEqual([])
  })
})

describe('the catalogue', () => {
  test('names every authenticator of the contract in its order, with a schema of its configuration', async () => {
    const { body } = await realm.call('GET', '/authenticators')
    const order =
      'cookie identity-provider username password username-password passkey webauthn totp otp-email otp-sms magic-link recovery-code push qr device-key captcha consent terms condition-role condition-group condition-client condition-acr condition-ip condition-device deny allow'
    expect(body.map((entry: { id: string }) => entry.id)).toEqual(order.split(' '))
    expect([...authenticators.keys()]).toEqual(order.split(' '))
    const missing = body.filter((entry: { available: boolean }) => !entry.available)
    expect(missing.map((entry: { id: string }) => entry.id)).toEqual(['identity-provider', 'captcha'])
    const byId = new Map<string, Record<string, unknown>>(body.map((entry: { id: string }) => [entry.id, entry]))
    expect(byId.get('otp-sms')).toMatchObject({ factor: 'POSSESSION', kind: 'SECOND', amr: ['otp', 'sms'] })
    expect(byId.get('condition-acr')!.configSchema).toMatchObject({
      type: 'object',
      required: ['minimum'],
      additionalProperties: false,
      properties: { minimum: { enum: ['urn:gatehouse:acr:2', 'urn:gatehouse:acr:3'] } },
    })
    expect(byId.get('totp')!.configSchema).toMatchObject({ properties: {}, additionalProperties: false })
  })
})
