import { Secret, TOTP } from 'otpauth'
import { type Browser, createBrowser, type Answer } from './browser.ts'
import { adminPassword, must, type TestRealm } from './realm.ts'

export interface Person {
  userId: string
  username: string
}

/** Somebody with a password, whose e-mail address is proved. */
export async function addPerson(
  realm: TestRealm,
  username: string,
  more: Record<string, unknown> = {},
): Promise<Person> {
  const input = { username, email: `${username}@example.org`, emailVerified: true, ...more }
  const { userId } = (await must(realm.call('POST', '/users', input), 201)).body
  await must(realm.call('PUT', `/users/${userId}/password`, { newPassword: adminPassword }), 204)
  return { userId, username }
}

/** An authenticator app that an administrator set up; gives the code of a moment. */
export async function addTotp(realm: TestRealm, userId: string): Promise<(offsetMs?: number) => string> {
  const path = `/users/${userId}/credentials`
  const { id, secret } = (await must(realm.call('POST', path, { type: 'totp' }), 201)).body
  const codeAt = codesOf(secret, realm)
  // The step of now is used up by this; tests that sign in use the one after it, which the window still takes.
  const confirm = () => realm.call('POST', `${path}/totp/${id}/confirm`, { code: codeAt(-30_000) })
  // A step that ends between the making of the code and its arrival makes it too old by one; the next one is in time.
  if ((await confirm()).status !== 200) await must(confirm(), 200)
  return codeAt
}

export function codesOf(secret: string, realm: TestRealm): (offsetMs?: number) => string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 })
  return (offsetMs = 0) => totp.generate({ timestamp: realm.node.clock.now() + offsetMs })
}

/** One step of a sign-in as a program takes it. */
export function step(browser: Browser, realm: TestRealm, form: Record<string, string>): Promise<Answer> {
  return browser.send('POST', `/realms/${realm.realmId}/login`, {
    form: { _csrf: browser.csrf(), ...form },
    headers: { accept: 'application/json' },
  })
}

export const isSignedIn = (browser: Browser, realm: TestRealm) =>
  browser.cookies.has(`gatehouse_session_${realm.realmId}`)

/** Past the password; what comes next is in the answer. */
export async function passPassword(realm: TestRealm, username: string, browser = createBrowser(realm.node.url)) {
  const answer = await browser.login(realm.realmId, username, adminPassword)
  return { browser, answer, challengeId: answer.body?.challengeId as string }
}
