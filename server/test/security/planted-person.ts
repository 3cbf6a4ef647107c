// A person who has left a trace in everything that keeps one, each of them a word that nothing else contains.
import { createHash, randomBytes } from 'node:crypto'
import { requestRegistration } from '../../src/domain/users/registration/index.ts'
import { trustDevice } from '../../src/domain/trusted-devices/index.ts'
import { newId } from '../../src/platform/ids/index.ts'
import {
  answerPage,
  authorize,
  beginCiba,
  beginDevice,
  type Browser,
  cibaGrant,
  createBrowser,
  createClientIn,
  deviceGrant,
  type MailNode,
  must,
  pollDevice,
  refresh,
  signInTo,
  type TestClient,
  type TestRealm,
} from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'
import { ask } from '../harness/reset-walk.ts'

export interface PlantedPerson {
  userId: string
  username: string
  email: string
  canaries: string[]
  /** Where they are signed in. */
  browser: Browser
  client: TestClient
  tokens: Record<string, string>
  offline: Record<string, string>
}

/** A word that is found again whatever it was folded to. */
const word = (kind: string) => `zq${kind}${randomBytes(6).toString('hex')}`

const makeWords = () => ({
  username: word('name'),
  email: `${word('mail')}@example.org`,
  phone: `+4179${String(randomBytes(4).readUInt32BE()).padStart(10, '0')}`,
  attribute: word('attribute'),
  firstName: word('first'),
  lastName: word('last'),
  agent: word('agent'),
  label: word('label'),
  device: word('device'),
  push: word('push'),
  detail: word('detail'),
  binding: word('ask'),
  address: `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}:abcd::77`,
})
type Words = ReturnType<typeof makeWords>

/** What stands for a name or a value where it must be found again; anybody can work these out from a guess. */
function hashesOf({ username, email, attribute }: Words): string[] {
  const sha = (text: string) => createHash('sha256').update(text).digest('hex')
  return [
    sha(email),
    ...[username, email].map((name) => sha(name).slice(0, 32)),
    sha(`other\0${attribute}`).slice(0, 32),
  ]
}

/** A browser whose requests come from the person's own place. */
function browserOf(base: string, { agent, address }: Words): Browser {
  const browser = createBrowser(base)
  const { send } = browser
  browser.send = (method, path, options = {}) =>
    send(method, path, {
      ...options,
      headers: { 'user-agent': agent, 'x-forwarded-for': address, ...options.headers },
    })
  return browser
}

export async function plantPerson(mails: MailNode, realm: TestRealm): Promise<PlantedPerson> {
  const words = makeWords()
  const { username, email } = words
  const before = browserOf(realm.node.url, words)
  // Before there is an account: names that nobody has, and a registration that was never finished.
  await before.login(realm.realmId, username, 'not-a-password-of-anybody')
  await before.login(realm.realmId, email, 'not-a-password-of-anybody')
  await register(realm, words)
  const userId = await createAccount(realm, words)
  await ask(realm, email, browserOf(realm.node.url, words))
  await mails.mailbox.waitFor(email, 2)

  const browser = browserOf(realm.node.url, words)
  await must(browser.login(realm.realmId, username, 'wrong-password-this-time'), 401)
  await must(browser.login(realm.realmId, username, adminPassword), 200)
  const client = await createClientIn(realm, {
    consentRequired: true,
    scopes: ['offline_access'],
    grantTypes: ['authorization_code', 'refresh_token', deviceGrant, cibaGrant],
  })
  const signedIn = { browser, username, params: { scope: 'openid profile email' } }
  const tokens = await signInTo(realm, client, signedIn)
  const refreshed = (await must(refresh(realm, client, tokens.refresh_token!), 200)).body
  const offline = await signInTo(realm, client, {
    ...signedIn,
    params: { scope: 'openid offline_access', prompt: 'consent' },
  })
  await leaveRequests(realm, client, words, browser)
  await keepThings(realm, client, words, userId)
  const canaries = [...Object.values(words), ...hashesOf(words)]
  return { userId, username, email, canaries, browser, client, tokens: refreshed, offline }
}

async function register(realm: TestRealm, { email, firstName, lastName }: Words): Promise<void> {
  const passwordHash = await realm.node.services.passwords.hash(adminPassword)
  const more = { locale: null, termsAccepted: false, browserSecret: 'x' }
  await realm.run((ctx) => requestRegistration(ctx, { email, firstName, lastName, passwordHash, ...more }))
}

