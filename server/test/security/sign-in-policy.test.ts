// Contract 2.66: the realm's policy is a floor under every flow. S39: nobody adds a factor by an old proof.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { levelOf } from '../../src/domain/sessions/index.ts'
import {
  addPerson,
  addTotp,
  authorize,
  type Browser,
  codesOf,
  createBrowser,
  createClientIn,
  createRealmFor,
  isSignedIn,
  must,
  passPassword,
  startTestNode,
  step,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { addKey, askForPasskey, newKey } from '../harness/authenticator.ts'
import { adminPassword } from '../harness/realm.ts'

let node: TestNode
beforeAll(async () => {
  node = await startTestNode()
})
afterAll(() => node?.stop())

const required = (authenticator: string) => ({ authenticator, requirement: 'REQUIRED' })

async function openRealm(mfaPolicy: object, steps?: object[]): Promise<TestRealm> {
  const realm = await createRealmFor({ node })
  if (steps) await must(realm.call('PUT', '/flow', { steps }), 200)
  await must(realm.call('PUT', '/settings', { mfaPolicy }), 200)
  return realm
}

const credentialsOf = async (realm: TestRealm, userId: string): Promise<string[]> =>
  (await realm.call('GET', `/users/${userId}/credentials`)).body
    .filter(({ details }: { details: { pending?: boolean } }) => !details.pending)
    .map(({ type }: { type: string }) => type)

describe('a policy that requires a second factor', () => {
  test('asks for it where the flow does not, and trusts a browser as elsewhere', async () => {
    const realm = await openRealm({ mode: 'REQUIRED', trustedDeviceDays: 1 }, [required('username-password')])
    const { userId } = await addPerson(realm, 'ada')
    const code = await addTotp(realm, userId)
    const { browser, answer, challengeId } = await passPassword(realm, 'ada')
    expect(answer.body).toMatchObject({ mfaRequired: true, methods: ['totp'] })
    await step(browser, realm, { challengeId })
    expect(isSignedIn(browser, realm)).toBe(false)
    await must(step(browser, realm, { challengeId, code: code(), trustDevice: 'true' }), 200)
    expect((await passPassword(realm, 'ada', browser)).answer.body.mfaRequired).toBe(false)
    expect((await passPassword(realm, 'ada')).answer.body.mfaRequired).toBe(true)
  })

  test('has somebody set one up who has recovery codes alone', async () => {
    const realm = await openRealm({ mode: 'REQUIRED' })
    const { userId } = await addPerson(realm, 'codes')
    const path = `/users/${userId}/credentials`
    const { codes } = (await must(realm.call('POST', path, { type: 'recovery-codes' }), 201)).body
    const { browser, answer, challengeId } = await passPassword(realm, 'codes')
    expect(answer.body.requiredAction).toBe('CONFIGURE_TOTP')
    await step(browser, realm, { challengeId, method: 'recovery-codes', code: codes[0] })
    expect(isSignedIn(browser, realm)).toBe(false)
  })

  test('does not take a factor that is no longer allowed', async () => {
    const realm = await openRealm({ mode: 'REQUIRED' })
    const { userId } = await addPerson(realm, 'old')
    const code = await addTotp(realm, userId)
    await must(realm.call('PUT', '/settings', { mfaPolicy: { mode: 'REQUIRED', allowed: ['webauthn'] } }), 200)
    const { browser, answer, challengeId } = await passPassword(realm, 'old')
    expect(answer.body.requiredAction).toBe('REGISTER_WEBAUTHN')
    for (const method of ['totp', 'webauthn']) await step(browser, realm, { challengeId, method, code: code() })
    expect(isSignedIn(browser, realm)).toBe(false)
    const { options } = (await step(browser, realm, { challengeId })).body
    const assertion = JSON.stringify(newKey(realm).register(options))
    await must(step(browser, realm, { challengeId, assertion }), 200)
    expect(isSignedIn(browser, realm)).toBe(true)
  })

  test('of administrators finds them through a role within a role', async () => {
    const realm = await openRealm({ mode: 'REQUIRED_FOR_ADMINS' })
    const inner = (await must(realm.call('POST', '/roles', { name: 'inner' }), 201)).body
    await must(realm.call('PUT', `/admin-roles/${inner.roleId}`, { permissions: ['view-users'] }), 200)
    await must(realm.call('POST', '/roles', { name: 'outer', compositeRoleNames: ['inner'] }), 201)
    const { userId } = await addPerson(realm, 'helper')
    expect((await passPassword(realm, 'helper')).answer.body.mfaRequired).toBe(false)
    await must(realm.call('POST', `/users/${userId}/roles`, { name: 'outer' }), 201)
    const { browser, answer } = await passPassword(realm, 'helper')
    expect(answer.body.requiredAction).toBe('CONFIGURE_TOTP')
    expect(isSignedIn(browser, realm)).toBe(false)
  })

  test('counts from the next step on, for whoever is half way in', async () => {
    const realm = await openRealm({ mode: 'OPTIONAL' })
    const { userId } = await addPerson(realm, 'half')
    await must(realm.call('PUT', `/users/${userId}/required-actions`, ['TERMS_AND_CONDITIONS']), 200)
    const { browser, challengeId } = await passPassword(realm, 'half')
    await must(realm.call('PUT', '/settings', { mfaPolicy: { mode: 'REQUIRED' } }), 200)
    const next = await step(browser, realm, { challengeId, accept: 'true' })
    expect(next.body.requiredAction).toBe('CONFIGURE_TOTP')
    expect(isSignedIn(browser, realm)).toBe(false)
  })
})

describe('S39: the steps of one sign-in', () => {
  test('prove one person: a passkey of one and the password of another open no door', async () => {
    const realm = await openRealm({})
    const attacker = await addPerson(realm, 'attacker')
    const victim = await addPerson(realm, 'victim')
    const key = await addKey(realm, attacker.userId)
    await addKey(realm, realm.adminId)
    const steps = [required('passkey'), required('username-password')]
    await must(realm.call('PUT', '/flow', { steps }), 200)
    const browser = createBrowser(node.url)
    const { options, passkeyChallenge } = await askForPasskey(browser, realm)
    const first = await step(browser, realm, { passkeyChallenge, assertion: JSON.stringify(key.answer(options)) })
    const challengeId = first.body.challengeId as string
    expect(first.body.fields).toBe('BOTH')
    const form = { challengeId, username: 'victim', password: adminPassword }
    expect((await step(browser, realm, form)).status).toBe(401)
    expect(isSignedIn(browser, realm)).toBe(false)
    expect(await realm.events(`&type=LOGIN_SUCCESS&actor=${victim.userId}`)).toEqual([])
    await must(step(browser, realm, { ...form, username: 'attacker' }), 200)
    expect(isSignedIn(browser, realm)).toBe(true)
  })
})

describe('S39: adding a factor', () => {
  const stepUp = { acr_values: 'urn:gatehouse:acr:2' }

  test('on the way in needs a first factor of the last quarter of an hour', async () => {
    const realm = await openRealm({ mode: 'REQUIRED' })
    const { userId } = await addPerson(realm, 'slow')
    const { browser, answer, challengeId } = await passPassword(realm, 'slow')
    node.clock.advance(15 * 60_000 + 1000)
    const code = codesOf(answer.body.secret, realm)()
    expect((await step(browser, realm, { challengeId, code })).status).toBe(403)
    expect(isSignedIn(browser, realm)).toBe(false)
    expect(await credentialsOf(realm, userId)).not.toContain('totp')
    // Whoever starts again gets through.
    const again = await passPassword(realm, 'slow')
    const form = { challengeId: again.challengeId, code: codesOf(again.answer.body.secret, realm)() }
    await must(step(again.browser, realm, form), 200)
  })

  /** Signed in with a password an hour ago. */
  async function signInLongAgo(realm: TestRealm, username: string): Promise<Browser> {
    const client = await createClientIn(realm, { clientId: 'app' })
    const browser = createBrowser(node.url)
    await must(realm.call('PUT', '/settings', { ssoSessionIdleSeconds: 36_000 }), 200)
    await authorize(realm, client, { browser, username })
    node.clock.advance(3_600_000)
    await realm.admin.login(realm.realmId, 'admin', adminPassword)
    return browser
  }
  const ask = (realm: TestRealm, browser: Browser, params: Record<string, string>) =>
    authorize(
      realm,
      { id: '', clientId: 'app', secret: null, redirectUri: 'https://app.example.org/callback' },
      {
        browser,
        params,
        stopAtPage: true,
      },
    )

  test('is not offered to an old session: it asks for the password first', async () => {
    const realm = await openRealm({ mode: 'OPTIONAL' })
    await addPerson(realm, 'found')
    const browser = await signInLongAgo(realm, 'found')
    const { answer } = await ask(realm, browser, stepUp)
    expect(answer.text).toContain('name="password"')
    expect(answer.text).not.toContain('otpauth:')
  })

  test('is not to be had from an old session by its second factor, nor a new password or address', async () => {
    const realm = await openRealm({ mode: 'OPTIONAL' })
    const { userId } = await addPerson(realm, 'climber')
    const browser = await signInLongAgo(realm, 'climber')
    const code = await addTotp(realm, userId)
    const actions = ['UPDATE_PASSWORD', 'UPDATE_PROFILE', 'REGISTER_WEBAUTHN', 'CONFIGURE_RECOVERY_CODES']
    await must(realm.call('PUT', `/users/${userId}/required-actions`, actions), 200)
    const { answer } = await ask(realm, browser, { acr_values: 'urn:gatehouse:acr:3' })
    const challengeId = /name="signIn" value="([^"]*)"/.exec(answer.text)![1]!
    const done = await step(browser, realm, { challengeId, code: code() })
    expect(done.body.requiredAction).toBeUndefined()
    // Nor does the session last longer than it would have.
    expect(done.body.expiresAt).toBeLessThanOrEqual(node.clock.now() + (36_000 - 3600) * 1000)
    expect(await credentialsOf(realm, userId)).toEqual(['totp', 'password', 'email'])
    const { requiredActions } = (await realm.call('GET', `/users/${userId}`)).body
    expect(requiredActions.toSorted()).toEqual(actions.toSorted())
    // They are due at the next sign-in.
    const next = await passPassword(realm, 'climber')
    node.clock.advance(30_000)
    const asked = await step(next.browser, realm, { challengeId: next.challengeId, code: code() })
    expect(asked.body.requiredAction).toBe('UPDATE_PASSWORD')
  })
})

describe('contract 2.104b: how strong proofs are together', () => {
  const table: [string[], number][] = [
    [[], 1],
    [['password'], 1],
    [['magic-link'], 1],
    [['totp'], 1],
    [['webauthn'], 1],
    [['password', 'password'], 1],
    [['magic-link', 'otp-email'], 1],
    [['totp', 'recovery-code'], 1],
    [['password', 'totp'], 2],
    [['password', 'otp-sms'], 2],
    [['password', 'otp-email'], 2],
    [['password', 'recovery-code'], 2],
    [['password', 'magic-link'], 2],
    [['password', 'webauthn'], 3],
    [['passkey'], 3],
    [['passkey', 'password'], 3],
    [['made-up'], 1],
  ]
  test.each(table)('%j is level %i', (methods, level) => {
    expect(levelOf(methods.map((method) => ({ method, at: 0 })))).toBe(level)
  })
})
