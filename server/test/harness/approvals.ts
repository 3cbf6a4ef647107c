import { modelId } from '../../src/domain/tokens/index.ts'
import { type Answer, api, type Browser } from './browser.ts'
import { must, type TestRealm } from './realm.ts'
import { basic, readForm, type TestClient } from './relying-party.ts'

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
export const cibaGrant = 'urn:openid:params:grant-type:ciba'

const html = { headers: { accept: 'text/html' } }

function post(realm: TestRealm, client: TestClient, path: string, form: Record<string, string>, base: string) {
  const own: Record<string, string> = client.secret === null ? { client_id: client.clientId } : {}
  const headers = client.secret === null ? {} : basic(client)
  return api(`${base}/realms/${realm.realmId}${path}`, 'POST', { form: { ...own, ...form }, headers })
}

/** A device begins (RFC 8628 section 3.1). */
export function beginDevice(
  realm: TestRealm,
  client: TestClient,
  form: Record<string, string> = {},
  base = realm.node.url,
): Promise<Answer> {
  return post(realm, client, '/device_authorization', { scope: 'openid', ...form }, base)
}

/** An application asks a person (CIBA Core 1.0 section 7). */
export function beginCiba(
  realm: TestRealm,
  client: TestClient,
  form: Record<string, string>,
  base = realm.node.url,
): Promise<Answer> {
  return post(realm, client, '/bc-authorize', { scope: 'openid', ...form }, base)
}

export function pollDevice(realm: TestRealm, client: TestClient, deviceCode: string, base = realm.node.url) {
  return post(realm, client, '/token', { grant_type: deviceGrant, device_code: deviceCode }, base)
}

export function pollCiba(realm: TestRealm, client: TestClient, authReqId: string, base = realm.node.url) {
  return post(realm, client, '/token', { grant_type: cibaGrant, auth_req_id: authReqId }, base)
}

/** Opens the page of a request and answers it, as whoever is signed in with this browser. */
export async function answerPage(
  browser: Browser,
  path: string,
  decision: 'allow' | 'deny' | 'switch',
): Promise<Answer> {
  const page = await must(browser.get(path, html), 200)
  const action = /action="([^"]*)"/.exec(page.text)![1]!
  return browser.send('POST', action.replaceAll('&amp;', '&'), { ...html, form: { ...readForm(page.text), decision } })
}

export function typeUserCode(realm: TestRealm, browser: Browser, userCode: string): Promise<Answer> {
  return browser.get(`/realms/${realm.realmId}/device?user_code=${encodeURIComponent(userCode)}`, html)
}

/** Where the person answers; a mail would say so. */
export function approvalPath(realm: TestRealm, authReqId: string): string {
  const id = modelId('BackchannelAuthenticationRequest', authReqId).toString('base64url')
  return `/realms/${realm.realmId}/approve/${id}`
}
