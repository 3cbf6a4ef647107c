// What a person leaves behind by their devices, what they sign and what others do with their account, over the real routes.
import { randomUUID } from 'node:crypto'
import {
  api,
  type Browser,
  createDevice,
  type MailNode,
  must,
  openPage,
  step,
  submit,
  type TestDevice,
  type TestRealm,
} from '../harness/index.ts'
import { sessionCaller } from '../harness/account-callers.ts'
import { adminPassword } from '../harness/realm.ts'
import { createShop, machineToken, personToken, signTx, startTx } from '../harness/transactions.ts'
import type { Words } from './planted-person.ts'

interface Planting {
  mails: MailNode
  realm: TestRealm
  words: Words
  userId: string
  /** Where they are signed in. */
  browser: Browser
  /** Another browser of theirs. */
  open(): Browser
}

/** Names, addresses and labels that they gave themselves; the newest address still waits to be confirmed. */
export async function changeAccount({ mails, realm, words, browser, open }: Planting): Promise<void> {
  const account = sessionCaller(realm, browser)
  const { body: profile } = await must(account.call('GET', '/profile'), 200)
  const attributes = { firstName: words.firstName, lastName: words.lastName }
  await must(account.call('PUT', '/profile', { ...profile, email: words.email, attributes }), 200)
  // In whatever order they come: the other one is of the registration.
  await mails.mailbox.waitFor(words.email, 2)
  const mail = mails.mailbox.to(words.email).find(({ subject }) => subject.includes('Confirm your new'))!
  const reader = open()
  await submit(reader, await openPage(reader, mail.link))
  const { body: changed } = await must(account.call('GET', '/profile'), 200)
  if (changed.email !== words.email) throw new Error('the new address does not count')
  await must(account.call('PUT', '/profile', { ...changed, email: words.nextEmail }), 200)
  const { body: codes } = await must(account.call('POST', '/credentials', { type: 'recovery-codes' }), 201)
  await must(account.call('PUT', `/credentials/recovery-codes/${codes.id}`, { label: words.ownLabel }), 200)
}

/** Transactions: one that waits, one whose application is called back in vain, one that is called back. */
export async function signThings({ mails, realm, words, userId, browser }: Planting): Promise<void> {
  const { telephone } = mails
  // Nobody listens at the first port.
  const deaf = 'http://127.0.0.1:1'
  const shop = await createShop(realm, { redirectUris: [`${telephone.url}/cb`, `${deaf}/cb`] })
  const machine = await machineToken(realm, shop)
  const token = await personToken(realm, shop, words.username, { browser })
  const { title, detail } = words
  const start = (callbackUrl?: string) =>
    startTx(realm, machine, { userId, title, details: { payee: detail }, ...(callbackUrl ? { callbackUrl } : {}) })
  await start()
  const approval = { decision: 'APPROVE', method: 'PASSWORD', password: adminPassword }
  for (const origin of [deaf, telephone.url]) {
    const { id } = await start(`${origin}/${words.callback}`)
    await must(signTx(realm, token, id, approval), 200)
  }
}

/** A device of their own, an enrolment that was begun, a question that waits, one that was answered, and a QR code they read. */
export async function useDevices({ realm, words, browser, open }: Planting): Promise<TestDevice> {
  const account = sessionCaller(realm, browser)
  const base = `${realm.node.url}/realms/${realm.realmId}`
  const device = await createDevice(realm)
  const begin = async (deviceName: string) => {
    const { enrollmentToken } = (await must(account.call('POST', '/devices/enrollment-tokens'), 201)).body
    const headers = { authorization: `Bearer ${enrollmentToken}`, 'user-agent': words.agent }
    const json = { deviceName, platform: 'IOS' }
    const started = await must(api(`${base}/device/enroll/start`, 'POST', { json, headers }), 200)
    return { enrollmentToken, started: started.body }
  }
  const { enrollmentToken, started } = await begin(words.device)
  const push = { driver: 'fcm', pushToken: `${words.push}:${randomUUID()}` }
  device.deviceId = (await must(device.answerChallenge(enrollmentToken, started, push), 201)).body.deviceId
  await begin(words.begun)
  for (const answered of [true, false]) {
    const asking = open()
    const { body } = await asking.login(realm.realmId, words.username, adminPassword)
    const id = body.address.split('/').at(-1)
    const signature = await device.state({ push: id, decision: 'APPROVE', number: body.number })
    const answer = { number: body.number, deviceId: device.deviceId, signature }
    if (answered) await must(device.send('POST', `/realms/${realm.realmId}/push/${id}/approve`, answer), 200)
  }
  await readCode({ realm, browser, screen: open() })
  return device
}

async function readCode({ realm, browser, screen }: { realm: TestRealm; browser: Browser; screen: Browser }) {
  const ways = ['username-password', 'qr'].map((authenticator) => ({ authenticator, requirement: 'ALTERNATIVE' }))
  await must(realm.call('PUT', '/flow', { steps: [{ requirement: 'REQUIRED', steps: ways }] }), 200)
  await screen.get(`/realms/${realm.realmId}/login`)
  const { body } = await must(step(screen, realm, { qr: 'true' }), 200)
  await must(browser.get(`/realms/${realm.realmId}/qr/${body.address.split('/').at(-1)}`), 200)
}

/** An administrator with reasons of their own, who looks at the account and leaves again. */
export async function actAs({ realm, words, userId }: Planting): Promise<void> {
  await must(realm.call('POST', `/users/${userId}/impersonate`, { reason: words.reason }), 200)
}
