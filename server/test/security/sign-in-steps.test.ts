// S39: whatever is sent to a waiting sign-in except what it waits for, nobody gets in and nothing is gained.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  addPerson,
  addTotp,
  type Browser,
  createBrowser,
  createRealmFor,
  must,
  passPassword,
  startTestNode,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'
import { stands } from './sign-in-stands.ts'
import type { Form, RealmName, Stand, Waiting } from './sign-in-waiting.ts'
import { twinOf } from './two-nodes.ts'

let node: TestNode
/** On the same database, with its clock past the life of a sign-in. */
let later: TestNode
const aheadMs = 31 * 60_000
let realms: Record<RealmName, TestRealm>
let foreign: TestRealm
/** Somebody half way into their own sign-in, in each realm. */
let strangers: Record<RealmName, { browser: Browser; id: string; code(): string }>

const alternative = (authenticator: string) => ({ authenticator, requirement: 'ALTERNATIVE' })
const required = (authenticator: string) => ({ authenticator, requirement: 'REQUIRED' })

beforeAll(async () => {
  const worker = { GATEHOUSE_WORKER: 'false' }
  node = await startTestNode({ env: worker })
  const database = { url: node.databaseUrl, adminUrl: node.adminDatabaseUrl }
  later = await startTestNode({ database, env: { ...worker, GATEHOUSE_BASE_URL: node.url } })
  later.clock.advance(aheadMs)
  const open = async (settings: object, steps?: object[]) => {
    const realm = await createRealmFor({ node })
    // Nothing is delivered here: a realm that could send offers what needs it.
    const config = { url: 'https://messages.example.org/send' }
    for (const channel of ['EMAIL', 'SMS'])
      await must(realm.call('PUT', '/messaging/providers', { channel, driver: 'http', config }), 200)
    if (steps) await must(realm.call('PUT', '/flow', { steps }), 200)
    // A built-in flow is another one once it was saved, though it says the same.
    for (const path of ['/flow', '/flows/step-up', '/flows/reset-credentials']) await changeFlow(realm, path)
    await must(realm.call('PUT', '/settings', settings), 200)
    return realm
  }
  realms = {
    plain: await open({}),
    sent: await open({ mfaPolicy: { allowed: ['sms', 'email'] } }),
    strict: await open({ mfaPolicy: { mode: 'REQUIRED', allowed: ['totp', 'webauthn'] } }),
    named: await open({}, [required('username'), required('password')]),
    linked: await open({}, [
      { requirement: 'REQUIRED', steps: [alternative('username-password'), alternative('magic-link')] },
    ]),
  }
  foreign = await createRealmFor({ node })
  const entries = await Promise.all(
    Object.entries(realms).map(async ([name, realm]) => [name, await openStranger(realm)] as const),
  )
  strangers = Object.fromEntries(entries) as typeof strangers
}, 60_000)
afterAll(async () => {
  await later?.stop()
  await node?.stop()
})

async function openStranger(realm: TestRealm) {
  const { userId } = await addPerson(realm, 'mallory')
  const code = await addTotp(realm, userId)
  const browser = createBrowser(realm.node.url)
  await browser.get(`/realms/${realm.realmId}/login`)
  const { challengeId } = await passPassword(realm, 'mallory', browser)
  return { browser, id: challengeId, code }
}

type As = 'form' | 'json'

function post(browser: Browser, realm: TestRealm, form: Form, as: As = 'form', path = '/login'): Promise<Answer> {
  const content = { _csrf: browser.csrf(), ...form }
  return browser.send('POST', `/realms/${realm.realmId}${path}`, {
    ...(as === 'form' ? { form: content } : { json: content }),
    headers: { accept: 'application/json' },
  })
}