async function createAccount(realm: TestRealm, words: Words): Promise<string> {
  const { username, email, phone, firstName, lastName, attribute, label, push, device } = words
  const attributes = { firstName, lastName, other: [attribute] }
  const input = { username, email, phone, emailVerified: true, attributes }
  const headers = { 'idempotency-key': `${username}-made` }
  const { userId } = (await must(realm.call('POST', '/users', input, { headers }), 201)).body
  await must(realm.call('PUT', `/users/${userId}/password`, { newPassword: adminPassword }), 204)
  const credentials = `/users/${userId}/credentials`
  const { id } = (await must(realm.call('POST', credentials, { type: 'recovery-codes' }), 201)).body
  await must(realm.call('PUT', `${credentials}/recovery-codes/${id}`, { label }), 200)
  const token = { userId, driver: 'fcm', token: `${push}:token`, deviceId: device }
  await must(realm.call('POST', '/messaging/push-tokens', token), 201)
  return userId
}

/** What is begun and not finished: sign-ins, requests of applications, codes of devices. */
async function leaveRequests(realm: TestRealm, client: TestClient, words: Words, browser: Browser): Promise<void> {
  const { username, email, binding } = words
  const hinted = { browser: browserOf(realm.node.url, words), stopAtPage: true }
  await authorize(realm, client, { ...hinted, params: { login_hint: email } })
  await authorize(realm, client, { browser, stopAtPage: true, params: { prompt: 'login', login_hint: username } })
  await must(beginCiba(realm, client, { login_hint: email, binding_message: binding }), 200)
  const device = (await must(beginDevice(realm, client), 200)).body
  await answerPage(browser, `/realms/${realm.realmId}/device?user_code=${device.user_code}`, 'allow')
  await must(pollDevice(realm, client, device.device_code), 200)
}

/** What other parts keep of a person, in rows as they write them. */
async function keepThings(realm: TestRealm, client: TestClient, words: Words, userId: string): Promise<void> {
  const { db, clock } = realm.node.services
  const { realmId } = realm
  const { device, detail, agent, address } = words
  const now = clock.now()
  const times = { created_at: now, expires_at: now + 600_000 }
  const own = { realm_id: realmId, user_id: userId }
  await realm.run((ctx) => trustDevice(ctx, { userId, days: 30, userAgent: agent }))
  const deviceId = newId(now)
  const credential = { ...own, id: deviceId, type: 'device', label: device, created_at: now }
  await db.insertInto('credentials').values(credential).execute()
  const key = { ...own, id: deviceId, platform: 'ios', public_key: JSON.stringify({ x: detail }), thumbprint: detail }
  await db.insertInto('device_keys').values(key).execute()
  const enrollment = { ...own, ...times, id: newId(now), token_hash: randomBytes(32), device_name: device }
  await db.insertInto('device_enrollments').values(enrollment).execute()
  const asked = { kind: 'PUSH', sign_in_id: newId(now), action: 'LOGIN', source_ip: address, user_agent: agent }
  await db
    .insertInto('device_approvals')
    .values({ ...own, ...times, ...asked, id: newId(now) })
    .execute()
  const signed = { type: 'payment', title: detail, details: JSON.stringify({ detail }), hash: 'x' }
  const party = { client_uuid: client.id, client_id: client.clientId }
  await db
    .insertInto('transactions')
    .values({ ...own, ...times, ...signed, ...party, id: newId(now) })
    .execute()
  const begun = { flow_alias: 'browser', flow_version: '1', browser_hash: randomBytes(32), continuation: '{}' }
  const signIns = [
    { ...own, id: newId(now), state: JSON.stringify({ username: words.username }) },
    { realm_id: realmId, id: newId(now), state: JSON.stringify({ typedName: ` ${words.username.toUpperCase()}` }) },
  ]
  await db
    .insertInto('sign_ins')
    .values(signIns.map((row) => ({ ...row, ...begun, ...times })))
    .execute()
  const job = { realm_id: realmId, id: newId(now), type: 'export', status: 'SUCCEEDED', created_by: userId }
  await db
    .insertInto('realm_jobs')
    .values({ ...job, created_at: now })
    .execute()
  const token = { realm_id: realmId, id: newId(now), token_hash: randomBytes(32), count: 1, remaining: 1 }
  await db
    .insertInto('initial_access_tokens')
    .values({ ...token, ...times, created_by: userId })
    .execute()
}
