// S12, S37, S39, S40, S41: what a session or a device lends to another sign-in is no more than it has itself, no newer, and gone
// when it is gone. Of somebody with a stolen session, with the password, or with a telephone that was taken back.
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { takeApproval } from '../../src/domain/device-approvals/index.ts'
import { createSession } from '../../src/domain/sessions/index.ts'
import { issueEnrollment } from '../../src/domain/devices/index.ts'
import { sealArrival } from '../../src/domain/sign-in/index.ts'
import {
  addDevice,
  addPerson,
  addTotp,
  authorize,
  type Browser,
  createBrowser,
  createClientIn,
  createDevice,
  createRealmFor,
  isSignedIn,
  must,
  openPage,
  passPassword,
  type Person,
  readPage,
  redeem,
  startTestNode,
  step,
  submit,
  type TestDevice,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { twinOf } from './two-nodes.ts'

const hourMs = 3_600_000
const newPassword = 'another-Passw0rd!x'
const maxFailures = 5

let node: TestNode
/** The same service and database, behind the same address. */
let second: TestNode
/** Second factors by push. */
let pushing: TestRealm
/** A QR code beside the password. */
let reading: TestRealm

const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

beforeAll(async () => {
  const env = { GATEHOUSE_WORKER: 'false' }
  node = await startTestNode({ env })
  const database = { url: node.databaseUrl, adminUrl: node.adminDatabaseUrl }
  second = await startTestNode({ database, env: { ...env, GATEHOUSE_BASE_URL: node.url } })
  ;[pushing, reading] = [await createRealmFor({ node }), await createRealmFor({ node })]
  const bruteForce = { maxFailures, perIpMaxPerMinute: 10_000 }
  for (const each of [pushing, reading]) await must(each.call('PUT', '/settings', { bruteForce }), 200)
  const config = { projectId: 'example-1', clientEmail: 'push@example-1.iam.gserviceaccount.com' }
  const secret = key.export({ format: 'pem', type: 'pkcs8' }).toString()
  await must(pushing.call('PUT', '/messaging/providers', { channel: 'PUSH', driver: 'fcm', config, secret }), 200)
  const first = ['username-password', 'qr'].map((authenticator) => ({ authenticator, requirement: 'ALTERNATIVE' }))
  await must(reading.call('PUT', '/flow', { steps: [{ requirement: 'REQUIRED', steps: first }] }), 200)
}, 60_000)
afterAll(async () => {
  await second?.stop()
  await node?.stop()
})

const pathOf = (at: TestRealm, rest: string) => `/realms/${at.realmId}${rest}`
let people = 0
const addSomebody = (at: TestRealm) => addPerson(at, `somebody-${(people += 1)}`)

/** A session that somebody began long ago, in whoever's hands it is now. */
async function sessionOf(at: TestRealm, { userId }: Person, methods = ['password'], age = 9 * hourMs) {
  const session = await at.run((ctx) => {
    const proofs = methods.map((method) => ({ method, at: ctx.now - age }))
    const seconds = { idleSeconds: 36_000, maxSeconds: 36_000 }
    return createSession({ ...ctx, now: ctx.now - age }, { userId, proofs, rememberMe: false, ...seconds })
  })
  const browser = createBrowser(node.url)
  browser.cookies.set(`gatehouse_session_${at.realmId}`, session.token)
  await browser.get(pathOf(at, '/push'))
  return { browser, id: session.id, expiresAt: session.expiresAt }
}

interface Pushed {
  person: Person
  device: TestDevice
}
async function addPushed(): Promise<Pushed> {
  const person = await addSomebody(pushing)
  const push = { driver: 'fcm', pushToken: `token-of-a-telephone-${person.username}` }
  return { person, device: await addDevice(pushing, person.userId, push) }
}

async function findQuestion({ device }: Pushed): Promise<{ id: string; needsSignature: boolean }> {
  return (await must(device.send('GET', pathOf(pushing, '/push')), 200)).body[0]
}

describe('a session with one factor', () => {
  test('does not raise itself by answering its own question', async () => {
    const pushed = await addPushed()
    const { browser, id: sessionId } = await sessionOf(pushing, pushed.person)
    const arrival = { path: pathOf(pushing, '/account'), username: '', level: 2 as const, fresh: false }
    const sealed = sealArrival(node.services, pushing.realmId, arrival)
    const page = await openPage(browser, `${pathOf(pushing, '/login')}?arrival=${sealed}`)
    const number = Number(/gh-compare-code"[^>]*>(\d+)</.exec(page.answer.text)![1])
    const { id } = await findQuestion(pushed)
    const answered = await browser.write('POST', pathOf(pushing, `/push/${id}/approve`), { number })
    expect([answered.status, answered.body.code]).toEqual([403, 'forbidden'])
    // Nor does its page offer what it cannot do.
    const shown = await browser.get(pathOf(pushing, `/push/${id}`), { headers: { accept: 'text/html' } })
    expect([shown.text.includes('/approve'), shown.text.includes('/deny')]).toEqual([false, true])
    await submit(browser, page, {})
    const [session] = (await pushing.call('GET', `/sessions?userId=${pushed.person.userId}`)).body
    expect([session.id, session.acr]).toEqual([sessionId, 'urn:gatehouse:acr:1'])
  })

  test('is no second factor of another sign-in; one with two factors is', async () => {
    const pushed = await addPushed()
    const weak = await sessionOf(pushing, pushed.person)
    const strong = await sessionOf(pushing, pushed.person, ['password', 'totp'])
    const { browser, answer, challengeId } = await passPassword(pushing, pushed.person.username)
    const { id } = await findQuestion(pushed)
    const approve = (by: Browser) => by.write('POST', pathOf(pushing, `/push/${id}/approve`), answer.body)
    const send = (by: Browser) =>
      by.write('POST', pathOf(pushing, `/push/${id}/approve`), { number: answer.body.number as number })
    expect((await approve(weak.browser)).status).toBeGreaterThanOrEqual(400)
    expect((await send(weak.browser)).status).toBe(403)
    expect((await step(browser, pushing, { challengeId })).body.waiting).toBe(true)
    expect((await send(strong.browser)).body.status).toBe('APPROVED')
    expect((await step(browser, pushing, { challengeId })).body.userId).toBe(pushed.person.userId)
  })
})

test('a yes is taken up by the sign-in that asked, once', async () => {
  const pushed = await addPushed()
  const strong = await sessionOf(pushing, pushed.person, ['password', 'totp'])
  const { answer, challengeId: signInId } = await passPassword(pushing, pushed.person.username)
  const { id } = await findQuestion(pushed)
  const take = (asked: { id: string; signInId: string }, at = pushing) => at.run((ctx) => takeApproval(ctx, asked))
  expect(await take({ id, signInId })).toBeNull()
  const { number } = answer.body
  await must(strong.browser.write('POST', pathOf(pushing, `/push/${id}/approve`), { number }), 200)
  expect(await take({ id, signInId: randomUUID() })).toBeNull()
  expect(await take({ id, signInId }, reading)).toBeNull()
  expect(await take({ id, signInId })).toMatchObject({ userId: pushed.person.userId })
  expect(await take({ id, signInId })).toBeNull()
  const other = await passPassword(pushing, pushed.person.username)
  const refused = await findQuestion(pushed)
  await must(strong.browser.write('POST', pathOf(pushing, `/push/${refused.id}/deny`), {}), 200)
  expect(await take({ id: refused.id, signInId: other.challengeId })).toBeNull()
})

describe('a yes counts no more', () => {
  test('once the device that said it was removed', async () => {
    const { person, device } = await addPushed()
    const { browser, answer, challengeId } = await passPassword(pushing, person.username)
    const { number } = answer.body
    const { id } = await findQuestion({ person, device })
    const { deviceId } = device
    const signature = await device.state({ push: id, decision: 'APPROVE', number })
    await must(device.send('POST', pathOf(pushing, `/push/${id}/approve`), { number, deviceId, signature }), 200)
    // Another device keeps the second factor in place.
    await addDevice(pushing, person.userId)
    await must(pushing.call('DELETE', `/users/${person.userId}/credentials/device/${deviceId}`), 204)
    expect((await step(browser, pushing, { challengeId })).status).toBe(401)
    expect(isSignedIn(browser, pushing)).toBe(false)
  })

  test('once the person was locked, also when the lock is lifted', async () => {
    const { person, device } = await addPushed()
    const { browser, answer, challengeId } = await passPassword(pushing, person.username)
    const { id } = await findQuestion({ person, device })
    const { number } = answer.body
    const { deviceId } = device
    const signature = await device.state({ push: id, decision: 'APPROVE', number })
    await must(device.send('POST', pathOf(pushing, `/push/${id}/approve`), { number, deviceId, signature }), 200)
    for (const locked of [true, false])
      await must(pushing.call('PUT', `/users/${person.userId}`, { username: person.username, locked }), 200)
    await step(browser, pushing, { challengeId })
    expect(isSignedIn(browser, pushing)).toBe(false)
  })

  test('once the session that said it ended', async () => {
    const pushed = await addPushed()
    const strong = await sessionOf(pushing, pushed.person, ['password', 'totp'])
    const { browser, answer, challengeId } = await passPassword(pushing, pushed.person.username)
    const { id } = await findQuestion(pushed)
    const { number } = answer.body
    await must(strong.browser.write('POST', pathOf(pushing, `/push/${id}/approve`), { number }), 200)
    await must(pushing.call('DELETE', `/sessions/${strong.id}`), 204)
    expect((await step(browser, pushing, { challengeId })).status).toBe(401)
  })
})

describe('a QR code', () => {
  async function show() {
    const browser = createBrowser(node.url)
    await browser.get(pathOf(reading, '/login'))
    const { body } = await must(step(browser, reading, { qr: 'true' }), 200)
    const { challengeId, address } = body
    const look = () => step(browser, reading, { challengeId })
    return { browser, look, challengeId, path: pathOf(reading, `/qr/${address.split('/').at(-1)}`) }
  }
  async function confirm(by: Browser, { path }: { path: string }) {
    await must(by.get(path), 200)
    return must(by.write('POST', `${path}/confirm`, {}), 200)
  }

  test('lends no more time than the session that read it has left, however often', async () => {
    const person = await addSomebody(reading)
    const first = await sessionOf(reading, person)
    let by = first.browser
    for (let turn = 0; turn < 3; turn++) {
      const shown = await show()
      await confirm(by, shown)
      const { body } = await must(shown.look(), 200)
      expect(body.userId).toBe(person.userId)
      expect(body.expiresAt).toBeLessThanOrEqual(first.expiresAt + 1000)
      by = shown.browser
      await by.get(pathOf(reading, '/push'))
    }
  })

  test('is no fresh sign-in: nothing is changed with it that needs one', async () => {
    const person = await addSomebody(reading)
    const { browser } = await sessionOf(reading, person)
    const shown = await show()
    await confirm(browser, shown)
    await must(shown.look(), 200)
    const account = pathOf(reading, '/account/credentials')
    await must(shown.browser.get(account), 200)
    const refused = await shown.browser.write('POST', account, { type: 'totp' })
    expect([refused.status, refused.body.code]).toEqual([401, 'insufficient_user_authentication'])
    // A sign-in of now changes it.
    const own = await passPassword(reading, person.username)
    await own.browser.get(account)
    expect((await own.browser.write('POST', account, { type: 'totp' })).status).toBe(201)
  })

  test('lets somebody in at an application, as of when they signed in themselves; one that asks anew asks on', async () => {
    const person = await addSomebody(reading)
    const age = 2 * hourMs
    const { browser: telephone } = await sessionOf(reading, person, ['password'], age)
    const client = await createClientIn(reading)
    /** To the end of the sign-in by QR code, and as far as it goes from there. */
    async function walk(params: Record<string, string>) {
      const browser = createBrowser(node.url)
      const begun = await authorize(reading, client, { browser, params, stopAtPage: true })
      const code = await submit(browser, readPage(begun.answer), { qr: 'true' })
      await confirm(telephone, { path: pathOf(reading, await newestCode()) })
      const done = await submit(browser, code, {})
      expect(done.answer.status).toBe(303)
      const end = await browser.get(String(done.answer.headers.location), { headers: { accept: 'text/html' } })
      return { end, verifier: begun.verifier }
    }
    const plain = await walk({})
    const params = Object.fromEntries(new URL(String(plain.end.headers.location)).searchParams)
    const tokens = await must(redeem(reading, client, { answer: plain.end, params, verifier: plain.verifier }), 200)
    const { auth_time: at } = decodeJwt(tokens.body.id_token)
    expect(Math.abs(node.clock.now() - age - Number(at) * 1000)).toBeLessThan(60_000)
    const anew = await walk({ prompt: 'login' })
    expect(String(anew.end.headers.location)).toContain('/login?arrival=')
    const late = await walk({ max_age: '600' })
    expect(String(late.end.headers.location)).toContain('/login?arrival=')
  })

  /** Where the code leads that was shown last. */
  async function newestCode(): Promise<string> {
    const { id } = await node.services.db
      .selectFrom('device_approvals')
      .select('id')
      .where('realm_id', '=', reading.realmId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    return `/qr/${id}`
  }

  test('that was confirmed is worth nothing once that session ended or the password changed', async () => {
    const ends: ((person: Person, sessionId: string) => Promise<unknown>)[] = [
      (_person, sessionId) => must(reading.call('DELETE', `/sessions/${sessionId}`), 204),
      ({ userId }) => must(reading.call('PUT', `/users/${userId}/password`, { newPassword }), 204),
      // Also where the administrator leaves the sessions as they are.
      ({ userId }) =>
        must(reading.call('PUT', `/users/${userId}/password`, { newPassword, revokeSessions: false }), 204),
    ]
    for (const end of ends) {
      const person = await addSomebody(reading)
      const { browser, id } = await sessionOf(reading, person)
      const shown = await show()
      await confirm(browser, shown)
      await end(person, id)
      const looked = await shown.look()
      expect(looked.body.userId).toBeUndefined()
      expect(isSignedIn(shown.browser, reading)).toBe(false)
    }
  })

  test('does not carry a sign-in past a new password while it waits for the second factor', async () => {
    const person = await addSomebody(reading)
    const code = await addTotp(reading, person.userId)
    const { browser } = await sessionOf(reading, person)
    const shown = await show()
    await confirm(browser, shown)
    expect((await must(shown.look(), 200)).body).toMatchObject({ mfaRequired: true, method: 'totp' })
    await must(reading.call('PUT', `/users/${person.userId}/password`, { newPassword }), 204)
    const { challengeId } = shown
    expect((await step(shown.browser, reading, { challengeId, code: code(30_000) })).status).toBe(401)
    expect(isSignedIn(shown.browser, reading)).toBe(false)
  })
})

describe('questions without end', () => {
  test('reach the person no more often than the realm allows, from however many browsers and nodes', async () => {
    const { person } = await addPushed()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        passPassword(pushing, person.username, createBrowser(at % 2 ? second.url : node.url)),
      ),
    )
    const waiting = answers.filter(({ answer }) => answer.body?.waiting === true)
    expect(waiting.length).toBeGreaterThan(0)
    expect(waiting.length).toBeLessThanOrEqual(maxFailures)
    // Going from one way of asking to the other and back, at once, asks no more often either.
    const { browser, challengeId } = waiting[0]!
    const twin = twinOf(browser, second.url)
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        step(at % 2 ? twin : browser, pushing, { challengeId, method: at % 4 < 2 ? 'device-key' : 'push' }),
      ),
    )
    const { total } = await node.services.db
      .selectFrom('messages')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('realm_id', '=', pushing.realmId)
      .where('user_id', '=', person.userId)
      .where('template_key', '=', 'approval-push')
      .executeTakeFirstOrThrow()
    expect(total).toBeLessThanOrEqual(maxFailures)
    expect((await pushing.call('GET', `/users/${person.userId}`)).body.locked).toBe(false)
  })

  test('keep nobody from their other factors', async () => {
    const { person } = await addPushed()
    const code = await addTotp(pushing, person.userId)
    for (let turn = 0; turn < maxFailures; turn++) await passPassword(pushing, person.username)
    const { browser, answer, challengeId } = await passPassword(pushing, person.username)
    expect([answer.status, answer.body]).toMatchObject([200, { mfaRequired: true, waiting: false, methods: ['totp'] }])
    const done = await step(browser, pushing, { challengeId, method: 'totp', code: code(30_000) })
    expect(done.body.userId).toBe(person.userId)
  })
})

