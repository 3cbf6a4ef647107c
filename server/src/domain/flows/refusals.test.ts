import { beforeAll, describe, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../test/harness/index.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await createRealmFor()
})

const first = { authenticator: 'username-password', requirement: 'REQUIRED' }
const on = (type: string, config: object) => ({ ...first, condition: { type, config } })
const nest = (depth: number): object => (depth === 0 ? first : { requirement: 'REQUIRED', steps: [nest(depth - 1)] })
const id = 'aaaaaaaa-0000-4000-8000-000000000001'
const roles = (count: number) => Array.from({ length: count }, (_, at) => on('condition-role', { roles: [`r${at}`] }))

const refused: [what: string, field: string, steps: unknown[]][] = [
  [
    'an unknown authenticator',
    'steps[1].steps[0].authenticator',
    [first, { requirement: 'REQUIRED', steps: [{ ...first, authenticator: 'telepathy' }] }],
  ],
  ['an authenticator with steps', 'steps[0].authenticator', [{ ...first, steps: [first] }]],
  ['neither authenticator nor steps', 'steps[1].authenticator', [first, { requirement: 'REQUIRED' }]],
  ['an empty group', 'steps[0].authenticator', [{ requirement: 'REQUIRED', authenticator: null, steps: [] }]],
  ['a condition as a step', 'steps[0].authenticator', [{ ...first, authenticator: 'condition-role' }]],
  ['a step as a condition', 'steps[0].condition.type', [on('totp', {})]],
  ['an unknown condition', 'steps[0].condition.type', [on('condition-moon', {})]],
  ['what cannot run yet', 'steps[0].authenticator', [{ authenticator: 'captcha', requirement: 'ALTERNATIVE' }]],
  ['no requirement', 'steps[0].requirement', [{ authenticator: 'totp' }]],
  ['an unknown requirement', 'steps[0].requirement', [{ ...first, requirement: 'OPTIONAL' }]],
  ['an unknown member', 'steps[0].priority', [{ ...first, priority: 1 }]],
  [
    'a condition without its configuration',
    'steps[0].condition.config.roles',
    [{ ...first, condition: { type: 'condition-role' } }],
  ],
  [
    'an unknown setting of a condition',
    'steps[0].condition.config.rolez',
    [on('condition-role', { roles: ['a'], rolez: [] })],
  ],
  ['an empty list of roles', 'steps[0].condition.config.roles', [on('condition-role', { roles: [] })]],
  ['a group without a name', 'steps[0].condition.config.groups[1]', [on('condition-group', { groups: ['a', ''] })]],
  ['no list of clients', 'steps[0].condition.config.clientIds', [on('condition-client', { clientIds: 'shop' })]],
  [
    'a level that is no level',
    'steps[0].condition.config.minimum',
    [on('condition-acr', { minimum: 'urn:gatehouse:acr:1' })],
  ],
  ['a network that is none', 'steps[0].condition.config.cidrs[0]', [on('condition-ip', { cidrs: ['10.0.0.0/33'] })]],
  [
    'a network with a name',
    'steps[0].condition.config.cidrs[1]',
    [on('condition-ip', { cidrs: ['::/0', 'example.org/8'] })],
  ],
  ['a device that may be either', 'steps[0].condition.config.trusted', [on('condition-device', { trusted: 'maybe' })]],
  ['a setting of a step that takes none', 'steps[0].config.colour', [{ ...first, config: { colour: 'red' } }]],
  [
    'a setting of a group',
    'steps[0].config.colour',
    [{ requirement: 'REQUIRED', steps: [first], config: { colour: 1 } }],
  ],
  [
    'a code that lives too long',
    'steps[0].config.codeLifetimeSeconds',
    [{ authenticator: 'otp-sms', requirement: 'REQUIRED', config: { codeLifetimeSeconds: 901 } }],
  ],
  [
    'a link that lives too short',
    'steps[0].config.linkLifetimeSeconds',
    [{ authenticator: 'magic-link', requirement: 'REQUIRED', config: { linkLifetimeSeconds: 59 } }],
  ],
  [
    'an id twice',
    'steps[1].steps[0].id',
    [
      { ...first, id },
      { requirement: 'REQUIRED', steps: [{ ...first, id }] },
    ],
  ],
  ['an id that is none', 'steps[0].id', [{ ...first, id: 'one' }]],
  ['six levels', 'steps[0].steps[0].steps[0].steps[0].steps[0].steps', [nest(5)]],
  ['51 steps', 'steps', Array.from({ length: 51 }, () => first)],
  [
    '51 steps, most of them in a group',
    'steps',
    [first, { requirement: 'REQUIRED', steps: Array.from({ length: 49 }, () => first) }],
  ],
  ['nine different conditions', 'steps', roles(9)],
]

