// Sweep 7: a path answers the methods it serves; every other one is 405 and says which those are.
// Contract 7.4, 2.91b, 5.8.
import { beforeAll, expect, test } from 'vitest'
import { requestFor, send, unknownParams } from './example-request.ts'
import { expectProblem } from './problems.ts'
import { sweptRoutes } from './route-table.ts'
import { openStages, stageOf, type Stages } from './stage.ts'

let stages: Stages
beforeAll(async () => {
  stages = await openStages()
})

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const byPath = Map.groupBy(sweptRoutes, ({ path }) => path)

test.each([...byPath])('%s names the methods it serves', async (_path, served) => {
  const swept = served[0]!
  const stage = stageOf(stages, swept)
  const allowed: string[] = served.map(({ route }) => route.method)
  if (allowed.includes('GET')) allowed.push('HEAD')
  for (const method of methods.filter((candidate) => !allowed.includes(candidate))) {
    const answer = await send(stage.admin, { ...requestFor(stage, swept, unknownParams(swept)), method })
    expect(answer.status, method).toBe(405)
    expect(String(answer.headers.allow).split(', ').toSorted()).toEqual(allowed.toSorted())
    if (method !== 'HEAD') expectProblem(answer, 405, 'method_not_allowed')
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  }
})

test('a preflight from any site is told nothing that would let it in', async () => {
  const { admin, realmId } = stages.realm
  const answer = await admin.send('OPTIONS', `/admin/realms/${realmId}/users`, {
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  })
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
})
