// An application that wants things signed, and people who sign them, as programs do it.
import { type Answer, api } from './browser.ts'
import { must, type TestRealm } from './realm.ts'
import { createClientIn, requestToken, signInTo, type TestClient } from './relying-party.ts'

export const payment = {
  type: 'payment',
  title: 'Pay 12.50 EUR to Northwind',
  details: { type: 'payment', amount: { currency: 'EUR', value: 12.5 }, creditor: 'Northwind', urgent: false },
}

/** An application that signs people in and asks for itself as well. */
export function createShop(realm: TestRealm, members: Record<string, unknown> = {}): Promise<TestClient> {
  const grantTypes = ['authorization_code', 'client_credentials', 'refresh_token']
  return createClientIn(realm, { grantTypes, name: 'Shop', ...members })
}

/** The application’s own token. */
export async function machineToken(realm: TestRealm, client: TestClient): Promise<string> {
  const { body } = await must(requestToken(realm, client, { grant_type: 'client_credentials' }), 200)
  return body.access_token as string
}

/** A token of a person for the realm itself, issued to this application. */
export async function personToken(
  realm: TestRealm,
  client: TestClient,
  username: string,
  options: Parameters<typeof signInTo>[2] = {},
): Promise<string> {
  return (await signInTo(realm, client, { username, ...options })).access_token!
}

export const txUrl = (realm: TestRealm, path = '', base = realm.node.url) => `${base}/realms/${realm.realmId}/tx${path}`

/** One request to `/tx…` with a token; `base` is another node. */
export function callTx(
  realm: TestRealm,
  token: string | null,
  method: string,
  path = '',
  json?: unknown,
  base = realm.node.url,
): Promise<Answer> {
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  return api(txUrl(realm, path, base), method, { headers, ...(json === undefined ? {} : { json }) })
}

/** A transaction that waits for somebody. */
export async function startTx(realm: TestRealm, token: string, members: Record<string, unknown> = {}) {
  return (await must(callTx(realm, token, 'POST', '', { ...payment, ...members }), 201)).body as {
    id: string
    hash: string
    challenge?: string
    signUrl: string
    userId: string
    clientId: string
    expiresAt: number
  }
}

/** The person’s answer. */
export function signTx(realm: TestRealm, token: string, id: string, answer: object, base?: string): Promise<Answer> {
  return callTx(realm, token, 'POST', `/${id}/sign`, answer, base)
}

export function consumeTx(realm: TestRealm, token: string, id: string, base?: string): Promise<Answer> {
  return callTx(realm, token, 'POST', `/${id}/consume`, undefined, base)
}
