// Sweep 5: what belongs to another realm is simply not there, and nobody can tell that it exists elsewhere.
// S1, contract 1.7 and 0.6.
import { beforeAll, describe, expect, test } from 'vitest'
import { requestFor, prepareExample, send, unknownParams, unknownValue } from './example-request.ts'
import { fingerprint } from './fingerprint.ts'
import { expectProblem, withoutOccasion } from './problems.ts'
import { byLabel, type SweptRoute, withParameters } from './route-table.ts'
import { openRealmStage, openStages, type Stage, type Stages } from './stage.ts'

let stages: Stages
let other: Stage
beforeAll(async () => {
  stages = await openStages()
  other = await openRealmStage()
})

// Parts of a path that are words of the contract, the same in every realm.
const names = new Set(['type', 'channel', 'driver'])
const ofRealms = withParameters.filter(
  ({ isServer, parameters }) => !isServer && parameters.some((name) => !names.has(name)),
)

/** Own objects with one part of the path taken from somewhere else, one after the other. */
async function mixedParams(swept: SweptRoute, elsewhere: Record<string, string>): Promise<Record<string, string>[]> {
  const own = await prepareExample(stages.realm, swept)
  return swept.parameters.filter((name) => name !== 'type').map((name) => ({ ...own.params, [name]: elsewhere[name]! }))
}

describe.each(byLabel(ofRealms))('S1: %s', (_label, swept) => {
  test('answers for another realm’s object exactly as for one that never was', async () => {
    const theirs = (await prepareExample(other, swept)).params
    const before = await fingerprint(other, other.realmId)
    const foreign = [theirs, ...(await mixedParams(swept, theirs))]
    const unknown = [unknownParams(swept), ...(await mixedParams(swept, unknownParams(swept)))]
    for (const [at, params] of foreign.entries()) {
      const [real, invented] = [params, unknown[at]!].map((path) => requestFor(stages.realm, swept, path))
      const answer = await send(stages.realm.admin, real!)
      expectProblem(answer, 404, 'not_found')
      expect(withoutOccasion(answer)).toEqual(withoutOccasion(await send(stages.realm.admin, invented!)))
      expect(answer.text).not.toContain(other.realmId)
    }
    expect(await fingerprint(other, other.realmId)).toBe(before)
  })

  test('takes a malformed id for one that is not there', async () => {
    const malformed = ['x', '1', '-1', 'null', '*', 'é', "' or 1=1 --", '\0', '%', 'A'.repeat(200), '{}']
    const reference = await send(stages.realm.admin, requestFor(stages.realm, swept, unknownParams(swept)))
    for (const name of swept.parameters) {
      for (const value of malformed) {
        const params = { ...unknownParams(swept), [name]: value }
        const answer = await send(stages.realm.admin, requestFor(stages.realm, swept, params))
        expectProblem(answer, 404, 'not_found')
        expect(withoutOccasion(answer), value).toEqual(withoutOccasion(reference))
      }
    }
  })

  test('takes an id that only looks like one, in upper case or in braces, for nothing else', async () => {
    const own = await prepareExample(stages.realm, swept)
    const name = swept.parameters.findLast((parameter) => parameter !== 'type')!
    for (const value of [`{${own.params[name]}}`, own.params[name]!.replaceAll('-', ''), ` ${own.params[name]}`]) {
      const answer = await send(stages.realm.admin, requestFor(stages.realm, swept, { ...own.params, [name]: value }))
      expectProblem(answer, 404, 'not_found')
    }
  })
})

test('S1: an administrator who asks for another realm is told that there is none', async () => {
  const { admin } = stages.realm
  const theirs = await admin.get(`/admin/realms/${other.realmId}`)
  expectProblem(theirs, 404, 'realm_not_found')
  expect(withoutOccasion(theirs)).toEqual(withoutOccasion(await admin.get(`/admin/realms/${unknownValue('realm')}`)))
  const seen = (await admin.get('/admin/realms')).body as { realmId: string }[]
  expect(seen.map(({ realmId }) => realmId)).toEqual([stages.realm.realmId])
})

test('S1: ids of another realm in a query or a body find nothing there', async () => {
  const { admin, realmId } = stages.realm
  const base = `/admin/realms/${realmId}`
  const elsewhere = `/admin/realms/${other.realmId}`
  const before = await fingerprint(other, other.realmId)
  const role = (await other.admin.write('POST', `${elsewhere}/roles`, { name: 'only-there' })).body
  const after = await fingerprint(other, other.realmId)
  expect(after).not.toBe(before)

  expect((await admin.get(`${base}/sessions?userId=${other.adminId}`)).body).toEqual([])
  expect((await admin.write('DELETE', `${base}/sessions?userId=${other.adminId}`)).status).toBe(204)
  expect((await admin.get(`${base}/users?role=only-there`)).body).toEqual([])
  expect((await admin.get(`${base}/events?actor=${other.adminId}`)).body.items).toEqual([])
  expect((await admin.get(`${base}/users?after=${other.adminId}`)).text).not.toContain(other.realmId)
  expect((await admin.get(`${base}/roles?after=${role.roleId}`)).text).not.toContain('only-there')
  const { adminId } = stages.realm
  expectProblem(await admin.write('POST', `${base}/users/${adminId}/roles`, { name: 'only-there' }), 404, 'not_found')
  const composed = await admin.write('POST', `${base}/roles`, { name: 'x', compositeRoleNames: ['only-there'] })
  expectProblem(composed, 400, 'validation_failed')
  expect((await other.admin.get(`${elsewhere}/whoami`)).status).toBe(200)
  expect(await fingerprint(other, other.realmId)).toBe(after)
})
