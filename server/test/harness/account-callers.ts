// Somebody at their own account, by their session and by an access token of an application of the house.
import {
  addPerson,
  type Answer,
  api,
  type Browser,
  createBrowser,
  createClientIn,
  issuerOf,
  must,
  signInTo,
  type TestRealm,
} from './index.ts'
import { adminPassword } from './realm.ts'

export interface AccountCaller {
  call(method: string, path: string, json?: unknown): Promise<Answer>
}

export interface OpenAccount {
  userId: string
  username: string
  browser: Browser
  bySession: AccountCaller
  byToken: AccountCaller
  token: string
}

export function sessionCaller(realm: TestRealm, browser: Browser): AccountCaller {
  const base = `/realms/${realm.realmId}/account`
  return {
    call: (method, path, json) =>
      method === 'GET' ? browser.get(base + path) : browser.write(method, base + path, json),
  }
}

export function tokenCaller(realm: TestRealm, token: string): AccountCaller {
  return {
    call: (method, path, json) =>
      api(`${issuerOf(realm)}/account${path}`, method, {
        headers: { authorization: `Bearer ${token}` },
        ...(json === undefined ? {} : { json }),
      }),
  }
}

/** Signed in twice: in a browser, and in an application of the house in another one. */
export async function openAccount(
  realm: TestRealm,
  username: string,
  more: Record<string, unknown> = {},
): Promise<OpenAccount> {
  const { userId } = await addPerson(realm, username, more)
  const browser = await signIn(realm, username)
  const client = await createClientIn(realm, { consentRequired: false })
  const { access_token: token } = await signInTo(realm, client, { username })
  const [bySession, byToken] = [sessionCaller(realm, browser), tokenCaller(realm, token!)]
  return { userId, username, browser, bySession, byToken, token: token! }
}

export async function signIn(realm: TestRealm, username: string, password = adminPassword): Promise<Browser> {
  const browser = createBrowser(realm.node.url)
  await must(browser.login(realm.realmId, username, password), 200)
  return browser
}