test('a yes by push is none for the key of the device, nor the other way round', async () => {
  const pushed = await addPushed()
  const { browser, answer, challengeId } = await passPassword(pushing, pushed.person.username)
  const { id } = await findQuestion(pushed)
  const { number } = answer.body
  const strong = await sessionOf(pushing, pushed.person, ['password', 'totp'])
  await must(strong.browser.write('POST', pathOf(pushing, `/push/${id}/approve`), { number }), 200)
  const other = await step(browser, pushing, { challengeId, method: 'device-key' })
  expect(other.body).toMatchObject({ waiting: true, authenticator: 'device-key' })
  expect((await step(browser, pushing, { challengeId })).body.waiting).toBe(true)
  // Back again there is another question: the yes to the first was left behind.
  const back = await step(browser, pushing, { challengeId, method: 'push' })
  expect(back.body).toMatchObject({ waiting: true, authenticator: 'push' })
  expect(isSignedIn(browser, pushing)).toBe(false)
})

test('a request that a device signed counts once on both nodes together', async () => {
  const { device } = await addPushed()
  const headers = { authorization: await device.header('GET', pathOf(pushing, '/push')) }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      createBrowser(at % 2 ? second.url : node.url).get(pathOf(pushing, '/push'), { headers }),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(19)
})

