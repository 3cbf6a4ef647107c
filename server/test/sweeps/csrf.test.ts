// Sweep 3: no write without this session's own CSRF token from our own site; every refusal is on record.
// S38 for the admin surface; contract 4.5, 2.89.
import { beforeAll, describe, expect, test } from 'vitest'
import { createBrowser } from '../harness/index.ts'
import { adminPassword, must } from '../harness/realm.ts'
import { systemPassword } from '../harness/node.ts'
import {
  type ExampleRequest,
  newTraceId,
  prepareExample,
  requestFor,
  send,
  type SendOptions,
  unknownParams,
} from './example-request.ts'
import { fingerprint } from './fingerprint.ts'
import { expectProblem } from './problems.ts'
import { byLabel, type SweptRoute, sweptRoutes, writes } from './route-table.ts'
import { openRealmStage, openStages, type Stage, stageOf, type Stages } from './stage.ts'
import { adminWriteCounts, eventsOf, growthOf } from './traces.ts'

let stages: Stages
let other: Stage
/** The anonymous token of each stage's browser from before its administrator signed in. */
const stale = new Map<Stage, string>()
beforeAll(async () => {
  stages = await openStages()
  other = await openRealmStage()
  for (const stage of Object.values(stages) as Stage[]) {
    const browser = createBrowser(stage.node.url)
    await browser.get(`/realms/${stage.realmId}/login`)
    stale.set(stage, browser.csrf())
    const password = stage === stages.system ? systemPassword : adminPassword
    await must(browser.login(stage.realmId, 'admin', password), 200)
    stage.admin = browser
  }
})

const refusals: [string, (stage: Stage) => SendOptions][] = [
  ['without the header', () => ({ csrf: null })],
  ['with an empty header', () => ({ csrf: '' })],
  ['with the token from before the sign-in', (stage) => ({ csrf: stale.get(stage)! })],
  ['with another realm’s token', () => ({ csrf: other.admin.csrf() })],
  ['from a foreign origin', () => ({ headers: { origin: 'https://evil.example' } })],
  ['from an opaque origin', () => ({ headers: { origin: 'null' } })],
  ['from another site', () => ({ headers: { 'sec-fetch-site': 'cross-site' } })],
  ['from a sibling site', () => ({ headers: { 'sec-fetch-site': 'same-site' } })],
]

describe.each(byLabel(writes))('S38: %s', (_label, swept) => {
  const request = (stage: Stage) => requestFor(stage, swept, unknownParams(swept))

  test.each(refusals)('is refused %s', async (_how, options) => {
    const stage = stageOf(stages, swept)
    expectProblem(await send(stage.admin, request(stage), options(stage)), 403, 'csrf_invalid')
  })

  test('is refused when only the cookie carries the token, and recorded against the caller', async () => {
    const stage = stageOf(stages, swept)
    const traceId = newTraceId()
    const before = await adminWriteCounts(stage)
    // The attacker plants a cookie and a header that agree with one another.
    const forged = createBrowser(stage.node.url)
    for (const [name, value] of stage.admin.cookies) forged.cookies.set(name, value)
    forged.cookies.set('XSRF-TOKEN', 'planted')
    expectProblem(await send(forged, request(stage), { traceId, csrf: 'planted' }), 403, 'csrf_invalid')
    const events = await eventsOf(stage, traceId)
    expect(events.map(({ category, type, outcome, detail }) => [category, type, outcome, detail])).toEqual([
      ['ADMIN', expect.stringMatching(/^ADMIN_/), 'FAILURE', 'denied: csrf_invalid'],
      ['SECURITY', 'CSRF_REJECTED', 'FAILURE', null],
    ])
    expect(events.map(({ actor }) => actor)).toEqual([stage.adminId, stage.adminId])
    const grown = growthOf(before, await adminWriteCounts(stage))
    expect(Object.values(grown)).toEqual([1])
    expect(Object.keys(grown)[0]).toMatch(new RegExp(`^(${stage.realmId}|_other) ${swept.route.method} denied$`))
  })

  test('takes no JSON that calls itself text', async () => {
    const stage = stageOf(stages, swept)
    const example = await prepareExample(stage, swept)
    const before = await fingerprint(stage, stage.realmId)
    const raw = JSON.stringify(example.json ?? {})
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/html',
    ]) {
      const answer = await send(stage.admin, example, { raw, type })
      expect([400, 415], `${type}: ${answer.text}`).toContain(answer.status)
    }
    expect(await fingerprint(stage, stage.realmId)).toEqual(before)
  })

  test('cannot be reached by another method that claims to be this one', async () => {
    const stage = stageOf(stages, swept)
    const example = await prepareExample(stage, swept)
    const before = await fingerprint(stage, stage.realmId)
    for (const method of methodsBeside(swept)) {
      const traceId = newTraceId()
      const disguised: ExampleRequest = { ...example, method, query: { ...example.query, _method: swept.route.method } }
      const { method: wanted } = swept.route
      const headers = { 'x-http-method-override': wanted, 'x-http-method': wanted, 'x-method-override': wanted }
      await send(stage.admin, disguised, { headers, traceId })
      const writes = (await eventsOf(stage, traceId)).filter(({ outcome }) => outcome === 'SUCCESS')
      expect(writes).toEqual([])
    }
    expect(await fingerprint(stage, stage.realmId)).toEqual(before)
  })
})

/** GET, and POST where the path does not serve it itself. */
const methodsBeside = (swept: SweptRoute) =>
  sweptRoutes.some(({ path, route }) => path === swept.path && route.method === 'POST') ? ['GET'] : ['GET', 'POST']

test('S38: the token of a session that has ended opens nothing', async () => {
  const stage = await openRealmStage()
  const before = new Map(stage.admin.cookies)
  const csrf = stage.admin.csrf()
  const out = await stage.admin.send('POST', `/realms/${stage.realmId}/login/logout`, {
    headers: { 'x-xsrf-token': csrf, accept: 'application/json' },
  })
  expect(out.status, out.text).toBe(204)
  for (const [name, value] of before) stage.admin.cookies.set(name, value)
  expectProblem(
    await stage.admin.write('POST', `/admin/realms/${stage.realmId}/roles`, { name: 'x' }),
    401,
    'unauthenticated',
  )
})
