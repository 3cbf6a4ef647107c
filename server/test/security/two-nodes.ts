// Two nodes of one service on one database, and the questions that are asked of both.
// Architecture 6: whatever one node decides counts on the other with the very next request.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Answer,
  api,
  basic,
  type Browser,
  createBrowser,
  createRealmFor,
  getNode,
  startTestNode,
  type TestClient,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'

/** A node beside the shared one, with the same address to the outside. */
export async function startSecondNode(env: Record<string, string> = {}): Promise<TestNode> {
  const first = await getNode()
  return startTestNode({
    database: { url: first.databaseUrl, adminUrl: first.adminDatabaseUrl },
    env: { GATEHOUSE_BASE_URL: first.url, GATEHOUSE_WORKER: 'false', ...env },
  })
}

export interface Pair {
  realm: TestRealm
  second: TestNode
  /** Where the nodes listen. */
  bases: string[]
}

export async function openPair(second: TestNode): Promise<Pair> {
  const realm = await createRealmFor()
  return { realm, second, bases: [realm.node.url, second.url] }
}

/** So many requests at once, by turns to each node. */
export function atOnce<T>({ bases }: Pair, count: number, ask: (base: string) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => ask(bases[at % bases.length]!)))
}

/** The same browser at another node. */
export function twinOf(browser: Browser, base: string): Browser {
  const twin = createBrowser(base)
  for (const [name, value] of browser.cookies) twin.cookies.set(name, value)
  return twin
}

export function bearer(token: string): { headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${token}` } }
}

export function askUserinfo(realm: TestRealm, token: string, base = realm.node.url): Promise<Answer> {
  return api(`${base}/realms/${realm.realmId}/userinfo`, 'GET', bearer(token))
}

export function introspect(
  realm: TestRealm,
  client: TestClient,
  token: string,
  base = realm.node.url,
): Promise<Answer> {
  return api(`${base}/realms/${realm.realmId}/introspect`, 'POST', { form: { token }, headers: basic(client) })
}

export function askAdminApi(realm: TestRealm, token: string, base = realm.node.url): Promise<Answer> {
  return api(`${base}/admin/realms/${realm.realmId}/users`, 'GET', bearer(token))
}

/** Settings reach the other node within moments, not with the next request; tests that need them there wait. */
export async function changeSettings({ realm, bases }: Pair, members: Record<string, unknown>): Promise<void> {
  const answer = await realm.call('PUT', '/settings', members)
  if (answer.status !== 200) throw new Error(`the settings are refused: ${answer.text}`)
  // Asking for the keys makes a node look at the realm again.
  for (const base of bases) await api(`${base}/realms/${realm.realmId}/.well-known/jwks.json`, 'GET')
}

export const waitSeconds = (seconds: number) => sleep(seconds * 1000)
