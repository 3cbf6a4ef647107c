import { beforeAll, describe, expect, it } from 'vitest'
import {
  addPerson,
  addTotp,
  codesOf,
  type Browser,
  createRealmFor,
  isSignedIn,
  must,
  passPassword,
  step,
  type TestRealm,
} from '../../../test/harness/index.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await createRealmFor()
})

const whoami = (browser: Browser) => browser.get(`/admin/realms/${realm.realmId}/whoami`).then((answer) => answer.body)

describe('an authenticator app', () => {
  it('is asked for after the password, opens the door with its code, and makes the session stronger', async () => {
    const { userId } = await addPerson(realm, 'ada')
    const code = await addTotp(realm, userId)
    const { browser, answer, challengeId } = await passPassword(realm, 'ada')
    expect(answer.body).toMatchObject({ mfaRequired: true, methods: ['totp'], challengeId: expect.any(String) })
    expect(isSignedIn(browser, realm)).toBe(false)
    const wrong = await step(browser, realm, { challengeId, method: 'totp', code: '000000' })
    expect(wrong.status).toBe(401)
    const done = await step(browser, realm, { challengeId, method: 'totp', code: code() })
    expect(done.body).toMatchObject({ userId, mfaRequired: false })
    expect(await whoami(browser)).toMatchObject({ username: 'ada', acr: 'urn:gatehouse:acr:2' })
    const types = (await realm.events(`&actor=${userId}`)).map((event) => event.type)
    expect(types).toEqual(['LOGIN_SUCCESS', 'MFA_SUCCESS', 'MFA_FAILURE', 'MFA_CHALLENGE'])
  })

  it('does not take the same code twice, in another sign-in either', async () => {
    const { userId } = await addPerson(realm, 'replay')
    const code = (await addTotp(realm, userId))()
    const first = await passPassword(realm, 'replay')
    await must(step(first.browser, realm, { challengeId: first.challengeId, code }), 200)
    const second = await passPassword(realm, 'replay')
    expect((await step(second.browser, realm, { challengeId: second.challengeId, code })).status).toBe(401)
    expect(isSignedIn(second.browser, realm)).toBe(false)
  })

  it('is not asked for where the policy is OFF, and is by default', async () => {
    const other = await createRealmFor()
    const { userId } = await addPerson(other, 'off')
    await addTotp(other, userId)
    expect((await passPassword(other, 'off')).answer.body.mfaRequired).toBe(true)
    await must(other.call('PUT', '/settings', { mfaPolicy: { mode: 'OFF' } }), 200)
    expect((await passPassword(other, 'off')).answer.body).toMatchObject({ userId, mfaRequired: false })
  })
})

describe('recovery codes', () => {
  it('stand in for a lost factor, each once, and are none by themselves', async () => {
    const { userId } = await addPerson(realm, 'lost')
    const { codes } = (await must(realm.call('POST', `/users/${userId}/credentials`, { type: 'recovery-codes' }), 201))
      .body
    expect((await passPassword(realm, 'lost')).answer.body).toMatchObject({ userId, mfaRequired: false })
    await addTotp(realm, userId)
    const { browser, answer, challengeId } = await passPassword(realm, 'lost')
    expect(answer.body.methods).toEqual(['totp', 'recovery-codes'])
    await must(step(browser, realm, { challengeId, method: 'recovery-codes', code: codes[0] }), 200)
    expect(isSignedIn(browser, realm)).toBe(true)
    const again = await passPassword(realm, 'lost')
    const answerAgain = await step(again.browser, realm, {
      challengeId: again.challengeId,
      method: 'recovery-codes',
      code: codes[0],
    })
    expect(answerAgain.status).toBe(401)
  })
})