describe('a flow is refused with the member that is wrong:', () => {
  test.each(refused)('%s', async (_what, field, steps) => {
    const made = await realm.call('POST', '/flows?dryRun=true', { alias: 'bad', type: 'BROWSER', steps })
    expect([made.status, made.body.errors.map((error: { field: string }) => error.field)]).toEqual([400, [field]])
    const saved = await realm.call('PUT', '/flows/browser?dryRun=true', { steps })
    expect([saved.status, saved.body.errors[0].field]).toEqual([400, field])
    const browser = await realm.call('PUT', '/flow?dryRun=true', { steps })
    expect([browser.status, browser.body.errors[0].field]).toEqual([400, field])
  })

  test('all at once', async () => {
    const steps = [{ ...first, authenticator: 'x' }, first, on('condition-acr', { minimum: 2, negate: true })]
    const answer = await realm.call('POST', '/flows', { alias: 'Bad', type: 'WINDOW', steps })
    expect(answer.body.errors.map((error: { field: string }) => error.field).toSorted()).toEqual([
      ...['alias', 'steps[0].authenticator', 'steps[2].condition.config.minimum', 'steps[2].condition.config.negate'],
      'type',
    ])
  })

  test('what cannot run yet may stand there disabled', async () => {
    const steps = ['identity-provider', 'captcha'].map((authenticator) => ({
      authenticator,
      requirement: 'DISABLED',
    }))
    const answer = await realm.call('POST', '/flows?dryRun=true', { alias: 'later', type: 'STEP_UP', steps })
    expect(answer.status).toBe(201)
  })

  test('the limits themselves are allowed', async () => {
    for (const steps of [[nest(4)], Array.from({ length: 50 }, () => first), roles(8), [...roles(8), ...roles(8)]]) {
      const answer = await realm.call('POST', '/flows?dryRun=true', { alias: 'large', type: 'BROWSER', steps })
      expect(answer.status, answer.text).toBe(201)
    }
  })

  test.each(['', '-a', 'A', 'a b', 'ä', 'a'.repeat(64), 'a/b', 'a_b'])('the alias "%s"', async (alias) => {
    const answer = await realm.call('POST', '/flows', { alias, type: 'BROWSER', steps: [first] })
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, 'alias'])
  })

  test('texts that are too long, and members that do not exist', async () => {
    const body = {
      alias: 'a',
      type: 'BROWSER',
      steps: [first],
      displayName: 'x'.repeat(256),
      description: 'x'.repeat(1025),
    }
    const answer = await realm.call('POST', '/flows', body)
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual(['displayName', 'description'])
    const odd = await realm.call('PUT', '/flow', { steps: [first], stepz: [] })
    expect([odd.status, odd.body.code, odd.body.errors[0].field]).toEqual([400, 'unknown_field', 'stepz'])
  })

  test('another type', async () => {
    const answer = await realm.call('PUT', '/flows/browser', { type: 'STEP_UP', steps: [first] })
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, 'type'])
  })
})
