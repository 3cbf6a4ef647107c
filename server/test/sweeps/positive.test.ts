// Sweep 1: the example of every route works, answers what it declares, and is recorded exactly once.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectExactly, expectJsonOrNothing, expectLocation, expectNoTrace, expectTypes } from './answers.ts'
import { type ExampleRequest, newTraceId, prepareExample, send } from './example-request.ts'
import { fingerprint } from './fingerprint.ts'
import { byLabel, reads, type SweptRoute, sweptRoutes, writes } from './route-table.ts'
import { openRealmStage, openStages, type Stage, stageOf, type Stages } from './stage.ts'
import { adminWriteCounts, eventsOf, growthOf, linesOf } from './traces.ts'

let stages: Stages
beforeAll(async () => {
  stages = await openStages()
})

/** Contract 4.1: where a route can create, a fresh example creates. */
function expectedStatus({ route }: SweptRoute): number {
  const declared = Object.keys(route.response).map(Number)
  return declared.includes(201) ? 201 : Math.min(...declared)
}

/** Contract 6.2, worked out from the method and the path alone. */
function expectedType({ route }: SweptRoute): string {
  // Contract 0.2: a POST that adds to a set changes it.
  if (route.method === 'POST' && route.path.endsWith('/required-actions')) return 'ADMIN_UPDATE'
  const verb =
    /\/(rotate|test|sync|import|impersonate|activate|revoke-all|secret|reset|preview|confirm|send-actions-email)$/.test(
      route.path,
    )
  const types = { POST: 'ADMIN_CREATE', PUT: 'ADMIN_UPDATE', PATCH: 'ADMIN_UPDATE', DELETE: 'ADMIN_DELETE', GET: '' }
  return route.method === 'POST' && verb ? 'ADMIN_ACTION' : types[route.method]
}

/** Contract 2.90: the first segment under the realm. */
const expectedResourceType = ({ route }: SweptRoute) =>
  ({ '/audit/config': 'audit-config', '/flow': 'flows' })[route.path] ?? route.path.split('/')[1]

/** Contract 2.90: the key in the path, the new id, or the realm's name for what exists once. */
function expectedResourceId(stage: Stage, { parameters }: SweptRoute, request: ExampleRequest, body: unknown): string {
  if (parameters[0]) return request.params[parameters[0]]!
  // The flow in use goes by its alias.
  const names = request.method === 'POST' || request.path.endsWith('/flow')
  const made = (names ? (body ?? {}) : {}) as Record<string, string>
  return (
    made.alias ??
    made.id ??
    made.userId ??
    made.roleId ??
    made.keyId ??
    made.claimId ??
    made.scopeId ??
    made.realmId ??
    stage.realmId
  )
}

/** The realms of the server share one namespace, so the example's name is taken after the first test. */
function withUniqueName(request: ExampleRequest): ExampleRequest {
  if (request.path !== '/admin/realms') return request
  return { ...request, json: { ...(request.json as object), name: `acme-${randomUUID().slice(0, 8)}` } }
}

describe('the example of', () => {
  test.each(byLabel(sweptRoutes))('%s is answered as declared and recorded once', async (_label, swept) => {
    // A realm of its own for every write: examples name things, and names are unique.
    const stage = swept.isServer || !swept.isWrite ? stageOf(stages, swept) : await openRealmStage()
    const request = withUniqueName(await prepareExample(stage, swept))
    const traceId = newTraceId()
    const countsBefore = await adminWriteCounts(stage)
    const answer = await send(stage.admin, request, { traceId })
    const grown = growthOf(countsBefore, await adminWriteCounts(stage))

    expect(answer.status, answer.text).toBe(expectedStatus(swept))
    expectExactly(swept.route.response[answer.status], answer)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    if (answer.status === 201) await expectLocation(stage, answer)
    const events = await eventsOf(stage, traceId)
    // Contract 0.1: a read that shows something sensitive is recorded like a write.
    if (swept.route.event?.auditRead) return expectTypes(events, [swept.route.event.type ?? 'ADMIN_READ_SENSITIVE'])
    // One that hands everything out writes its own event.
    if (!swept.isWrite && swept.route.event?.type) return expectTypes(events, [swept.route.event.type])
    if (!swept.isWrite) return expectNoTrace(events, grown)
    const ofAdmin = events.filter((event) => event.category === 'ADMIN')
    expect(ofAdmin).toHaveLength(1)
    expect(ofAdmin[0]).toMatchObject({
      type: expectedType(swept),
      resourceType: expectedResourceType(swept),
      resourceId: expectedResourceId(stage, swept, request, answer.body),
      outcome: 'SUCCESS',
      actor: stage.adminId,
      actorName: 'admin',
      realm: stage.realmId,
      sourceIp: '127.0.0.1',
      sessionId: expect.any(String),
    })
    expectJsonOrNothing(ofAdmin[0]!.detail)
    expect(linesOf(stage, traceId).map((line) => line.id)).toEqual(events.map((event) => event.id))
    expect(Object.values(grown)).toEqual([1])
    expect(Object.keys(grown)[0]).toMatch(new RegExp(`^(${stage.realmId}|_other) ${request.method} success$`))
  })
})