/** Everything that a sign-in could gain a person, in one look. */
function gains(realm: TestRealm, { userId }: { userId: string }) {
  return realm.run(async ({ tx, realmId }) => {
    const own = { realm_id: realmId, user_id: userId }
    const credentials = await tx
      .selectFrom('credentials')
      .select(['id', 'details', 'secret_hash'])
      .where((eb) => eb.and(own))
      .execute()
    return {
      // An app that waits for its first code is none yet.
      credentials: credentials.filter(({ details }) => !(details as { pending?: boolean }).pending),
      sessions: await tx
        .selectFrom('sessions')
        .select(['id', 'proofs'])
        .where((eb) => eb.and(own))
        .execute(),
      devices: await tx
        .selectFrom('trusted_devices')
        .select('id')
        .where((eb) => eb.and(own))
        .execute(),
      user: await tx
        .selectFrom('users')
        .select(['email', 'email_verified', 'required_actions', 'terms_accepted_at', 'last_login_at'])
        .where((eb) => eb.and({ realm_id: realmId, id: userId }))
        .executeTakeFirst(),
      entries: await tx
        .selectFrom('audit_events')
        .select('id')
        .where((eb) => eb.and({ realm_id: realmId, actor: userId }))
        .where('type', 'in', ['LOGIN_SUCCESS', 'STEP_UP', 'CREDENTIAL_ADDED'])
        .execute(),
    }
  })
}

const sessionOf = (browser: Browser, realm: TestRealm) => browser.cookies.get(`gatehouse_session_${realm.realmId}`)

/** What fields of all steps together look like. */
const everything = (username: string): Form => ({
  username,
  password: adminPassword,
  newPassword: 'a-brand-new-password-9',
  confirmPassword: 'a-brand-new-password-9',
  accept: 'true',
  saved: 'true',
  code: '123456',
  assertion: '{"id":"x"}',
  passkeyChallenge: 'x',
  linkToken: 'x'.repeat(43),
  email: 'mallory@example.org',
  firstName: 'M',
  lastName: 'M',
  phone: '+4930123999',
  rememberMe: 'true',
  trustDevice: 'true',
})
const without = (form: Form, names: string[]) =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !names.includes(name)))

interface Misuse {
  name: string
  /** Sends what it sends, and returns the browsers that it was sent from. */
  run(waiting: Waiting, stand: Stand, realm: TestRealm, as: As): Promise<Browser[]>
}

const send = (name: string, forms: (waiting: Waiting, stand: Stand) => Form[]): Misuse => ({
  name,
  async run(waiting, stand, realm, as) {
    for (const form of forms(waiting, stand)) await post(waiting.browser, realm, form, as)
    return [waiting.browser]
  },
})

const misuses: Misuse[] = [
  send('an empty request', () => [{}]),
  send('the id alone', ({ id }): Form[] => [{ challengeId: id }, { signIn: id }]),
  send('each field of another step alone', ({ id, person }, { own }) =>
    Object.entries(without(everything(person.username), own)).map(([name, value]) => ({
      challengeId: id,
      [name]: value,
    })),
  ),
  send('the fields of every other step at once', ({ id, person }, { own }) => [
    { challengeId: id, ...without(everything(person.username), own) },
  ]),
  send('empty fields of its own', ({ id }, { own }) => [
    { challengeId: id, ...Object.fromEntries(own.map((name) => [name, ''])) },
  ]),
  send('the steps before once more', ({ id, earlier }, { own }) =>
    earlier.map((form) => ({ challengeId: id, ...without(form, own) })),
  ),
  send('a method that is not offered', ({ id, methods }) =>
    ['totp', 'webauthn', 'sms', 'email', 'recovery-codes', 'device', 'password', 'allow', 'cookie', 'x'.repeat(5000)]
      .filter((method) => !methods.includes(method))
      .map((method) => ({ challengeId: id, method })),
  ),
  send('every method that is offered', ({ id, methods }) => methods.map((method) => ({ challengeId: id, method }))),
  {
    name: 'what would end it, from another browser',
    async run(waiting, _stand, realm, as) {
      const thief = createBrowser(realm.node.url)
      await thief.get(`/realms/${realm.realmId}/login`)
      for (const { path, form } of await waiting.finish()) await post(thief, realm, form, as, path)
      return [thief]
    },
  },
  {
    name: 'what would end it, in another realm',
    async run(waiting, _stand, _realm, as) {
      const twin = createBrowser(foreign.node.url)
      const own = [...waiting.browser.cookies].filter(([name]) => !name.includes('session'))
      for (const [name, value] of own) twin.cookies.set(name, value)
      await twin.get(`/realms/${foreign.realmId}/login`)
      for (const { path, form } of await waiting.finish()) await post(twin, foreign, form, as, path)
      expect(sessionOf(twin, foreign)).toBeUndefined()
      return [twin]
    },
  },
  {
    name: 'the own proofs of somebody else who is signing in',
    async run(waiting, stand, realm, as) {
      const { browser, code } = strangers[stand.realm]
      const forms: Form[] = [{ code: code() }, { username: 'mallory', password: adminPassword }]
      for (const form of forms) await post(browser, realm, { challengeId: waiting.id, ...form }, as)
      return [browser]
    },
  },
]

