// Sweep 8: no body writes what its route does not offer, whatever it is called elsewhere.
// S11, contract 2.1, 2.2, 2.41: every member of every schema is sent to every route that takes a body.
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { bodySchema, membersOf, readOnlyMembers } from './body-members.ts'
import { prepareExample, send } from './example-request.ts'
import { readRealm } from './fingerprint.ts'
import { expectProblem, fieldsOf } from './problems.ts'
import { byLabel, type SweptRoute, sweptRoutes, withBody } from './route-table.ts'
import { openRealmStage, openSystemStage, type Stage } from './stage.ts'

let system: Stage
let other: Stage
let realm: Stage
beforeAll(async () => {
  system = await openSystemStage()
  other = await openRealmStage()
  realm = await openRealmStage()
})

/** Names that no schema has but that the tables or other products have. */
const inside = [
  ...['id', 'realm_id', 'user_id', 'token_hash', 'secret_hash', 'passwordHash', 'password', 'version', 'system'],
  ...['isAdmin', 'admin', 'permissions', 'adminPermissions', 'owner', 'ownerId', 'tenantId', 'orgId', 'organizationId'],
  ...['default_role', 'config_version', 'deletedAt', 'seedVersion', 'impersonatorId', 'expiresAt', 'proofs', 'acr'],
]

/** Every member of every answer and of every body. */
const everyName = [
  ...new Set([
    ...inside,
    ...sweptRoutes.flatMap(({ route }) =>
      Object.values(route.response).flatMap((schema) => (schema ? Object.keys(membersOf(schema as z.ZodType)) : [])),
    ),
    ...withBody.flatMap((swept) => Object.keys(membersOf(bodySchema(swept)))),
  ]),
]

const stageFor = (swept: SweptRoute) => (swept.isServer ? system : realm)

describe.each(byLabel(withBody))('S11: %s', (_label, swept) => {
  const foreign = everyName.filter((name) => !(name in membersOf(bodySchema(swept))))

  test('refuses every member that belongs to something else', async () => {
    const stage = stageFor(swept)
    const request = await prepareExample(stage, swept)
    const before = await readRealm(stage.node, stage.realmId)
    const sound = typeof request.json === 'object' ? request.json : {}
    const values = [other.adminId, other.realmId, true, ['realm-admin'], 4_102_444_800_000]
    for (const value of values) {
      const added = Object.fromEntries(foreign.map((name) => [name, value]))
      const answer = await send(stage.admin, request, { json: { ...sound, ...added } })
      expectProblem(answer, 400, 'unknown_field')
      expect(fieldsOf(answer).toSorted()).toEqual(foreign.toSorted())
    }
    expect(await readRealm(stage.node, stage.realmId)).toEqual(before)
  })

  test('ignores read-only members that were tampered with', async () => {
    const fixed = readOnlyMembers(swept)
    if (fixed.length === 0) return
    // A realm of its own: this one is really written.
    const stage = swept.isServer ? system : await openRealmStage()
    const request = await prepareExample(stage, swept)
    const untouched = await send(stage.admin, request, { query: { dryRun: 'true' } })
    const tampered = Object.fromEntries(
      fixed.map((name, at) => [name, [other.adminId, other.realmId, true, 1][at % 4]]),
    )
    const answer = await send(stage.admin, request, { json: { ...(request.json as object), ...tampered } })
    expect(answer.status, answer.text).toBe(untouched.status)
    for (const name of fixed) expect(answer.body[name], name).toEqual(untouched.body[name])
    expect(answer.text).not.toContain(other.realmId)
    const stored = JSON.stringify(await readRealm(stage.node, stage.realmId))
    expect(stored).not.toContain(other.realmId)
    expect(stored).not.toContain(other.adminId)
  })
})

test('S11: a user’s roles and password cannot be written through the record', async () => {
  const base = `/admin/realms/${realm.realmId}/users`
  const made = await realm.admin.write('POST', base, { username: 'mallory', roles: ['admin'] })
  expectProblem(made, 400, 'unknown_field')
  const user = (await realm.admin.write('POST', base, { username: 'mallory' })).body
  const replaced = await realm.admin.write('PUT', `${base}/${user.userId}`, {
    username: 'mallory',
    roles: ['admin', 'user'],
  })
  expect([replaced.status, fieldsOf(replaced)]).toEqual([400, ['roles']])
  const patched = await realm.admin.write(
    'PATCH',
    `${base}/${user.userId}`,
    { roles: ['admin'], userId: other.adminId, realmId: other.realmId },
    { type: 'application/merge-patch+json' },
  )
  expect([patched.status, fieldsOf(patched)]).toEqual([400, ['roles']])
  expect((await realm.admin.get(`${base}/${user.userId}`)).body).toEqual(user)
})
