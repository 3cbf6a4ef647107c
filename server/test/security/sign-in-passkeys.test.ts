// S44: a passkey through the pages: one answer to one question, of one realm, in one browser, by its person.
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  type Browser,
  createBrowser,
  createRealmFor,
  isSignedIn,
  must,
  passPassword,
  step,
  type TestRealm,
} from '../harness/index.ts'
import { addKey, type Answering, askForPasskey, newKey, type SoftwareAuthenticator } from '../harness/authenticator.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await createRealmFor()
})

async function addHolder(username: string) {
  const person = await addPerson(realm, username)
  return { ...person, key: await addKey(realm, person.userId) }
}

const open = () => createBrowser(realm.node.url)

async function answerIn(browser: Browser, key: SoftwareAuthenticator, answering: Answering = {}) {
  const { options, passkeyChallenge } = await askForPasskey(browser, realm)
  return { passkeyChallenge, assertion: JSON.stringify(key.answer(options, answering)) }
}

async function isRefused(browser: Browser, form: Record<string, string>, at = realm): Promise<void> {
  expect((await step(browser, at, form)).status).toBe(401)
  expect(isSignedIn(browser, at)).toBe(false)
}

describe('S44: a passkey as the only factor', () => {
  test('signs its person in, as strongly as it gets', async () => {
    const { key, userId } = await addHolder('ada')
    const browser = open()
    expect((await step(browser, realm, await answerIn(browser, key))).body).toMatchObject({ userId })
    const { body } = await browser.get(`/admin/realms/${realm.realmId}/whoami`)
    expect(body).toMatchObject({ username: 'ada', acr: 'urn:gatehouse:acr:3' })
  })

  test('answers each challenge once, on one of two requests at the same time, too', async () => {
    const { key, userId } = await addHolder('once')
    const browser = open()
    const form = await answerIn(browser, key)
    const answers = await Promise.all([step(browser, realm, form), step(browser, realm, form)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
    const replay = open()
    replay.cookies.set('gatehouse_browser', browser.cookies.get('gatehouse_browser')!)
    await replay.get(`/realms/${realm.realmId}/login`)
    await isRefused(replay, form)
    // Nor does another answer to the same challenge count.
    const { challenge } = JSON.parse(
      Buffer.from(JSON.parse(form.assertion).response.clientDataJSON, 'base64url').toString(),
    )
    const other = key.answer({ challenge, rpId: '127.0.0.1' }, { counter: 9 })
    await isRefused(replay, { ...form, assertion: JSON.stringify(other) })
    expect(await realm.events(`&type=LOGIN_SUCCESS&actor=${userId}`)).toHaveLength(1)
  })

  test('is worth nothing with the challenge of another browser or another realm', async () => {
    const { key } = await addHolder('elsewhere')
    const browser = open()
    const form = await answerIn(browser, key)
    const thief = open()
    await thief.get(`/realms/${realm.realmId}/login`)
    await isRefused(thief, form)
    const { passkeyChallenge } = await askForPasskey(thief, realm)
    await isRefused(thief, { ...form, passkeyChallenge })
    const other = await createRealmFor()
    await isRefused(browser, form, other)
    const asked = await askForPasskey(browser, other)
    const { passkeyChallenge: foreign } = asked
    await isRefused(browser, { ...form, passkeyChallenge: foreign })
    await isRefused(browser, { passkeyChallenge: foreign, assertion: JSON.stringify(key.answer(asked.options)) })
    await isRefused(browser, { ...form, passkeyChallenge: 'made-up' })
    expect((await step(browser, realm, form)).status).toBe(200)
  })

  const lies: [string, Answering][] = [
    ['from another origin', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['without making sure who holds it', { userVerified: false }],
    ['without anybody present', { userPresent: false }],
    ['for a registration', { type: 'webauthn.create' }],
    ['in a frame of another site', { crossOrigin: true }],
    ['without naming the person', { userHandle: null }],
    ['naming somebody else', { userHandle: 'A'.repeat(43) }],
  ]
  test.each(lies)('is refused %s', async (lie, answering) => {
    const { key } = await addHolder(`lie-${lie.replaceAll(' ', '-')}`.slice(0, 40))
    const browser = open()
    await isRefused(browser, await answerIn(browser, key, answering))
    await must(step(browser, realm, await answerIn(browser, key)), 200)
  })

  test('is refused when its person is disabled or locked, or the key was removed', async () => {
    const { key, userId } = await addHolder('gone')
    const browser = open()
    for (const member of [{ enabled: false }, { locked: true }]) {
      const form = await answerIn(browser, key)
      await must(realm.call('PATCH', `/users/${userId}`, member), 200)
      await isRefused(browser, form)
      await must(realm.call('PATCH', `/users/${userId}`, { enabled: true, locked: false }), 200)
    }
    const form = await answerIn(browser, key)
    const credentials = (await realm.call('GET', `/users/${userId}/credentials`)).body
    const { id } = credentials.find(({ type }: { type: string }) => type === 'webauthn')
    await must(realm.call('DELETE', `/users/${userId}/credentials/webauthn/${id}`), 204)
    await isRefused(browser, form)
  })
})

describe('S44: a security key as the second factor', () => {
  test('answers one challenge of its own sign-in, and only its person’s key does', async () => {
    const { key, userId } = await addHolder('second')
    const { key: foreign } = await addHolder('neighbour')
    const first = await passPassword(realm, 'second')
    const other = await passPassword(realm, 'second')
    const assertion = (options: object, of = key) => JSON.stringify(of.answer(options))
    const send = ({ browser, challengeId }: typeof first, text: string) =>
      step(browser, realm, { challengeId, assertion: text })
    expect((await send(first, assertion(other.answer.body.options))).status).toBe(401)
    const { options } = (await step(first.browser, realm, { challengeId: first.challengeId })).body
    expect((await send(first, assertion(options, foreign))).status).toBe(401)
    // That was its one answer: the challenge is another one now.
    expect((await send(first, assertion(options))).status).toBe(401)
    expect(isSignedIn(first.browser, realm)).toBe(false)
    const now = (await step(first.browser, realm, { challengeId: first.challengeId })).body
    const answers = await Promise.all([1, 2].map(() => send(first, assertion(now.options))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await realm.events(`&type=LOGIN_SUCCESS&actor=${userId}`)).toHaveLength(1)
  })
})

describe('S44: a new key', () => {
  async function reachRegistration(username: string) {
    const { userId } = await addPerson(realm, username)
    await must(realm.call('PUT', `/users/${userId}/required-actions`, ['REGISTER_WEBAUTHN']), 200)
    return { userId, ...(await passPassword(realm, username)) }
  }
  const keysOf = async (userId: string) =>
    (await realm.call('GET', `/users/${userId}/credentials`)).body.filter(
      ({ type }: { type: string }) => type === 'webauthn',
    )

  test('is registered by the challenge of its own sign-in, and by it once', async () => {
    const own = await reachRegistration('register')
    const other = await reachRegistration('other')
    const send = (options: object, key = newKey(realm)) =>
      step(own.browser, realm, { challengeId: own.challengeId, assertion: JSON.stringify(key.register(options)) })
    expect((await send(other.answer.body.options)).status).toBe(401)
    expect(await keysOf(own.userId)).toEqual([])
    // The failed answer used the challenge up.
    expect((await send(own.answer.body.options)).status).toBe(401)
    expect(await keysOf(own.userId)).toEqual([])
    const { options } = (await step(own.browser, realm, { challengeId: own.challengeId })).body
    await Promise.all([send(options), send(options), send(options)])
    expect(await keysOf(own.userId)).toHaveLength(1)
    expect(isSignedIn(own.browser, realm)).toBe(true)
  })

  test('is registered once by one challenge where another step follows, too', async () => {
    const { userId } = await addPerson(realm, 'followed')
    const actions = ['REGISTER_WEBAUTHN', 'CONFIGURE_RECOVERY_CODES']
    await must(realm.call('PUT', `/users/${userId}/required-actions`, actions), 200)
    const { browser, answer, challengeId } = await passPassword(realm, 'followed')
    const register = () => JSON.stringify(newKey(realm).register(answer.body.options))
    const tries = Array.from({ length: 6 }, () => step(browser, realm, { challengeId, assertion: register() }))
    await Promise.all(tries)
    expect(await keysOf(userId)).toHaveLength(1)
  })
})
