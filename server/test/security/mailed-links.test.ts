// S46: where a mailed link leads is the server's own configuration, whatever the request that asked for it says.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addressIn,
  createBrowser,
  findLeaks,
  type MailNode,
  must,
  openPage,
  startMailNode,
  type TestRealm,
} from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'

let mails: MailNode
beforeAll(async () => {
  // The strictest case: the server believes whoever stands before it.
  mails = await startMailNode({ GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => mails.stop())

const evil = 'evil.example.net'
const mutations: Record<string, string>[] = [
  { host: evil },
  { host: `${evil}:443` },
  { host: `127.0.0.1@${evil}` },
  { host: `127.0.0.1.${evil}` },
  { host: '' },
  { 'x-forwarded-host': evil },
  { 'x-forwarded-host': `${evil}, 127.0.0.1` },
  { 'x-forwarded-host': evil, 'x-forwarded-proto': 'https', 'x-forwarded-port': '8443' },
  { 'x-forwarded-proto': 'https' },
  { 'x-forwarded-proto': 'javascript' },
  { 'x-forwarded-port': '1' },
  { 'x-forwarded-prefix': `/@${evil}` },
  { 'x-forwarded-server': evil },
  { 'x-forwarded-for': evil },
  { 'x-forwarded-for': 'a'.repeat(8000) },
  { forwarded: `host=${evil};proto=https` },
  { forwarded: `for="[2001:db8::1]";host="${evil}"` },
  { 'x-host': evil },
  { 'x-http-host-override': evil },
  { 'x-original-host': evil },
  { 'x-original-url': `https://${evil}/` },
  { 'x-rewrite-url': `https://${evil}/` },
  { referer: `https://${evil}/` },
  { via: `1.1 ${evil}` },
  { 'x-real-ip': evil },
  { 'front-end-https': 'on' },
  { 'accept-language': `${evil},en` },
  { 'user-agent': `https://${evil}/` },
]

async function addReader(realm: TestRealm, name: string): Promise<{ userId: string; email: string }> {
  const email = addressIn(realm, name)
  const input = { username: name, email, emailVerified: true }
  const { userId } = (await must(realm.call('POST', '/users', input), 201)).body
  return { userId, email }
}

/** Sends a form with these headers beside it; true when it was taken. */
async function post(realm: TestRealm, path: string, form: Record<string, string>, headers: Record<string, string>) {
  const browser = createBrowser(realm.node.url)
  const page = await openPage(browser, `/realms/${realm.realmId}${path}`)
  const sent = { ...page.forms[0]!.values, ...form }
  const target = page.forms[0]!.action
  const answer = await browser.send('POST', target, { form: sent, headers: { accept: 'text/html', ...headers } })
  expect(answer.text + JSON.stringify(answer.headers)).not.toContain(evil)
  return answer.status === 200
}

describe('S46 links in mails', () => {
  test(`stay the same under ${mutations.length} ways to lie about the host`, { timeout: 60_000 }, async () => {
    const realm = await mails.openRealm()
    const expected = new RegExp(`^${realm.node.url}/realms/${realm.realmId}/reset-password\\?token=[\\w-]{43}$`)
    const taken: string[] = []
    for (const [at, headers] of mutations.entries()) {
      const { email } = await addReader(realm, `reader-${at}`)
      if (await post(realm, '/reset-password', { username: email }, headers)) taken.push(email)
    }
    // A header that no server has to take may be refused; most of these are nobody's business.
    expect(taken.length).toBeGreaterThan(20)
    for (const email of taken) {
      const mail = await mails.mailbox.waitFor(email)
      expect(mail.links).toEqual([expect.stringMatching(expected)])
      expect(mail.text + mail.html + mail.subject).not.toContain(evil)
    }
  })

  test('stay the same in every kind of mail', { timeout: 60_000 }, async () => {
    const realm = await mails.openRealm({ registrationAllowed: true, verifyEmail: true })
    const lies = { 'x-forwarded-host': evil, forwarded: `host=${evil}`, 'x-forwarded-proto': 'https' }
    const [fresh, invited, unproved] = ['fresh', 'invited', 'unproved'].map((name) => addressIn(realm, name))
    const names = { email: fresh!, firstName: 'A', lastName: 'B' }
    const typed = { ...names, newPassword: adminPassword, confirmPassword: adminPassword }
    expect(await post(realm, '/register', typed, lies)).toBe(true)
    const { userId } = await addReader(realm, 'invited')
    const actions = ['UPDATE_PASSWORD']
    await must(realm.call('POST', `/users/${userId}/send-actions-email`, { actions }, { headers: lies }), 204)
    const person = (await must(realm.call('POST', '/users', { username: 'unproved', email: unproved }), 201)).body
    await must(realm.call('PUT', `/users/${person.userId}/password`, { newPassword: adminPassword }), 204)
    expect(await post(realm, '/login', { username: 'unproved', password: adminPassword }, lies)).toBe(true)
    const kinds = { [fresh!]: 'register', [invited!]: 'login/actions', [unproved!]: 'verify-email' }
    for (const [email, path] of Object.entries(kinds)) {
      const mail = await mails.mailbox.waitFor(email)
      expect(mail.links.filter((link) => !link.includes(evil))).toEqual([
        `${realm.node.url}/realms/${realm.realmId}/${path}?token=${mail.token}`,
      ])
      expect(mail.text + mail.html).not.toContain(evil)
    }
  })
})

test('S48 no link, code or password of all this stands in a log', () => {
  expect(mails.mailbox.mails.length).toBeGreaterThan(20)
  expect(findLeaks(mails, [adminPassword])).toEqual([])
})
