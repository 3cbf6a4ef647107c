// An administrator who acts as somebody: what tests of impersonation begin with.
// Contract 2.49; the browser is the administrator's own, with both cookies in it.
import { type Browser, createBrowser, must, type TestRealm } from '../harness/index.ts'

export const cookieOf = (realm: TestRealm) => `gatehouse_impersonation_${realm.realmId}`
export const pageOf = (realm: TestRealm, path: string) => `/realms/${realm.realmId}${path}`

/** Begins to act as somebody; returns the session's id. The realm's pages then have the CSRF token of that session. */
export async function actAs(realm: TestRealm, browser: Browser, userId: string): Promise<string> {
  await browser.get(`/admin/realms/${realm.realmId}/whoami`)
  const { body } = await must(realm.callAs(browser, 'POST', `/users/${userId}/impersonate`, { reason: 'help' }), 200)
  await browser.get(pageOf(realm, '/login'))
  return body.sessionId
}

/** Who the realm's own places take this browser for. */
export async function seenAs(realm: TestRealm, browser: Browser): Promise<Record<string, unknown> | number> {
  const answer = await browser.get(pageOf(realm, '/account/whoami'))
  if (answer.status !== 200) return answer.status
  const { userId, impersonatorId } = answer.body
  return { userId, impersonatorId }
}

/** A browser that sends nothing but these cookies. */
export function withCookies(base: string, cookies: Record<string, string>): Browser {
  const browser = createBrowser(base)
  for (const [name, value] of Object.entries(cookies)) browser.cookies.set(name, value)
  return browser
}

/** The secret of the session acted in, as the browser holds it. */
export async function secretOf(realm: TestRealm, browser: Browser, userId: string): Promise<string> {
  await browser.get(`/admin/realms/${realm.realmId}/whoami`)
  const answer = await must(realm.callAs(browser, 'POST', `/users/${userId}/impersonate`), 200)
  const [line] = [answer.headers['set-cookie'] ?? []].flat()
  return line!.split(';')[0]!.split('=')[1]!
}
