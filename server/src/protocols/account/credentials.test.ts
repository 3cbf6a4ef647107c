import { beforeAll, describe, expect, test } from 'vitest'
import { codesOf, createClientIn, createRealmFor, must, signInTo, type TestRealm } from '../../../test/harness/index.ts'
import { newKey } from '../../../test/harness/authenticator.ts'
import { createDevice } from '../../../test/harness/device.ts'
import {
  type AccountCaller,
  type OpenAccount,
  openAccount,
  sessionCaller,
  tokenCaller,
} from '../../../test/harness/account-callers.ts'

let realm: TestRealm
let ada: OpenAccount
beforeAll(async () => {
  realm = await createRealmFor()
  ada = await openAccount(realm, 'ada')
}, 60_000)

interface Listed {
  id: string
  type: string
  label: string | null
}
const list = async (caller: AccountCaller): Promise<Listed[]> =>
  (await must(caller.call('GET', '/credentials'), 200)).body
const find = async (caller: AccountCaller, type: string) => (await list(caller)).find((each) => each.type === type)!

describe('what I prove myself with', () => {
  test('an app counts from its first good code on, and shows its secret once', async () => {
    const { body: app } = await must(
      ada.bySession.call('POST', '/credentials', { type: 'totp', label: 'Telephone' }),
      201,
    )
    expect(app).toMatchObject({ type: 'totp', label: 'Telephone', pending: true, details: { pending: true } })
    const confirm = (code: string) => ada.bySession.call('POST', `/credentials/totp/${app.id}/confirm`, { code })
    expect((await confirm('000000')).body.errors[0].field).toBe('code')
    const codes = codesOf(app.secret, realm)
    expect((await must(confirm(codes()), 200)).body).toMatchObject({ id: app.id, details: { pending: false } })
    expect((await confirm(codes(30_000))).status).toBe(409)
    expect(JSON.stringify(await list(ada.byToken))).not.toContain(app.secret)
    const [event] = await realm.events(`&type=CREDENTIAL_ADDED&actor=${ada.userId}`)
    expect(JSON.parse(event.detail)).toEqual({ type: 'totp', id: app.id })
    expect((await realm.call('GET', `/users/${ada.userId}`)).body.mfaEnabled).toBe(true)
  })

  test('tries at the first code of an app are few', async () => {
    const { bySession } = await openAccount(realm, 'bea')
    const { body: app } = await must(bySession.call('POST', '/credentials', { type: 'totp' }), 201)
    const statuses = []
    for (let n = 0; n < 11; n++) {
      statuses.push((await bySession.call('POST', `/credentials/totp/${app.id}/confirm`, { code: '000000' })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429])
  })

  test('recovery codes are answered once and end the ones before', async () => {
    const first = (await must(ada.byToken.call('POST', '/credentials', { type: 'recovery-codes' }), 201)).body
    const second = (await must(ada.byToken.call('POST', '/credentials', { type: 'recovery-codes' }), 201)).body
    expect(first.codes).toHaveLength(10)
    expect(first.codes).not.toContain(second.codes[0])
    const sets = (await list(ada.bySession)).filter(({ type }) => type === 'recovery-codes')
    expect(sets).toEqual([expect.objectContaining({ id: second.id, details: { remaining: 10 } })])
  })

  test('a passkey is made with options of this session, once', async () => {
    const key = newKey(realm)
    const options = (await must(ada.bySession.call('POST', '/credentials/webauthn/options'), 200)).body
    expect(options).toMatchObject({ rp: { id: expect.any(String) }, pubKeyCredParams: expect.any(Array) })
    const response = key.register(options)
    const add = (caller: AccountCaller, label = 'Laptop') =>
      caller.call('POST', '/credentials/webauthn', { label, response })
    const elsewhere = sessionCaller(realm, ada.browser)
    expect((await add(ada.byToken)).status).toBe(400)
    expect((await must(add(elsewhere), 201)).body).toMatchObject({ type: 'webauthn', label: 'Laptop' })
    expect((await add(ada.bySession)).status).toBe(400)
    const again = (await must(ada.bySession.call('POST', '/credentials/webauthn/options'), 200)).body
    expect(again.excludeCredentials).toHaveLength(1)
    const other = newKey(realm).register({ ...again, challenge: options.challenge })
    expect((await ada.bySession.call('POST', '/credentials/webauthn', { response: other })).status).toBe(400)
    const eve = await openAccount(realm, 'eve')
    const foreign = newKey(realm).register(again)
    expect((await eve.bySession.call('POST', '/credentials/webauthn', { response: foreign })).status).toBe(400)
  })

  test('what is set up elsewhere is named with its place', async () => {
    for (const [type, words] of [
      ['password', 'POST /account/password'],
      ['webauthn', '/credentials/webauthn/options'],
      ['sms', 'verified'],
    ]) {
      const { status, body } = await ada.bySession.call('POST', '/credentials', { type })
      expect([status, body.errors[0].field]).toEqual([400, 'type'])
      expect(body.errors[0].message).toContain(words)
    }
  })

  test('is renamed and removed by me; the last way in stays', async () => {
    const cyd = await openAccount(realm, 'cyd')
    const { id } = await find(cyd.bySession, 'password')
    const renamed = await must(cyd.byToken.call('PUT', `/credentials/password/${id}`, { label: 'Mine' }), 200)
    expect(renamed.body).toMatchObject({ id, label: 'Mine' })
    const [told] = await realm.events(`&type=ADMIN_UPDATE&actor=${cyd.userId}`)
    expect(JSON.parse(told.detail)).toEqual({ credentialRenamed: 'password', id })
    const refused = await cyd.bySession.call('DELETE', `/credentials/password/${id}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect(refused.body.detail).toContain('passkey')
    const email = await find(cyd.bySession, 'email')
    expect((await cyd.bySession.call('DELETE', `/credentials/email/${email.id}`)).status).toBe(409)

    const options = (await must(cyd.bySession.call('POST', '/credentials/webauthn/options'), 200)).body
    const response = newKey(realm).register(options)
    const { body: key } = await must(cyd.bySession.call('POST', '/credentials/webauthn', { response }), 201)
    await must(cyd.byToken.call('DELETE', `/credentials/password/${id}`), 204)
    expect((await cyd.bySession.call('DELETE', `/credentials/webauthn/${key.id}`)).status).toBe(409)
    expect((await list(cyd.bySession)).map(({ type }) => type)).toEqual(['webauthn', 'email'])
    const [event] = await realm.events(`&type=CREDENTIAL_REMOVED&actor=${cyd.userId}`)
    expect(JSON.parse(event.detail)).toEqual({ type: 'password', id })
  })

  test('a key that does not ask who holds it is no way in: it goes at any time and keeps no door open', async () => {
    const { bySession, userId } = await openAccount(realm, 'eli')
    const addKey = async (userVerified: boolean) => {
      const options = (await must(bySession.call('POST', '/credentials/webauthn/options'), 200)).body
      const response = newKey(realm).register(options, { userVerified })
      return (await must(bySession.call('POST', '/credentials/webauthn', { response }), 201)).body.id as string
    }
    const weak = await addKey(false)
    const { id: password } = await find(bySession, 'password')
    expect((await bySession.call('DELETE', `/credentials/password/${password}`)).status).toBe(409)
    const strong = await addKey(true)
    await must(bySession.call('DELETE', `/credentials/password/${password}`), 204)
    expect((await bySession.call('DELETE', `/credentials/webauthn/${strong}`)).status).toBe(409)
    // Nor does it stay where an administrator took the last way in, and a link by mail is all that is left.
    await must(realm.call('DELETE', `/users/${userId}/credentials/webauthn/${strong}`), 204)
    await must(bySession.call('DELETE', `/credentials/webauthn/${weak}`), 204)
  })

  test('an administrator with a token removes their own as everybody does', async () => {
    await realm.signInWith(['manage-users'], 'chief')
    const client = await createClientIn(realm, { consentRequired: false })
    const { access_token: token } = await signInTo(realm, client, { username: 'chief' })
    const caller = tokenCaller(realm, token!)
    const { body: set } = await must(caller.call('POST', '/credentials', { type: 'recovery-codes' }), 201)
    await must(caller.call('DELETE', `/credentials/recovery-codes/${set.id}`), 204)
  })
})

describe('my devices', () => {
  test('are enrolled by a token of the account, listed, and removed by either address', async () => {
    const dan = await openAccount(realm, 'dan')
    const { body: issued } = await must(dan.byToken.call('POST', '/devices/enrollment-tokens'), 201)
    const device = await createDevice(realm)
    await device.enroll(issued.enrollmentToken)
    expect((await must(dan.bySession.call('GET', '/devices'), 200)).body).toEqual([
      expect.objectContaining({ id: device.deviceId, deviceName: 'Telephone', platform: 'ANDROID' }),
    ])
    await must(dan.bySession.call('DELETE', `/devices/${device.deviceId}`), 204)
    expect((await dan.bySession.call('DELETE', `/devices/${device.deviceId}`)).status).toBe(404)

    const second = await createDevice(realm)
    const { body: next } = await must(dan.bySession.call('POST', '/credentials', { type: 'device' }), 201)
    expect(next).toMatchObject({ enrollmentUrl: expect.stringContaining(next.enrollmentToken) })
    await second.enroll(next.enrollmentToken)
    await must(dan.bySession.call('DELETE', `/credentials/device/${second.deviceId}`), 204)
    expect((await dan.bySession.call('GET', '/devices')).body).toEqual([])
  })
})
