import { beforeEach, describe, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../test/harness/index.ts'
import { newId } from '../../platform/ids/index.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await createRealmFor()
})

const step = (authenticator: string, requirement = 'REQUIRED') => ({ authenticator, requirement })
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

/** A further credential of the administrator, as its own folder would keep it. */
const addCredential = (type: string, details: object = {}, userId = realm.adminId) =>
  realm.run((ctx) =>
    ctx.tx
      .insertInto('credentials')
      .values({
        realm_id: ctx.realmId,
        id: newId(),
        user_id: userId,
        type,
        details: JSON.stringify(details),
        created_at: 0,
      })
      .execute(),
  )

const addProvider = (channel: string) =>
  realm.run((ctx) =>
    ctx.tx
      .insertInto('messaging_providers')
      .values({ realm_id: ctx.realmId, id: newId(), channel, driver: 'test', created_at: 0 })
      .execute(),
  )

describe('a flow in use', () => {
  const save = (...sent: object[]) => realm.call('PUT', '/flow', { steps: sent })

  test('is refused when it lets no administrator in, with the steps in question', async () => {
    const answer = await save(step('username-password'), step('totp'))
    expect(outcome(answer)).toEqual([400, 'flow_unsafe'])
    expect(answer.body.errors[0].field).toBe('steps[1]')
    expect(answer.body.detail).toContain('steps[1] (totp)')
    expect((await realm.call('GET', '/flow')).body.createdAt).toBeNull()
  })

  test('counts a factor once it is confirmed and the realm’s policy allows it', async () => {
    const flow = [step('username-password'), step('totp')]
    await addCredential('totp', { pending: true })
    expect(outcome(await save(...flow))).toEqual([400, 'flow_unsafe'])
    await addCredential('totp')
    await realm.call('PUT', '/settings', { mfaPolicy: { allowed: ['webauthn'] } })
    expect(outcome(await save(...flow))).toEqual([400, 'flow_unsafe'])
    await realm.call('PUT', '/settings', { mfaPolicy: { allowed: ['totp'] } })
    expect((await save(...flow)).status).toBe(200)
  })

  test('counts a mailbox that is verified and that the realm can write to', async () => {
    expect((await save(step('magic-link'))).status).toBe(400)
    const user = { username: 'admin', email: 'admin@example.org', emailVerified: true }
    expect((await realm.call('PUT', `/users/${realm.adminId}`, user)).status).toBe(200)
    expect((await save(step('magic-link'))).status).toBe(400)
    await addProvider('SMS')
    expect((await save(step('magic-link'))).status).toBe(400)
    await addProvider('EMAIL')
    expect((await save(step('magic-link'))).status).toBe(200)
  })

  test('looks at every administrator who may sign in, and at nobody else', async () => {
    await addCredential('webauthn', { userVerified: true }, (await realm.signInWith(['view-users'])).userId)
    expect(outcome(await save(step('passkey')))).toEqual([400, 'flow_unsafe'])
    const second = await realm.signInWith(['realm-admin'])
    await addCredential('webauthn', { userVerified: false }, second.userId)
    expect(outcome(await save(step('passkey')))).toEqual([400, 'flow_unsafe'])
    await addCredential('webauthn', { userVerified: true }, second.userId)
    expect((await save(step('passkey'))).status).toBe(200)
    await realm.call('PUT', `/users/${second.userId}`, { username: second.username, enabled: false })
    expect(outcome(await save(step('passkey')))).toEqual([400, 'flow_unsafe'])
  })

  test('follows the roles of administrators, also those that come with others', async () => {
    await realm.call('POST', '/roles', { name: 'inner' })
    const outer = (await realm.call('POST', '/roles', { name: 'outer', compositeRoleNames: ['inner'] })).body
    const deny = { ...step('deny', 'CONDITIONAL'), condition: { type: 'condition-role', config: { roles: ['inner'] } } }
    expect((await save(step('username-password'), deny)).status).toBe(200)
    await realm.call('POST', `/users/${realm.adminId}/roles`, { name: outer.name })
    expect(outcome(await save(step('username-password'), deny))).toEqual([400, 'flow_unsafe'])
  })

  test('does not count an administrator who is locked until somebody unlocks them', async () => {
    const writer = await realm.signInWith(['manage-authorization'])
    const saveAsWriter = () => realm.callAs(writer.browser, 'PUT', '/flow', { steps: [step('username-password')] })
    const lock = (locked_until: number | null) =>
      realm.run((ctx) =>
        ctx.tx
          .updateTable('users')
          .set({ locked: true, locked_until })
          .where('realm_id', '=', ctx.realmId)
          .where('id', '=', realm.adminId)
          .execute(),
      )
    await lock(null)
    expect(outcome(await saveAsWriter())).toEqual([400, 'flow_unsafe'])
    // A lock by failed sign-ins ends by itself.
    await lock(4_102_444_800_000)
    expect((await saveAsWriter()).status).toBe(200)
  })

  test('for other purposes must prove what it is for', async () => {
    const saved = (alias: string, ...sent: object[]) => realm.call('PUT', `/flows/${alias}`, { steps: sent })
    expect(outcome(await saved('direct-grant', step('username')))).toEqual([400, 'flow_unsafe'])
    expect(outcome(await saved('reset-credentials', step('username'), step('otp-email')))).toEqual([400, 'flow_unsafe'])
    expect(outcome(await saved('first-broker-login', step('allow')))).toEqual([400, 'flow_unsafe'])
    expect(outcome(await saved('step-up', step('cookie')))).toEqual([400, 'flow_unsafe'])
    expect((await saved('direct-grant', step('username'), step('password'))).status).toBe(200)
  })

  test('goes back to the built-in steps only where that lets somebody in', async () => {
    await realm.call('PUT', `/users/${realm.adminId}`, {
      username: 'admin',
      email: 'a@example.org',
      emailVerified: true,
    })
    await addProvider('EMAIL')
    expect((await save(step('magic-link'))).status).toBe(200)
    await realm.run((ctx) => ctx.tx.deleteFrom('credentials').where('realm_id', '=', ctx.realmId).execute())
    expect(outcome(await realm.call('POST', '/flows/browser/reset'))).toEqual([400, 'flow_unsafe'])
  })
})
