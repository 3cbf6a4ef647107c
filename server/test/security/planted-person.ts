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
import { actAs, changeAccount, signThings, useDevices } from './planted-surfaces.ts'

export interface PlantedPerson {
  userId: string
  username: string
  email: string
  canaries: string[]
  /** What the person is shown of it when they ask for their data, and what nobody is shown. */
  shown: string[]
  secrets: string[]
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
  /** The address they came with, the one they have, and one that they asked for. */
  firstEmail: `${word('first')}@example.org`,
  email: `${word('mail')}@example.org`,
  nextEmail: `${word('next')}@example.org`,
  phone: `+4179${String(randomBytes(4).readUInt32BE()).padStart(10, '0')}`,
  attribute: word('attribute'),
  firstName: word('first'),
  lastName: word('last'),
  agent: word('agent'),
  label: word('label'),
  ownLabel: word('own'),
  device: word('device'),
  begun: word('begun'),
  title: word('title'),
  callback: word('callback'),
  reason: word('reason'),
  push: word('push'),
  detail: word('detail'),
  binding: word('ask'),
  address: `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}:abcd::77`,
})
export type Words = ReturnType<typeof makeWords>

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
  const open = () => browserOf(realm.node.url, words)
  const browser = open()
  await must(browser.login(realm.realmId, username, 'wrong-password-this-time'), 401)
  await must(browser.login(realm.realmId, username, adminPassword), 200)
  const planting = { mails, realm, words, userId, browser, open }
  await changeAccount(planting)
  await ask(realm, email, open())
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
  await signThings(planting)
  await actAs(planting)
  await keepThings(realm, words, userId)
  // From now on a sign-in of theirs waits for the device.
  const device = await useDevices(planting)
  const canaries = [...Object.values(words), ...hashesOf(words), device.deviceId, device.publicKey.x!]
  const { firstEmail: _former, nextEmail: _asked, begun: _begun, binding: _binding, label: _label, ...known } = words
  const { push, reason, ...shown } = known
  const secrets = [push, reason, adminPassword, ...(await readSecrets(realm, userId))]
  const seen = { shown: Object.values(shown), secrets }
  return { userId, username, email, canaries, ...seen, browser, client, tokens: refreshed, offline }
}

/** What proves the person, as it is kept. */
async function readSecrets({ realmId, node }: TestRealm, userId: string): Promise<string[]> {
  const rows = await node.services.db
    .selectFrom('credentials')
    .select('secret_hash')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('secret_hash', 'is not', null)
    .execute()
  return rows.map(({ secret_hash: hash }) => hash!)
}

async function register(realm: TestRealm, { email, firstName, lastName }: Words): Promise<void> {
  const passwordHash = await realm.node.services.passwords.hash(adminPassword)
  const more = { locale: null, termsAccepted: false, browserSecret: 'x' }
  await realm.run((ctx) => requestRegistration(ctx, { email, firstName, lastName, passwordHash, ...more }))
}

async function createAccount(realm: TestRealm, words: Words): Promise<string> {
  const { username, firstEmail, phone, attribute, label, push, device } = words
  const attributes = { firstName: word('given'), other: [attribute] }
  const input = { username, email: firstEmail, phone, emailVerified: true, attributes }
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

/** What only administrators and unfinished sign-ins leave, in rows as they are written. */
async function keepThings(realm: TestRealm, words: Words, userId: string): Promise<void> {
  const { db, clock } = realm.node.services
  const { realmId } = realm
  const now = clock.now()
  const times = { created_at: now, expires_at: now + 600_000 }
  await realm.run((ctx) => trustDevice(ctx, { userId, days: 30, userAgent: words.agent }))
  const begun = { flow_alias: 'browser', flow_version: '1', browser_hash: randomBytes(32), continuation: '{}' }
  const signIns = [
    { realm_id: realmId, user_id: userId, id: newId(now), state: JSON.stringify({ username: words.username }) },
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
