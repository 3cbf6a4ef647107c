import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addPerson,
  createDevice,
  createRealmFor,
  isSignedIn,
  must,
  openPage,
  passPassword,
  startTestNode,
  step,
  submit,
  type TestNode,
  type TestRealm,
} from '../../../test/harness/index.ts'
import { adminPassword } from '../../../test/harness/realm.ts'
import { createBrowser } from '../../../test/harness/browser.ts'

const minuteMs = 60_000

// A node of its own: time is moved here.
let node: TestNode
let realm: TestRealm
beforeAll(async () => {
  node = await startTestNode()
  realm = await createRealmFor({ node })
})
afterAll(() => node.stop())

/** Somebody who must enrol a device, past the password. */
async function reach(name: string) {
  const { userId } = await addPerson(realm, name, { requiredActions: ['REGISTER_DEVICE'] })
  const { browser, answer, challengeId } = await passPassword(realm, name)
  const look = (more: Record<string, string> = {}) => step(browser, realm, { signIn: challengeId, ...more })
  return { userId, browser, answer, look }
}

const tokenOf = (enrollmentUrl: string) => enrollmentUrl.split('#')[1]!
const enrol = async (enrollmentUrl: string) => (await createDevice(realm)).enroll(tokenOf(enrollmentUrl))

test('waits for a device with the same code, and goes on once it is enrolled', async () => {
  const { userId, browser, answer, look } = await reach('ada')
  const url = answer.body.enrollmentUrl as string
  expect(answer.body).toMatchObject({ mfaRequired: false, requiredAction: 'REGISTER_DEVICE' })
  expect(url).toMatch(/\/device\/enroll#enr_[\w-]{43}$/)
  expect((await look()).body.enrollmentUrl).toBe(url)
  expect(isSignedIn(browser, realm)).toBe(false)
  await enrol(url)
  await must(look(), 200)
  expect(isSignedIn(browser, realm)).toBe(true)
  expect((await realm.call('GET', `/users/${userId}`)).body).toMatchObject({ requiredActions: [], mfaEnabled: true })
  expect(isSignedIn((await passPassword(realm, 'ada')).browser, realm)).toBe(false)
})

test('shows the code as a picture and as text, works without script, and keeps no token in the clear', async () => {
  await addPerson(realm, 'grace', { requiredActions: ['REGISTER_DEVICE'] })
  const browser = createBrowser(node.url)
  const login = await openPage(browser, `/realms/${realm.realmId}/login`)
  const page = await submit(browser, login, { username: 'grace', password: adminPassword })
  expect([page.answer.status, page.name]).toEqual([200, 'register-device'])
  const url = /<code[^>]*>([^<]*#enr_[^<]*)<\/code>/.exec(page.answer.text)![1]!
  expect(page.answer.text).toContain('role="img"')
  const stored = await node.services.db.selectFrom('sign_ins').select('state').execute()
  expect(JSON.stringify(stored)).not.toContain(tokenOf(url))
  expect((await submit(browser, page, {})).name).toBe('register-device')
  await enrol(url)
  expect((await submit(browser, page, {})).answer.status).toBe(303)
})

test('makes no progress by a device that was enrolled otherwise, or removed again', async () => {
  const { userId, browser, answer, look } = await reach('edsger')
  const device = await createDevice(realm)
  await device.enroll(tokenOf(answer.body.enrollmentUrl))
  await must(realm.call('DELETE', `/users/${userId}/credentials/device/${device.deviceId}`), 204)
  const { enrollmentUrl } = (await look()).body
  expect(enrollmentUrl).toBeNull()
  const issued = await must(realm.call('POST', `/users/${userId}/credentials`, { type: 'device' }), 201)
  await enrol(issued.body.enrollmentUrl)
  expect((await look()).body.requiredAction).toBe('REGISTER_DEVICE')
  expect(isSignedIn(browser, realm)).toBe(false)
})

test('of two sign-ins of one person the newer has the code; the older asks before it takes it back', async () => {
  const first = await reach('barbara')
  const second = await passPassword(realm, 'barbara')
  expect((await first.look()).body.enrollmentUrl).toBeNull()
  const looked = await step(second.browser, realm, { signIn: second.challengeId })
  expect(looked.body.enrollmentUrl).toBe(second.answer.body.enrollmentUrl)
  const renewed = (await first.look({ renew: 'true' })).body.enrollmentUrl as string
  await enrol(renewed)
  await must(first.look(), 200)
  expect([isSignedIn(first.browser, realm), isSignedIn(second.browser, realm)]).toEqual([true, false])
  // The device of the one sign-in is none of the other's.
  const answer = await step(second.browser, realm, { signIn: second.challengeId })
  expect(answer.body?.requiredAction ?? 'done').not.toBe('REGISTER_DEVICE')
})

test('shows a new code when the one before is over', async () => {
  const { answer, look } = await reach('donald')
  node.clock.advance(10 * minuteMs)
  const next = (await look()).body.enrollmentUrl as string
  expect(next).not.toBe(answer.body.enrollmentUrl)
  await enrol(next)
  await must(look(), 200)
})