describe('a dry run of', () => {
  test.each(byLabel(writes))('%s answers the same and keeps nothing', async (_label, swept) => {
    const stage = stageOf(stages, swept)
    const request = withUniqueName(await prepareExample(stage, swept))
    const traceId = newTraceId()
    const before = [await adminWriteCounts(stage), await fingerprint(stage, stage.realmId)]
    const answer = await send(stage.admin, request, { query: { dryRun: 'true' }, traceId })
    expect(answer.status, answer.text).toBe(expectedStatus(swept))
    expectExactly(swept.route.response[answer.status], answer)
    expect([await adminWriteCounts(stage), await fingerprint(stage, stage.realmId)]).toEqual(before)
    expect(await eventsOf(stage, traceId)).toEqual([])
    expect(linesOf(stage, traceId)).toEqual([])
  })
})

describe('If-Match', () => {
  const versioned = writes.filter(({ route }) => route.load && route.method !== 'POST')
  test.each(byLabel(versioned))('is honoured by %s', async (_label, swept) => {
    const stage = stageOf(stages, swept)
    const request = await prepareExample(stage, swept)
    const traceId = newTraceId()
    const refused = await send(stage.admin, request, { headers: { 'if-match': '"987654321"' }, traceId })
    expect([refused.status, refused.body.code]).toEqual([412, 'precondition_failed'])
    expect(await eventsOf(stage, traceId)).toEqual([])
    const query = { dryRun: 'true' }
    const passed = await send(stage.admin, request, { headers: { 'if-match': '*' }, query })
    expect(passed.status, passed.text).toBe(expectedStatus(swept))
  })
})

describe('ETag', () => {
  // Contract 2.6: an object that can be changed or deleted under the address where it is read.
  const single = reads.filter(({ path }) =>
    writes.some((other) => other.path === path && other.route.method !== 'POST' && other.route.load),
  )
  test.each(byLabel(single))('is carried by %s, which answers 304 to it', async (_label, swept) => {
    const stage = stageOf(stages, swept)
    const request = await prepareExample(stage, swept)
    const etag = String((await send(stage.admin, request)).headers.etag)
    expect(etag).toMatch(/^"\d+"$/)
    const again = await send(stage.admin, request, { headers: { 'if-none-match': etag } })
    expect([again.status, again.text]).toEqual([304, ''])
  })
})

describe('one Idempotency-Key', () => {
  const posts = writes.filter(({ route }) => route.method === 'POST' && route.idempotencyKey !== false)
  test.each(byLabel(posts))('lets %s act once', async (_label, swept) => {
    const stage = stageOf(stages, swept)
    const request = withUniqueName(await prepareExample(stage, swept))
    const headers = { 'idempotency-key': randomUUID() }
    const traceId = newTraceId()
    const first = await send(stage.admin, request, { headers, traceId })
    const second = await send(stage.admin, request, { headers, traceId })
    expect(first.status, first.text).toBe(expectedStatus(swept))
    expect([second.status, second.text]).toEqual([first.status, first.text])
    expect(second.headers.location).toBe(first.headers.location)
    expect((await eventsOf(stage, traceId)).filter((event) => event.category === 'ADMIN')).toHaveLength(1)
  })
})