/** The flow is another one for a moment; then it is as it was. */
async function changeFlow(realm: TestRealm, path = '/flow', meanwhile = async () => {}): Promise<void> {
  const { steps } = (await must(realm.call('GET', path), 200)).body
  const idle = { authenticator: 'allow', requirement: 'DISABLED' }
  await must(realm.call('PUT', path, { steps: [...steps, idle] }), 200)
  await meanwhile()
  await must(realm.call('PUT', path, { steps }), 200)
}

describe.each(stands)('S39: a sign-in that waits for $name', (stand) => {
  test('goes nowhere by anything else, and then on by what it waits for, once', { timeout: 60_000 }, async () => {
    const realm = realms[stand.realm]
    const waiting = await stand.arrive(realm)
    const before = await gains(realm, waiting.person)
    const cookie = sessionOf(waiting.browser, realm)
    for (const { name, run } of misuses) {
      for (const as of ['form', 'json'] as const) {
        const browsers = await run(waiting, stand, realm, as)
        const cookies = browsers.map((browser) => sessionOf(browser, realm))
        expect({ name, as, cookies }).toEqual({
          name,
          as,
          cookies: browsers.map((browser) => (browser === waiting.browser ? cookie : undefined)),
        })
        expect({ name, as, ...(await gains(realm, waiting.person)) }).toEqual({ name, as, ...before })
      }
    }
    const forms = await waiting.finish()
    await changeFlow(realm, stand.flow, async () => {
      for (const { path, form } of forms) await post(waiting.browser, realm, form, 'form', path)
      expect(await gains(realm, waiting.person)).toEqual(before)
    })
    await finishWell(realm, waiting, cookie)
  })

  test('ends when it is too old, and when the person is disabled or locked', { timeout: 60_000 }, async () => {
    const realm = realms[stand.realm]
    const waiting = await stand.arrive(realm)
    const old = twinOf(waiting.browser, later.url)
    const state = await gains(realm, waiting.person)
    for (const { path, form } of await waiting.finish(aheadMs)) await post(old, realm, form, 'form', path)
    expect(sessionOf(old, realm)).toBe(sessionOf(waiting.browser, realm))
    expect(await gains(realm, waiting.person)).toEqual(state)
    const forms = await waiting.finish()
    for (const member of [{ enabled: false }, { locked: true }]) {
      const path = `/users/${waiting.person.userId}`
      await must(realm.call('PATCH', path, member), 200)
      const before = await gains(realm, waiting.person)
      const cookie = sessionOf(waiting.browser, realm)
      for (const { path: at, form } of forms) {
        const answer = await post(waiting.browser, realm, form, 'form', at)
        expect(answer.body?.secret ?? answer.body?.codes ?? answer.body?.options).toBeUndefined()
      }
      expect(sessionOf(waiting.browser, realm)).toBe(cookie)
      expect(await gains(realm, waiting.person)).toEqual(before)
      await must(realm.call('PATCH', path, { enabled: true, locked: false }), 200)
    }
  })
})

async function finishWell(realm: TestRealm, waiting: Waiting, cookie: string | undefined): Promise<void> {
  const { browser, person } = waiting
  const forms = await waiting.finish()
  for (const { path, form } of forms) await post(browser, realm, form, 'form', path)
  expect(sessionOf(browser, realm)).toMatch(/^[\w-]{43}$/)
  expect(sessionOf(browser, realm)).not.toBe(cookie)
  const after = await gains(realm, person)
  // Sent again it is worth nothing: not here, and not where the session is not known.
  const replay = createBrowser(realm.node.url)
  for (const [name, value] of browser.cookies) if (!name.includes('session')) replay.cookies.set(name, value)
  await replay.get(`/realms/${realm.realmId}/login`)
  for (const again of [browser, replay])
    for (const { path, form } of forms) await post(again, realm, form, 'form', path)
  expect(sessionOf(replay, realm)).toBeUndefined()
  expect(await gains(realm, person)).toEqual(after)
}