test('an enrolment from before a lock or a new password is over, also when the lock is lifted', async () => {
  for (const end of [
    async ({ userId, username }: Person) => {
      await must(pushing.call('PUT', `/users/${userId}`, { username, locked: true }), 200)
      await must(pushing.call('PUT', `/users/${userId}`, { username, locked: false }), 200)
    },
    ({ userId }: Person) => pushing.call('PUT', `/users/${userId}/password`, { newPassword }),
  ]) {
    const person = await addSomebody(pushing)
    const { enrollmentToken } = await pushing.run((ctx) => issueEnrollment(ctx, person.userId))
    await end(person)
    await expect((await createDevice(pushing)).enroll(enrollmentToken)).rejects.toThrow('401')
  }
})

test('whoever looks how a sign-in stands learns only of their own', async () => {
  const { person } = await addPushed()
  const { browser, challengeId } = await passPassword(pushing, person.username)
  const ask = async (by: Browser, signIn: string, at = pushing) =>
    (await by.get(pathOf(at, `/login/waiting?signIn=${signIn}`))).body
  expect(await ask(browser, challengeId)).toEqual({ state: 'WAITING' })
  const stranger = createBrowser(node.url)
  await stranger.get(pathOf(pushing, '/login'))
  const nothing = await ask(stranger, '0190a0a0-0000-7000-8000-000000000000')
  expect(await ask(stranger, challengeId)).toEqual(nothing)
  expect(await ask(stranger, 'nonsense')).toEqual(nothing)
  expect(await ask(browser, challengeId, reading)).toEqual(nothing)
})