describe('a required second factor', () => {
  it('is set up on the way in by whoever has none, and only then the door opens', async () => {
    const strict = await createRealmFor()
    await addPerson(strict, 'new')
    await must(strict.call('PUT', '/settings', { mfaPolicy: { mode: 'REQUIRED' } }), 200)
    const { browser, answer, challengeId } = await passPassword(strict, 'new')
    expect(answer.body).toMatchObject({ requiredAction: 'CONFIGURE_TOTP', secret: expect.any(String) })
    await step(browser, strict, { challengeId })
    await step(browser, strict, { challengeId, code: '000000' })
    expect(isSignedIn(browser, strict)).toBe(false)
    const done = await step(browser, strict, { challengeId, code: codesOf(answer.body.secret, strict)() })
    expect(done.body).toMatchObject({ username: 'new', mfaRequired: false })
    expect((await passPassword(strict, 'new')).answer.body).toMatchObject({ mfaRequired: true, methods: ['totp'] })
  })

  it('shows another sign-in another key: nobody confirms one that somebody else has seen', async () => {
    const strict = await createRealmFor()
    await addPerson(strict, 'shared')
    await must(strict.call('PUT', '/settings', { mfaPolicy: { mode: 'REQUIRED' } }), 200)
    const [thief, owner] = [await passPassword(strict, 'shared'), await passPassword(strict, 'shared')]
    expect(owner.answer.body.secret).not.toBe(thief.answer.body.secret)
    const code = codesOf(thief.answer.body.secret, strict)()
    expect((await step(owner.browser, strict, { challengeId: owner.challengeId, code })).status).toBe(401)
    const own = codesOf(owner.answer.body.secret, strict)()
    await must(step(owner.browser, strict, { challengeId: owner.challengeId, code: own }), 200)
  })

  it('of administrators alone leaves everybody else as they are', async () => {
    const careful = await createRealmFor()
    await addPerson(careful, 'plain')
    await must(careful.call('PUT', '/settings', { mfaPolicy: { mode: 'REQUIRED_FOR_ADMINS' } }), 200)
    expect((await passPassword(careful, 'plain')).answer.body.mfaRequired).toBe(false)
    expect(isSignedIn((await passPassword(careful, 'plain')).browser, careful)).toBe(true)
    const admin = await passPassword(careful, 'admin')
    expect(admin.answer.body.requiredAction).toBe('CONFIGURE_TOTP')
    expect(isSignedIn(admin.browser, careful)).toBe(false)
  })
})

describe('a trusted browser', () => {
  it('is not asked again, nobody else is spared, and a new password ends the trust', async () => {
    const trusting = await createRealmFor()
    await must(trusting.call('PUT', '/settings', { mfaPolicy: { trustedDeviceDays: 30 } }), 200)
    const { userId } = await addPerson(trusting, 'tess')
    const code = await addTotp(trusting, userId)
    const { browser, challengeId } = await passPassword(trusting, 'tess')
    await must(step(browser, trusting, { challengeId, code: code(), trustDevice: 'true' }), 200)
    const logout = `/realms/${trusting.realmId}/login/logout`
    await browser.send('POST', logout, { form: { _csrf: browser.csrf() }, headers: { accept: 'application/json' } })
    const again = await passPassword(trusting, 'tess', browser)
    expect(again.answer.body).toMatchObject({ userId, mfaRequired: false })
    // It says that it was not asked: the session is as strong as its one factor.
    const session = await browser.get(`/admin/realms/${trusting.realmId}/whoami`)
    expect(session.body.acr).toBe('urn:gatehouse:acr:1')
    expect((await passPassword(trusting, 'tess')).answer.body.mfaRequired).toBe(true)
    await addPerson(trusting, 'tom').then((tom) => addTotp(trusting, tom.userId))
    await browser.send('POST', logout, { form: { _csrf: browser.csrf() }, headers: { accept: 'application/json' } })
    expect((await passPassword(trusting, 'tom', browser)).answer.body.mfaRequired).toBe(true)
    await must(trusting.call('PUT', `/users/${userId}/password`, { newPassword: 'another-good-pass-71' }), 204)
    const after = await browser.login(trusting.realmId, 'tess', 'another-good-pass-71')
    expect(after.body.mfaRequired).toBe(true)
  })
})
