// Sweep 4: who may call what. Every route × a caller with each single permission, against the table that is kept by hand.
// S7: default deny; contract 5.1, 5.9. A new route fails here until somebody has decided who may call it.
import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PermissionRule } from '../../src/domain/admin-route/index.ts'
import { permissionKeys } from '../../src/domain/permissions/index.ts'
import { type Browser, createRealmFor, type TestRealm } from '../harness/index.ts'
import { newTraceId, prepareExample, requestFor, send, unknownParams } from './example-request.ts'
import { signIn } from './sign-in.ts'
import { byLabel, type SweptRoute, sweptRoutes, writes } from './route-table.ts'
import { openStages, type Stage, stageOf, type Stages } from './stage.ts'
import { adminWriteCounts, eventsOf, growthOf } from './traces.ts'

const file = new URL('./permissions.golden.json', import.meta.url)
const anyAdmin = 'any admin permission'
const anySession = 'any session'
const systemAdmin = 'realm-admin of the system realm'

/** What the route's rule says, in the words of the table. */
function describeRule(rule: PermissionRule): string[] {
  if ('anyOf' in rule) return [...rule.anyOf]
  if ('anyAdmin' in rule) return [anyAdmin]
  return 'system' in rule ? [systemAdmin] : [anySession]
}

if (process.env.GATEHOUSE_UPDATE_GOLDEN === '1') {
  const table = Object.fromEntries(sweptRoutes.map(({ label, route }) => [label, describeRule(route.permission)]))
  const lines = Object.entries(table).map(
    ([label, who]) => `  ${JSON.stringify(label)}: ${JSON.stringify(who).replaceAll(',', ', ')}`,
  )
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
}
const golden: Record<string, string[]> = JSON.parse(readFileSync(file, 'utf8'))

const howTo =
  'Decide with contract 5.9 who may call it, then run GATEHOUSE_UPDATE_GOLDEN=1 vitest run test/sweeps/permissions.test.ts ' +
  'and read the difference before you commit it.'

test('S7: the table of permissions names every route and no other', () => {
  const labels = sweptRoutes.map(({ label }) => label)
  expect(
    labels.filter((label) => !golden[label]),
    `not in permissions.golden.json. ${howTo}`,
  ).toEqual([])
  expect(
    Object.keys(golden).filter((label) => !labels.includes(label)),
    `no longer a route. ${howTo}`,
  ).toEqual([])
})

/** Contract 5.1, written down a second time on purpose: a slip in the catalogue must show here. */
function holds(granted: string, wanted: string): boolean {
  return granted === wanted || granted === 'realm-admin' || granted.replace('manage-', 'view-') === wanted
}

/** `granted` is null for somebody without any permission. */
function isAllowed(label: string, granted: string | null, inSystemRealm: boolean): boolean {
  const allowed = golden[label] ?? []
  if (allowed.includes(anySession)) return true
  if (granted === null) return false
  if (allowed.includes(anyAdmin)) return true
  if (allowed.includes(systemAdmin)) return inSystemRealm && granted === 'realm-admin'
  return allowed.some((wanted) => holds(granted, wanted))
}

interface Caller {
  granted: string | null
  browser: Browser
  userId: string
}

let stages: Stages
let realm: TestRealm
const callers: { realm: Caller[]; system: Caller[] } = { realm: [], system: [] }
const single = [...permissionKeys, null]

beforeAll(async () => {
  stages = await openStages()
  realm = await createRealmFor()
  stages.realm = { node: realm.node, realmId: realm.realmId, admin: realm.admin, adminId: realm.adminId }
  callers.realm = await makeCallers(realm, '')
  // The same people in the system realm, for the routes of the server.
  const { node, realmId, admin, adminId } = stages.system
  const suffix = `-${Date.now().toString(36)}`
  const system = { ...realm, node, realmId, admin, adminId }
  const base = `/admin/realms/${realmId}`
  system.call = (method, path, json) =>
    method === 'GET' ? admin.get(base + path) : admin.write(method, base + path, json)
  callers.system = await makeCallers(system, suffix)
})

async function makeCallers(at: TestRealm, suffix: string): Promise<Caller[]> {
  const made: Caller[] = []
  for (const granted of single) {
    const username = `holder-of-${granted ?? 'nothing'}${suffix}`
    made.push({ granted, ...(await signIn(at, granted === null ? [] : [granted], username)) })
  }
  return made
}

describe.each(byLabel(sweptRoutes))('S7: %s', (label, swept) => {
  test('is open to exactly the holders that the table names', async () => {
    const groups = swept.isServer ? (['realm', 'system'] as const) : (['realm'] as const)
    const wrong: string[] = []
    for (const group of groups) {
      const stage = swept.isServer ? stages.system : stages.realm
      const request = requestFor(stage, swept, unknownParams(swept))
      for (const { granted, browser } of callers[group]) {
        // A parameter that does not exist is looked at right after the permission, so nothing is ever changed here.
        const answer = await send(browser, request, { query: { nonsense: '1' } })
        const expected = isAllowed(label, granted, group === 'system') ? '400 unknown_field' : '403 forbidden'
        const got = `${answer.status} ${answer.body?.code}`
        if (got !== expected) wrong.push(`${granted ?? 'no permission'} (${group}): ${got} instead of ${expected}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

/** Examples that are refused although the route is open to the caller, with the answer. */
function refusalOf(label: string, granted: string | null): string | null {
  // Contract 5.2: the example hands out what these callers do not hold.
  if (label.includes('PUT /admin/realms/{realm}/admin-roles/') && granted === 'manage-roles') return '403 escalation'
  if (label === 'POST /admin/realms/{realm}/users/{userId}/roles' && granted === 'manage-users') return '403 escalation'
  // Somebody else's job is not there for anybody but a realm-admin.
  if (label.includes('/jobs/') && granted !== 'realm-admin') return '404 not_found'
  return null
}

describe.each(byLabel(sweptRoutes))('S7: the example of %s', (label, swept) => {
  test('works for everybody who holds one of its permissions and nothing else', async () => {
    const group = swept.isServer ? 'system' : 'realm'
    for (const { granted, browser } of callers[group]) {
      if (!isAllowed(label, granted, group === 'system')) continue
      const request = await prepareExample(stageOf(stages, swept), swept)
      if (swept.isServer && request.params.realm && granted !== 'realm-admin')
        request.path = `/admin/realms/${stages.system.realmId}`
      const answer = await send(browser, request, swept.isWrite ? { query: { dryRun: 'true' } } : {})
      const declared = Object.keys(swept.route.response)
      const got = declared.includes(String(answer.status)) ? null : `${answer.status} ${answer.body?.code}`
      expect(got, `${granted}: ${answer.text}`).toBe(refusalOf(label, granted))
    }
  })
})

test.each(byLabel(writes))('S7: a refusal of %s is recorded against the caller', async (_label, swept: SweptRoute) => {
  const stage: Stage = stageOf(stages, swept)
  const { browser, userId } = callers[swept.isServer ? 'system' : 'realm'].at(-1)!
  const traceId = newTraceId()
  const before = await adminWriteCounts(stage)
  const answer = await send(browser, requestFor(stage, swept, unknownParams(swept)), { traceId })
  expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
  const events = await eventsOf(stage, traceId)
  expect(events).toMatchObject([{ category: 'ADMIN', outcome: 'FAILURE', detail: 'denied: forbidden', actor: userId }])
  expect(Object.entries(growthOf(before, await adminWriteCounts(stage)))).toEqual([
    [expect.stringMatching(new RegExp(`^(${stage.realmId}|_other) ${swept.route.method} denied$`)), 1],
  ])
})
