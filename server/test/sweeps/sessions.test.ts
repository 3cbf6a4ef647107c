// Sweep 2: without a session of the realm, or of the system realm's administrator, no route does anything.
import { beforeAll, describe, expect, test } from 'vitest'
import { createBrowser } from '../harness/index.ts'
import { must } from '../harness/realm.ts'
import { newTraceId, prepareExample, requestFor, send, unknownParams } from './example-request.ts'
import { expectProblem } from './problems.ts'
import { byLabel, sweptRoutes } from './route-table.ts'
import { openRealmStage, openStages, type Stage, stageOf, type Stages } from './stage.ts'
import { adminWriteCounts, eventsOf, growthOf } from './traces.ts'

let stages: Stages
let other: Stage
let disabled: Stage
beforeAll(async () => {
  stages = await openStages()
  other = await openRealmStage()
  disabled = await openRealmStage()
  const { admin } = stages.system
  await must(admin.write('PUT', `/admin/realms/${disabled.realmId}`, { enabled: false }), 200)
})

const cookieOf = ({ admin, realmId }: Stage) => admin.cookies.get(`gatehouse_session_${realmId}`)!

describe.each(byLabel(sweptRoutes))('%s', (_label, swept) => {
  const request = (stage: Stage) => requestFor(stage, swept, unknownParams(swept))

  test('refuses a caller without a session', async () => {
    const stage = stageOf(stages, swept)
    const browser = createBrowser(stage.node.url)
    const traceId = newTraceId()
    const before = await adminWriteCounts(stage)
    expectProblem(await send(browser, request(stage), { traceId }), 401, 'unauthenticated')
    expect(browser.cookies.size).toBe(0)
    // Nobody is known to have tried, so there is nobody to record it against.
    expect(await eventsOf(stage, traceId)).toEqual([])
    expect(growthOf(before, await adminWriteCounts(stage))).toEqual({})
  })

  test('refuses invented session cookies', async () => {
    const stage = stageOf(stages, swept)
    for (const value of ['garbage', 'A'.repeat(43), '', "' or 1=1 --", `${cookieOf(stage)}x`, stage.adminId]) {
      const browser = createBrowser(stage.node.url)
      browser.cookies.set(`gatehouse_session_${stage.realmId}`, value)
      expectProblem(await send(browser, request(stage)), 401, 'unauthenticated')
    }
  })

  test('S4: refuses the session and the CSRF token of another realm, also under this realm’s cookie name', async () => {
    if (swept.isServer) return
    const browser = createBrowser(other.node.url)
    browser.cookies.set(`gatehouse_session_${other.realmId}`, cookieOf(other))
    const csrf = other.admin.csrf()
    expectProblem(await send(browser, request(stages.realm), { csrf }), 401, 'unauthenticated')
    browser.cookies.set(`gatehouse_session_${stages.realm.realmId}`, cookieOf(other))
    expectProblem(await send(browser, request(stages.realm), { csrf }), 401, 'unauthenticated')
    browser.cookies.set(`gatehouse_session_${stages.system.realmId}`, cookieOf(other))
    expectProblem(await send(browser, request(stages.realm), { csrf }), 401, 'unauthenticated')
  })

  test('answers 404 for a realm that is not there, whoever asks', async () => {
    if (swept.isServer) return
    const nowhere = { ...stages.system, realmId: 'no-such-realm' }
    for (const browser of [createBrowser(nowhere.node.url), stages.system.admin, stages.realm.admin]) {
      expectProblem(await send(browser, request(nowhere)), 404, 'realm_not_found')
    }
  })

  test('refuses everybody of a disabled realm and obeys the system realm’s administrator', async () => {
    if (swept.isServer) return
    for (const browser of [createBrowser(disabled.node.url), disabled.admin, other.admin]) {
      expectProblem(await send(browser, request(disabled)), 403, 'realm_disabled')
    }
    const { admin } = stages.system
    const example = await prepareExample(disabled, swept)
    const answer = await send(admin, example, swept.isWrite ? { query: { dryRun: 'true' } } : {})
    expect(Object.keys(swept.route.response), answer.text).toContain(String(answer.status))
    // A browser that also holds a session of the disabled realm is no worse off.
    const both = createBrowser(disabled.node.url)
    for (const [name, value] of [...disabled.admin.cookies, ...admin.cookies]) both.cookies.set(name, value)
    const again = await send(both, example, {
      csrf: admin.csrf(),
      ...(swept.isWrite ? { query: { dryRun: 'true' } } : {}),
    })
    expect(again.status, again.text).toBe(answer.status)
  })
})
