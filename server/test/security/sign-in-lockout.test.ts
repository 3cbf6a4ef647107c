// S40: second factors are counted before they are looked at, on all nodes together, each kind by itself.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  addTotp,
  type Browser,
  createBrowser,
  createRealmFor,
  isSignedIn,
  must,
  passPassword,
  type Person,
  step,
  type TestNode,
} from '../harness/index.ts'
import { issueToken } from '../../src/domain/one-time-secrets/index.ts'
import { addKey } from '../harness/authenticator.ts'
import { atOnce, openPair, type Pair, startSecondNode, twinOf } from './two-nodes.ts'

const maxFailures = 5
let second: TestNode
let pair: Pair
beforeAll(async () => {
  second = await startSecondNode()
  pair = await openPair(second)
  const bruteForce = { maxFailures, perIpMaxPerMinute: 10_000 }
  await must(pair.realm.call('PUT', '/settings', { bruteForce }), 200)
})
afterAll(() => second?.stop())

const provider = { channel: 'EMAIL', driver: 'http', config: { url: 'https://messages.example.org/send' } }
const codeForm = (code: string, method = 'totp') => ({ method, code })
const lockedOf = async ({ userId }: Person) => (await pair.realm.call('GET', `/users/${userId}`)).body.locked

/** Counts what is looked at on both nodes: each sealed secret that is opened, each assertion that the library refuses. */
function countLooks(): { looks: number; stop(): void } {
  const counter = { looks: 0, stop: () => undo.forEach((put) => put()) }
  const undo = [pair.realm.node, second].flatMap(({ services }) => {
    const { open } = services.sealer
    const { debug } = services.log
    services.sealer.open = (sealed, place) => {
      if (place.startsWith('credentials:')) counter.looks += 1
      return open(sealed, place)
    }
    services.log.debug = ((...line: Parameters<typeof debug>) => {
      if (line[1] === 'a passkey was refused') counter.looks += 1
      return debug.apply(services.log, line)
    }) as typeof debug
    return [() => (services.sealer.open = open), () => (services.log.debug = debug)]
  })
  return counter
}

/** 200 tries at once, by turns to each node, all in one sign-in. */
async function tryOften(browser: Browser, challengeId: string, form: Record<string, string>) {
  const twins = pair.bases.map((base) => [base, twinOf(browser, base)] as const)
  const byBase = new Map(twins)
  return atOnce(pair, 200, (base) => step(byBase.get(base)!, pair.realm, { challengeId, ...form }))
}

async function unlock({ userId }: Person): Promise<void> {
  await must(pair.realm.call('PATCH', `/users/${userId}`, { locked: false }), 200)
  const [event] = await pair.realm.events('&type=USER_UNLOCKED')
  expect(event).toMatchObject({ resourceId: userId, outcome: 'SUCCESS' })
}

describe('S40: 200 tries at once on two nodes', () => {
  test('of an app are looked at no more often than the limit; then the right code is refused, too', async () => {
    const person = await addPerson(pair.realm, 'app')
    const code = await addTotp(pair.realm, person.userId)
    const { browser, challengeId } = await passPassword(pair.realm, 'app')
    const counter = countLooks()
    const answers = await tryOften(browser, challengeId, codeForm('000000'))
    counter.stop()
    expect(answers.every(({ status }) => status === 401)).toBe(true)
    // One that is counted when the lock falls is not looked at any more.
    expect(counter.looks).toBeLessThanOrEqual(maxFailures)
    expect(counter.looks).toBeGreaterThan(0)
    expect(await lockedOf(person)).toBe(true)
    expect((await step(browser, pair.realm, { challengeId, ...codeForm(code()) })).status).toBe(401)
    expect((await passPassword(pair.realm, 'app')).answer.status).toBe(401)
    await unlock(person)
    const again = await passPassword(pair.realm, 'app')
    await must(step(again.browser, pair.realm, { challengeId: again.challengeId, ...codeForm(code()) }), 200)
    expect(isSignedIn(again.browser, pair.realm)).toBe(true)
  })

  test('of a security key are looked at no more often than the limit', async () => {
    const person = await addPerson(pair.realm, 'key')
    const key = await addKey(pair.realm, person.userId)
    const { browser, answer, challengeId } = await passPassword(pair.realm, 'key')
    const assertion = JSON.stringify(key.answer(answer.body.options, { origin: 'https://evil.example' }))
    const counter = countLooks()
    await tryOften(browser, challengeId, { assertion })
    counter.stop()
    // Each look ends the challenge for whoever comes after it, so there may be fewer.
    expect(counter.looks).toBeGreaterThan(0)
    expect(counter.looks).toBeLessThanOrEqual(maxFailures)
    for (let at = counter.looks; at <= maxFailures; at++) {
      const { options } = (await step(browser, pair.realm, { challengeId })).body
      if (!options) break
      const wrong = JSON.stringify(key.answer(options, { origin: 'https://evil.example' }))
      await step(browser, pair.realm, { challengeId, assertion: wrong })
    }
    expect(await lockedOf(person)).toBe(true)
    const { body } = await step(browser, pair.realm, { challengeId })
    expect(body.options).toBeUndefined()
    expect((await passPassword(pair.realm, 'key')).answer.status).toBe(401)
  })

  test('of recovery codes lock the person, and a code that was never used is refused while it lasts', async () => {
    const person = await addPerson(pair.realm, 'codes')
    await addTotp(pair.realm, person.userId)
    const path = `/users/${person.userId}/credentials`
    const { codes } = (await must(pair.realm.call('POST', path, { type: 'recovery-codes' }), 201)).body
    const { browser, challengeId } = await passPassword(pair.realm, 'codes')
    await tryOften(browser, challengeId, codeForm('AAAAA-AAAAA-AAAAA', 'recovery-codes'))
    expect(await lockedOf(person)).toBe(true)
    const tries = await tryOften(browser, challengeId, codeForm(codes[0], 'recovery-codes'))
    expect(tries.some(({ status }) => status === 200)).toBe(false)
    await unlock(person)
    const again = await passPassword(pair.realm, 'codes')
    const form = codeForm(codes[0], 'recovery-codes')
    await must(step(again.browser, pair.realm, { challengeId: again.challengeId, ...form }), 200)
  })
})

