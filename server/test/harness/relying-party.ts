import { createHash, randomBytes } from 'node:crypto'
import { type Answer, api, type Browser, createBrowser } from './browser.ts'
import { adminPassword, must, type TestRealm } from './realm.ts'

export interface TestClient {
  id: string
  clientId: string
  secret: string | null
  redirectUri: string
}

export const redirectUri = 'https://app.example.org/callback'

/** A client that signs people in; confidential unless told otherwise. */
export async function createClientIn(realm: TestRealm, members: Record<string, unknown> = {}): Promise<TestClient> {
  const clientId = (members.clientId as string | undefined) ?? `app-${randomBytes(4).toString('hex')}`
  const body = { clientId, redirectUris: [redirectUri], ...members }
  const { body: client } = await must(realm.call('POST', '/clients', body), 201)
  return { id: client.id, clientId, secret: client.secret ?? null, redirectUri: client.redirectUris[0] }
}

export interface Authorization {
  /** The last answer: a redirect to the client, or a page. */
  answer: Answer
  /** The query of the redirect to the client. */
  params: Record<string, string>
  verifier: string
}

export interface AuthorizeOptions {
  browser?: Browser
  username?: string
  password?: string
  params?: Record<string, string | undefined>
  /** What is answered on the consent page. */
  decision?: 'allow' | 'deny'
  /** The code of a second factor, where one is asked for. */
  code?: () => string
  /** Stop at the first page instead of filling it in. */
  stopAtPage?: boolean
}

export function issuerOf(realm: TestRealm): string {
  return `${realm.node.url}/realms/${realm.realmId}`
}

/** Walks a browser through an authorization request: sign-in page, consent page, and back to the client. */
export async function authorize(
  realm: TestRealm,
  client: TestClient,
  options: AuthorizeOptions = {},
): Promise<Authorization> {
  const browser = options.browser ?? createBrowser(realm.node.url)
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams(
    Object.entries({
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: 'code',
      scope: 'openid',
      state: 'some-state',
      nonce: 'some-nonce',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...options.params,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  const base = `/realms/${realm.realmId}`
  const html = { headers: { accept: 'text/html' } }
  let answer = await browser.get(`${base}/authorize?${query}`, html)
  for (let hop = 0; hop < 12; hop++) {
    const location = answer.headers.location as string | undefined
    if (location !== undefined) {
      const url = new URL(location, realm.node.url)
      if (url.origin !== realm.node.url) return { answer, params: Object.fromEntries(url.searchParams), verifier }
      answer = await browser.get(url.pathname + url.search, html)
    } else if (answer.status === 200 && !options.stopAtPage && answer.text.includes('name="password"')) {
      answer = await browser.send('POST', `${base}/login`, {
        ...html,
        form: {
          ...readForm(answer.text),
          username: options.username ?? 'admin',
          password: options.password ?? adminPassword,
        },
      })
    } else if (answer.status === 200 && options.code && answer.text.includes('name="code"')) {
      const form = { ...readForm(answer.text), code: options.code() }
      answer = await browser.send('POST', `${base}/login`, { ...html, form })
    } else if (answer.status === 200 && !options.stopAtPage && answer.text.includes('name="decision"')) {
      const action = /action="(\/realms\/[^"]*\/consent\/[^"]*)"/.exec(answer.text)![1]!
      const form = { ...readForm(answer.text), decision: options.decision ?? 'allow' }
      answer = await browser.send('POST', action, { ...html, form })
    } else return { answer, params: {}, verifier }
  }
  throw new Error('the authorization request goes round in circles')
}

/** The hidden fields of the first form of a page. */
export function readForm(html: string): Record<string, string> {
  const inputs = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
  return Object.fromEntries([...inputs].map((input) => [input[1]!, input[2]!.replaceAll('&amp;', '&')]))
}

export function basic(client: Pick<TestClient, 'clientId' | 'secret'>): Record<string, string> {
  const pair = `${encodeURIComponent(client.clientId)}:${encodeURIComponent(client.secret ?? '')}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** A request to the token endpoint, authenticated as the client is registered. */
export function requestToken(
  realm: TestRealm,
  client: TestClient,
  form: Record<string, string>,
  base = realm.node.url,
): Promise<Answer> {
  const own: Record<string, string> = client.secret === null ? { client_id: client.clientId } : {}
  return api(`${base}/realms/${realm.realmId}/token`, 'POST', {
    form: { ...own, ...form },
    headers: client.secret === null ? {} : basic(client),
  })
}

export function redeem(realm: TestRealm, client: TestClient, { params, verifier }: Authorization, base?: string) {
  const form = {
    grant_type: 'authorization_code',
    code: params.code!,
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
  }
  return requestToken(realm, client, form, base)
}

/** A whole sign-in, ending with the tokens. */
export async function signInTo(realm: TestRealm, client: TestClient, options: AuthorizeOptions = {}) {
  const authorization = await authorize(realm, client, options)
  if (!authorization.params.code) {
    throw new Error(
      `no code: ${authorization.answer.status} ${JSON.stringify(authorization.params)} ${authorization.answer.text.slice(0, 500)}`,
    )
  }
  return (await must(redeem(realm, client, authorization), 200)).body as Record<string, string>
}

export function refresh(realm: TestRealm, client: TestClient, token: string, base?: string) {
  return requestToken(realm, client, { grant_type: 'refresh_token', refresh_token: token }, base)
}