describe('S40: the counter of a second factor', () => {
  test('goes on through new sign-ins, and a right password does not start it anew', async () => {
    const person = await addPerson(pair.realm, 'fresh')
    await addTotp(pair.realm, person.userId)
    const counter = countLooks()
    for (let at = 0; at < maxFailures; at++) {
      expect(await lockedOf(person)).toBe(false)
      const { browser, challengeId } = await passPassword(pair.realm, 'fresh')
      await step(browser, pair.realm, { challengeId, ...codeForm('000000') })
    }
    expect(await lockedOf(person)).toBe(true)
    expect((await passPassword(pair.realm, 'fresh')).answer.status).toBe(401)
    counter.stop()
    expect(counter.looks).toBe(maxFailures)
  })

  test('starts anew with a right code, which leaves the count of passwords alone', async () => {
    const person = await addPerson(pair.realm, 'apart')
    const code = await addTotp(pair.realm, person.userId)
    const { browser, challengeId } = await passPassword(pair.realm, 'apart')
    const guess = () => createBrowser(pair.realm.node.url).login(pair.realm.realmId, 'apart', 'wrong-password')
    for (let at = 1; at < maxFailures; at++) await guess()
    await must(step(browser, pair.realm, { challengeId, ...codeForm(code()) }), 200)
    await guess()
    expect(await lockedOf(person)).toBe(true)
  })

  test('is out of reach for whoever does not know the password', async () => {
    const person = await addPerson(pair.realm, 'victim')
    await addTotp(pair.realm, person.userId)
    const stranger = createBrowser(pair.realm.node.url)
    await stranger.get(`/realms/${pair.realm.realmId}/login`)
    for (let at = 0; at < 2 * maxFailures; at++)
      await step(stranger, pair.realm, { username: 'victim', ...codeForm('000000') })
    const counters = await pair.realm.run(({ tx, realmId }) =>
      tx
        .selectFrom('sign_in_attempts')
        .selectAll()
        .where('realm_id', '=', realmId)
        .where('subject', '=', `user:${person.userId}`)
        .execute(),
    )
    expect(counters).toEqual([])
    expect(await lockedOf(person)).toBe(false)
  })

  test('counts for the address as well, so that it does not go from person to person', async () => {
    const { realm } = pair
    const crowd = await createRealmFor()
    await must(crowd.call('PUT', '/settings', { bruteForce: { maxFailures: 50, perIpMaxPerMinute: 6 } }), 200)
    await addTotp(crowd, (await addPerson(crowd, 'one')).userId)
    await addPerson(crowd, 'two')
    const { browser, challengeId } = await passPassword(crowd, 'one')
    for (let at = 0; at < 6; at++) await step(browser, crowd, { challengeId, ...codeForm('000000') })
    expect((await passPassword(crowd, 'two')).answer.status).toBe(429)
    expect((await passPassword(realm, 'admin')).answer.status).toBe(200)
  })
})

describe('S40: a lock', () => {
  test('that a link by mail lifts is lifted in the audit trail, too, and an administrator’s stays', async () => {
    const { realm } = pair
    const person = await addPerson(realm, 'forgot')
    await must(realm.call('PUT', '/messaging/providers', provider), 200)
    const lock = async () => {
      for (let at = 0; at < maxFailures; at++)
        await createBrowser(realm.node.url).login(realm.realmId, 'forgot', 'wrong-password')
      expect(await lockedOf(person)).toBe(true)
    }
    const follow = async (purpose: 'RESET_PASSWORD' | 'ACTIONS', path: string, form: Record<string, string>) => {
      const details = { actions: ['TERMS_AND_CONDITIONS'] }
      const issue = { purpose, subject: person.userId, boundTo: null, ttlMs: 60_000, details }
      const token = await realm.run((ctx) => issueToken(ctx, { ...issue, sealed: 'forgot@example.org' }))
      const browser = createBrowser(realm.node.url)
      const url = `/realms/${realm.realmId}${path}`
      await browser.get(url)
      const headers = { accept: 'application/json' }
      const { body } = await browser.send('POST', url, { form: { _csrf: browser.csrf(), token }, headers })
      if (body) await step(browser, realm, { challengeId: body.challengeId, ...form })
      return isSignedIn(browser, realm)
    }
    const reset = () => follow('RESET_PASSWORD', '/reset-password', { newPassword: 'another-good-pass-71' })
    await lock()
    expect(await reset()).toBe(true)
    await lock()
    expect(await follow('ACTIONS', '/login/actions', { accept: 'true' })).toBe(true)
    expect(await lockedOf(person)).toBe(false)
    const events = await realm.events(`&type=USER_UNLOCKED&actor=${person.userId}`)
    expect(events.map(({ resourceId }) => resourceId)).toEqual([person.userId, person.userId])
    await must(realm.call('PATCH', `/users/${person.userId}`, { locked: true }), 200)
    expect(await reset()).toBe(false)
    expect(await lockedOf(person)).toBe(true)
  })
})
