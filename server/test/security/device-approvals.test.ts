// S39, S40, S12: a question on a device or a QR code takes a sign-in on by the yes of the person who is asked, in time and once.
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSession } from '../../src/domain/sessions/index.ts'
import {
  addDevice,
  addPerson,
  addTotp,
  type Answer,
  type Browser,
  createBrowser,
  createRealmFor,
  isSignedIn,
  must,
  passPassword,
  startTestNode,
  step,
  type TestDevice,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { twinOf } from './two-nodes.ts'

let node: TestNode
/** The same service and database, behind the same address. */
let second: TestNode
let realm: TestRealm
let foreign: TestRealm

const required = (authenticator: string, config = {}) => ({ authenticator, requirement: 'REQUIRED', config })
const alternative = (authenticator: string, config = {}) => ({ authenticator, requirement: 'ALTERNATIVE', config })

beforeAll(async () => {
  const env = { GATEHOUSE_WORKER: 'false' }
  node = await startTestNode({ env })
  const database = { url: node.databaseUrl, adminUrl: node.adminDatabaseUrl }
  second = await startTestNode({ database, env: { ...env, GATEHOUSE_BASE_URL: node.url } })
  realm = await createRealmFor({ node })
  foreign = await createRealmFor({ node })
}, 60_000)
afterAll(async () => {
  await second?.stop()
  await node?.stop()
})

/** Time passes on both nodes. */
function advance(ms: number): void {
  for (const each of [node, second]) each.clock.advance(ms)
}

let people = 0
interface Holder {
  userId: string
  username: string
  device: TestDevice
}
async function addHolder(at = realm): Promise<Holder> {
  const person = await addPerson(at, `holder-${(people += 1)}`)
  return { ...person, device: await addDevice(at, person.userId) }
}

interface Asked {
  browser: Browser
  challengeId: string
  number: number
  id: string
}
/** Past the password, to where the device is asked. */
async function ask({ username }: { username: string }, at = realm): Promise<Asked> {
  const { browser, answer, challengeId } = await passPassword(at, username)
  expect(answer.body).toMatchObject({ waiting: true, method: 'device', pollSeconds: 2 })
  const { number, address } = answer.body
  return { browser, challengeId, number, id: address.split('/').at(-1) }
}

const pathOf = (at: TestRealm, rest: string) => `/realms/${at.realmId}${rest}`
const look = ({ browser, challengeId }: Asked, at = realm) => step(browser, at, { challengeId })

/** What an app sends to say yes. */
async function approve(device: TestDevice, { id, number }: Asked, changes: object = {}, at = realm): Promise<Answer> {
  const signature = await device.state({ push: id, decision: 'APPROVE', number })
  const body = { number, deviceId: device.deviceId, signature, ...changes }
  return device.send('POST', pathOf(at, `/push/${id}/approve`), body)
}

describe('a question for the key of a device', () => {
  test('is found and answered by the device, names both sides, and makes the session stronger', async () => {
    const holder = await addHolder()
    const asked = await ask(holder)
    const { device } = holder
    const [found] = (await device.send('GET', pathOf(realm, '/push'))).body
    expect(found).toMatchObject({ id: asked.id, status: 'PENDING', userId: holder.userId, action: 'LOGIN' })
    expect(found.numberChoices).toHaveLength(3)
    expect(found.numberChoices).toContain(asked.number)
    expect(found).not.toHaveProperty('number')
    expect((await look(asked)).body).toMatchObject({ waiting: true, number: asked.number })
    expect(isSignedIn(asked.browser, realm)).toBe(false)
    expect((await approve(device, asked)).body).toMatchObject({ id: asked.id, status: 'APPROVED' })
    expect((await look(asked)).body).toMatchObject({ userId: holder.userId, mfaRequired: false })
    const [session] = (await realm.call('GET', `/sessions?userId=${holder.userId}`)).body
    expect(session).toMatchObject({ acr: 'urn:gatehouse:acr:2', amr: ['pwd', 'hwk', 'mfa'] })
    const types = (await realm.events(`&actor=${holder.userId}`)).map((event) => event.type)
    expect(types.slice(0, 3)).toEqual(['LOGIN_SUCCESS', 'MFA_SUCCESS', 'MFA_CHALLENGE'])
    // What was answered stays answered.
    expect((await approve(device, asked)).status).toBe(409)
    expect((await device.send('GET', pathOf(realm, `/push/${asked.id}`))).body.status).toBe('APPROVED')
  })

  test('takes one guess at the number: a wrong one is a no', async () => {
    const holder = await addHolder()
    const asked = await ask(holder)
    const wrong = { ...asked, number: asked.number === 10 ? 11 : 10 }
    expect((await approve(holder.device, wrong)).body.status).toBe('DENIED')
    expect((await approve(holder.device, asked)).status).toBe(409)
    expect((await look(asked)).status).toBe(401)
    expect(isSignedIn(asked.browser, realm)).toBe(false)
    // Another question can be asked, after a while.
    const { browser, challengeId } = asked
    expect((await step(browser, realm, { challengeId, resend: 'true' })).status).toBe(401)
    advance(31_000)
    const again = (await step(browser, realm, { challengeId, resend: 'true' })).body
    expect(again).toMatchObject({ waiting: true })
    const next = { ...asked, number: again.number, id: again.address.split('/').at(-1) }
    expect(next.id).not.toBe(asked.id)
    // What was refused stays readable as that.
    expect((await holder.device.send('GET', pathOf(realm, `/push/${asked.id}`))).body.status).toBe('DENIED')
    await must(approve(holder.device, next), 200)
    expect((await holder.device.send('GET', pathOf(realm, '/push'))).body).toEqual([])
    expect((await look(asked)).body.userId).toBe(holder.userId)
  })

  test('is over once it is asked again: there is one question of a sign-in at a time', async () => {
    const holder = await addHolder()
    const asked = await ask(holder)
    advance(31_000)
    const { browser, challengeId } = asked
    const again = (await must(step(browser, realm, { challengeId, resend: 'true' }), 200)).body
    const next = { ...asked, number: again.number, id: again.address.split('/').at(-1) }
    expect((await approve(holder.device, asked)).status).toBe(404)
    const listed = (await holder.device.send('GET', pathOf(realm, '/push'))).body as { id: string }[]
    expect(listed.map(({ id }) => id)).toEqual([next.id])
    await must(approve(holder.device, next), 200)
    expect((await look(asked)).body.userId).toBe(holder.userId)
  })

  test('is no QR code: reading it as one makes it nobody else’s', async () => {
    const [holder, stranger] = [await addHolder(), await addHolder()]
    const asked = await ask(holder)
    for (const { device } of [stranger, holder]) {
      expect((await device.send('GET', pathOf(realm, `/qr/${asked.id}`))).status).toBe(404)
      const { deviceId } = device
      const signature = await device.state({ qr: asked.id, decision: 'CONFIRM' })
      const body = { code: String(asked.number), deviceId, signature }
      expect((await device.send('POST', pathOf(realm, `/qr/${asked.id}/confirm`), body)).status).toBe(404)
    }
    await must(approve(holder.device, asked), 200)
    expect((await look(asked)).body.userId).toBe(holder.userId)
  })

  test('without a number is answered with none, where one is asked for', async () => {
    const holder = await addHolder()
    const asked = await ask(holder)
    const signature = await holder.device.state({ push: asked.id, decision: 'APPROVE' })
    const answer = await approve(holder.device, asked, { number: undefined, signature })
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, 'number'])
    expect((await look(asked)).body.waiting).toBe(true)
  })

  test('that is refused lets nobody in; one that somebody else began ends the sign-in', async () => {
    const holder = await addHolder()
    const { device } = holder
    const deny = async ({ id }: Asked, reason?: string) => {
      const signature = await device.state({ push: id, decision: 'DENY' })
      return device.send('POST', pathOf(realm, `/push/${id}/deny`), { reason, deviceId: device.deviceId, signature })
    }
    const refused = await ask(holder)
    expect((await deny(refused)).body.status).toBe('DENIED')
    expect((await look(refused)).body.detail).toMatch(/said no/)
    const stolen = await ask(holder)
    expect((await deny(stolen, 'FRAUD')).body.status).toBe('DENIED')
    expect((await look(stolen)).body.detail).toMatch(/has ended/)
    const failures = await realm.events(`&actor=${holder.userId}&type=MFA_FAILURE`)
    expect(failures.map((event) => JSON.parse(event.detail!).why)).toEqual(['fraud', 'refused'])
  })

  test('cannot be answered when it is too old, and nothing comes of a late look', async () => {
    const holder = await addHolder()
    const asked = await ask(holder)
    advance(120_000)
    const late = await approve(holder.device, asked)
    expect([late.status, late.body.code]).toEqual([409, 'conflict'])
    expect((await holder.device.send('GET', pathOf(realm, `/push/${asked.id}`))).body.status).toBe('EXPIRED')
    expect((await holder.device.send('GET', pathOf(realm, '/push'))).body).toEqual([])
    expect((await look(asked)).body.detail).toMatch(/in time/)
    // A yes that nobody came for is worth nothing a minute later.
    const other = await ask(await addHolder().then((person) => Object.assign(holder, person)))
    await must(approve(holder.device, other), 200)
    advance(61_000)
    expect((await look(other)).status).toBe(401)
    expect(isSignedIn(other.browser, realm)).toBe(false)
  })

  test('is not there for anybody else, in this realm or another', async () => {
    const holder = await addHolder()
    const stranger = await addHolder()
    const asked = await ask(holder)
    for (const path of [`/push/${asked.id}`, `/push/${asked.id}/approve`, `/push/${asked.id}/deny`, '/push/nonsense']) {
      const method = path.endsWith('approve') || path.endsWith('deny') ? 'POST' : 'GET'
      const body = path.endsWith('approve') ? { number: asked.number } : path.endsWith('deny') ? {} : undefined
      expect((await stranger.device.send(method, pathOf(realm, path), body)).status).toBe(404)
    }
    expect((await stranger.device.send('GET', pathOf(realm, '/push'))).body).toEqual([])
    expect((await approve(stranger.device, asked)).status).toBe(404)
    const outsider = await addHolder(foreign)
    expect((await approve(outsider.device, asked, {}, foreign)).status).toBe(404)
    expect((await outsider.device.send('GET', pathOf(realm, `/push/${asked.id}`))).status).toBe(401)
    expect((await look(asked)).body.waiting).toBe(true)
  })

  test('counts only with a statement of this device over this answer', async () => {
    const holder = await addHolder()
    const other = await addHolder()
    const { device } = holder
    const asked = await ask(holder)
    const later = await ask(holder)
    const { id, number } = asked
    const state = (claims: Record<string, string | number>, by = device, iat?: number) => by.state(claims, iat)
    const old = Math.floor(node.clock.now() / 1000) - 121
    const forged: Record<string, object> = {
      none: { signature: undefined },
      empty: { signature: '' },
      'of another answer': { signature: await state({ push: id, decision: 'DENY' }) },
      'of another question': { signature: await state({ push: later.id, decision: 'APPROVE', number }) },
      'of another number': { signature: await state({ push: id, decision: 'APPROVE', number: number + 1 }) },
      'without the number': { signature: await state({ push: id, decision: 'APPROVE' }) },
      'for a QR code': { signature: await state({ qr: id, decision: 'CONFIRM' }) },
      'of another device': { signature: await state({ push: id, decision: 'APPROVE', number }, other.device) },
      'in the name of another device': { deviceId: other.device.deviceId },
      'too old': { signature: await state({ push: id, decision: 'APPROVE', number }, device, old) },
    }
    // A device answers for itself, and not with another one of the same person.
    const spare = await addDevice(realm, holder.userId)
    const lent = await state({ push: id, decision: 'APPROVE', number }, spare)
    forged['of a second device of theirs'] = { deviceId: spare.deviceId, signature: lent }
    for (const [name, changes] of Object.entries(forged)) {
      const answer = await approve(device, asked, changes)
      expect([name, answer.status, answer.body.errors?.[0]?.field]).toEqual([name, 400, 'signature'])
    }
    expect((await look(asked)).body.waiting).toBe(true)
    // A session of the person says no, and never yes: that takes the key.
    const browser = await signInBefore(holder)
    const yes = await browser.write('POST', pathOf(realm, `/push/${id}/approve`), { number })
    expect([yes.status, yes.body.errors[0].field]).toEqual([400, 'signature'])
    expect((await browser.write('POST', pathOf(realm, `/push/${id}/deny`), {})).body.status).toBe('DENIED')
  })

  test('opens one door: neither another sign-in of the person nor the same one twice', async () => {
    const holder = await addHolder()
    const [first, other] = [await ask(holder), await ask(holder)]
    await must(approve(holder.device, first), 200)
    expect((await look(other)).body.waiting).toBe(true)
    expect((await look(first)).body.userId).toBe(holder.userId)
    expect((await look(first)).status).toBe(401)
    expect((await look(other)).body.waiting).toBe(true)
    // The browser that waits is the only one that is let in.
    const thief = createBrowser(node.url)
    await thief.get(pathOf(realm, '/login'))
    await must(approve(holder.device, other), 200)
    expect((await look({ ...other, browser: thief })).status).toBe(401)
    expect(isSignedIn(thief, realm)).toBe(false)
  })

  test('of somebody who is disabled or whose device was removed is over', async () => {
    const holder = await addHolder()
    const asked = await ask(holder)
    await must(realm.call('PATCH', `/users/${holder.userId}`, { enabled: false }), 200)
    expect((await approve(holder.device, asked)).status).toBe(401)
    expect((await look(asked)).status).toBe(401)
    await must(realm.call('PATCH', `/users/${holder.userId}`, { enabled: true }), 200)
    expect((await approve(holder.device, asked)).status).toBe(404)
    const again = await ask(holder)
    await must(realm.call('DELETE', `/users/${holder.userId}/credentials/device/${holder.device.deviceId}`), 204)
    expect((await approve(holder.device, again)).status).toBe(401)
    expect(isSignedIn(again.browser, realm)).toBe(false)
  })

  test('is asked only so often while nobody says yes, and a yes makes room again', async () => {
    const strict = await createRealmFor({ node })
    await must(strict.call('PUT', '/settings', { bruteForce: { maxFailures: 3, windowSeconds: 900 } }), 200)
    const holder = await addHolder(strict)
    for (let round = 0; round < 2; round++) await ask(holder, strict)
    const third = await ask(holder, strict)
    const { answer } = await passPassword(strict, holder.username)
    expect([answer.status, answer.body.detail]).toEqual([401, expect.stringMatching(/unanswered/)])
    await must(approve(holder.device, third, {}, strict), 200)
    expect((await look(third, strict)).body.userId).toBe(holder.userId)
    await ask(holder, strict)
  })

  test('that many nodes and hands answer at once is answered once, and lets one browser in once', async () => {
    const holder = await addHolder()
    const asked = await ask(holder)
    const signature = await holder.device.state({ push: asked.id, decision: 'APPROVE', number: asked.number })
    const body = { number: asked.number, deviceId: holder.device.deviceId, signature }
    const path = pathOf(realm, `/push/${asked.id}/approve`)
    const tries = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const headers = { authorization: await holder.device.header('POST', path) }
        const browser = createBrowser(at % 2 ? second.url : node.url)
        return browser.send('POST', path, { json: body, headers })
      }),
    )
    const counted = Object.entries(Object.groupBy(tries, ({ status }) => String(status)))
    expect(Object.fromEntries(counted.map(([status, all]) => [status, all!.length]))).toEqual({ 200: 1, 409: 39 })
    const twin = twinOf(asked.browser, second.url)
    const looks = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        step(at % 2 ? twin : asked.browser, realm, { challengeId: asked.challengeId }),
      ),
    )
    expect(looks.filter(({ body: said }) => said.userId === holder.userId)).toHaveLength(1)
    expect((await realm.call('GET', `/sessions?userId=${holder.userId}`)).body).toHaveLength(1)
  })
})

/** A session from before the question, with two factors. */
async function signInBefore({ userId }: { userId: string }, age = 3_600_000): Promise<Browser> {
  const { token } = await realm.run((ctx) =>
    createSession(
      { ...ctx, now: ctx.now - age },
      {
        userId,
        proofs: ['password', 'totp'].map((method) => ({ method, at: ctx.now - age })),
        rememberMe: false,
        ...{ idleSeconds: 36_000, maxSeconds: 36_000 },
      },
    ),
  )
  const browser = createBrowser(node.url)
  browser.cookies.set(`gatehouse_session_${realm.realmId}`, token)
  await browser.get(pathOf(realm, '/push'))
  return browser
}

describe('a question by push', () => {
  let pushing: TestRealm
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  beforeAll(async () => {
    pushing = realm
    const config = { projectId: 'example-1', clientEmail: 'push@example-1.iam.gserviceaccount.com' }
    const secret = key.export({ format: 'pem', type: 'pkcs8' }).toString()
    const provider = { channel: 'PUSH', driver: 'fcm', config, secret }
    await must(pushing.call('PUT', '/messaging/providers', provider), 200)
  })

  async function askByPush(changes: object = { driver: 'fcm', pushToken: `token-of-a-telephone-${(people += 1)}` }) {
    const person = await addPerson(realm, `pushed-${people}`)
    const device = await addDevice(realm, person.userId, changes)
    const browser = await signInBefore(person)
    const { answer, challengeId, ...rest } = await passPassword(realm, person.username)
    const [question] = (await device.send('GET', pathOf(realm, '/push'))).body
    return { person, device, browser, answer, challengeId, waiting: rest.browser, question }
  }

  test('sends one message, is shown with what to compare, and is answered from another session of the person', async () => {
    const { person, browser, answer, challengeId, waiting, question } = await askByPush()
    expect(answer.body).toMatchObject({ waiting: true, authenticator: 'push', address: null })
    const messages = await realm.run(({ tx, realmId }) =>
      tx
        .selectFrom('messages')
        .select(['channel', 'template_key'])
        .where('realm_id', '=', realmId)
        .where('user_id', '=', person.userId)
        .where('channel', '=', 'PUSH')
        .execute(),
    )
    expect(messages).toEqual([{ channel: 'PUSH', template_key: 'approval-push' }])
    const path = pathOf(realm, `/push/${question.id}`)
    const { number } = answer.body
    expect((await browser.write('POST', `${path}/approve`, { number }, { csrf: null })).status).toBe(403)
    expect((await browser.write('POST', `${path}/approve`, { number })).body.status).toBe('APPROVED')
    expect((await step(waiting, realm, { challengeId })).body.userId).toBe(person.userId)
    const [session] = (await realm.call('GET', `/sessions?userId=${person.userId}`)).body
    expect(session.amr).toContain('mca')
  })

  test('is not answered by a session that began after it, nor by somebody who acts as the person', async () => {
    const { person, answer, question } = await askByPush()
    const { number } = answer.body
    const younger = await signInBefore(person, -1)
    const path = pathOf(realm, `/push/${question.id}/approve`)
    const refused = await younger.write('POST', path, { number })
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringMatching(/younger/)])
    const acting = await signInBefore(person)
    const impersonatorId = realm.adminId
    await realm.run(({ tx, realmId }) =>
      tx
        .updateTable('sessions')
        .set({ impersonator_id: impersonatorId })
        .where('realm_id', '=', realmId)
        .where('user_id', '=', person.userId)
        .execute(),
    )
    for (const [method, at] of [
      ['GET', pathOf(realm, `/push/${question.id}`)],
      ['POST', path],
    ] as const) {
      const answered = method === 'GET' ? await acting.get(at) : await acting.write(method, at, { number })
      expect(answered.status).toBe(403)
    }
  })

  test('can be read and answered on a page without script; another person gets there nothing', async () => {
    const { person, browser, answer, question, waiting, challengeId } = await askByPush()
    const headers = { accept: 'text/html' }
    const path = pathOf(realm, `/push/${question.id}`)
    const page = await browser.get(path, { headers })
    expect(page.text).toContain(person.username)
    for (const choice of question.numberChoices) expect(page.text).toContain(`value="${choice}"`)
    const csrf = /name="_csrf" value="([^"]+)"/.exec(page.text)![1]!
    const stranger = await signInBefore(await addPerson(realm, `stranger-${(people += 1)}`))
    expect((await stranger.get(path, { headers })).status).toBe(404)
    const visitor = createBrowser(node.url)
    const sent = await visitor.get(path, { headers })
    expect([sent.status, sent.headers.location]).toEqual([303, expect.stringContaining('/login?redirect=')])
    const number = String(answer.body.number)
    const done = await browser.send('POST', `${path}/approve`, { form: { _csrf: csrf, number }, headers })
    expect([done.status, done.text.includes('You approved the sign-in')]).toEqual([200, true])
    expect((await browser.get(path, { headers })).status).toBe(200)
    expect((await step(waiting, realm, { challengeId })).body.userId).toBe(person.userId)
  })

  test('asks for the key of the device where the flow says so', async () => {
    const { steps } = (await must(realm.call('GET', '/flow'), 200)).body
    const push = alternative('push', { requireDeviceKey: true, numberMatching: false })
    const keyed = [required('username-password'), { requirement: 'CONDITIONAL', steps: [push] }]
    await must(realm.call('PUT', '/flow', { steps: keyed }), 200)
    const { browser, device, question, waiting, challengeId, person } = await askByPush()
    await must(realm.call('PUT', '/flow', { steps }), 200)
    expect(question).toMatchObject({ needsSignature: true, numberChoices: null })
    const path = pathOf(realm, `/push/${question.id}`)
    const refused = await browser.write('POST', `${path}/approve`, {})
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'signature'])
    expect((await browser.get(path, { headers: { accept: 'text/html' } })).text).not.toContain(`${path}/approve`)
    const signature = await device.state({ push: question.id, decision: 'APPROVE' })
    await must(device.send('POST', `${path}/approve`, { deviceId: device.deviceId, signature }), 200)
    // The flow is another one by now, and the sign-in began with the one before.
    expect((await step(waiting, realm, { challengeId })).status).toBe(401)
    expect(person.userId).toBe(question.userId)
  })

  test('leaves another way open to whoever has one', async () => {
    const person = await addPerson(realm, `both-${(people += 1)}`)
    await addDevice(realm, person.userId, { driver: 'fcm', pushToken: `token-of-a-telephone-of-both-${people}` })
    const code = await addTotp(realm, person.userId)
    const { browser, answer, challengeId } = await passPassword(realm, person.username)
    expect(answer.body.methods).toEqual(['device', 'totp'])
    expect((await step(browser, realm, { challengeId, method: 'totp', code: code() })).body.userId).toBe(person.userId)
  })
})

describe('a QR code', () => {
  let shown: TestRealm
  beforeAll(async () => {
    shown = realm
    const steps = [{ requirement: 'REQUIRED', steps: [alternative('username-password'), alternative('qr')] }]
    await must(shown.call('PUT', '/flow', { steps }), 200)
  })

  async function show(): Promise<Asked> {
    const browser = createBrowser(node.url)
    await browser.get(pathOf(realm, '/login'))
    const { body } = await must(step(browser, realm, { qr: 'true' }), 200)
    expect(body).toMatchObject({ waiting: true, scanned: false })
    return { browser, challengeId: body.challengeId, number: body.number, id: body.address.split('/').at(-1) }
  }
  const reader = async () => {
    const person = await addPerson(realm, `reader-${(people += 1)}`)
    return { person, browser: await signInBefore(person) }
  }
  const qr = ({ id }: Asked, rest = '') => pathOf(realm, `/qr/${id}${rest}`)

  test('lets the screen in as whoever read and confirmed it, with the session of that browser only', async () => {
    const asked = await show()
    const { person, browser } = await reader()
    expect((await browser.write('POST', qr(asked, '/confirm'), {})).status).toBe(404)
    expect((await browser.get(qr(asked))).body).toMatchObject({ status: 'SCANNED', codeRequired: false })
    const waiting = await asked.browser.get(pathOf(realm, `/login/waiting?signIn=${asked.challengeId}`))
    expect(waiting.body).toEqual({ state: 'SCANNED' })
    expect((await look(asked)).body).toMatchObject({ waiting: true, scanned: true })
    expect((await browser.write('POST', qr(asked, '/confirm'), {}, { csrf: null })).status).toBe(403)
    expect((await browser.write('POST', qr(asked, '/confirm'), {})).body.status).toBe('CONFIRMED')
    const stranger = createBrowser(node.url)
    await stranger.get(pathOf(realm, '/login'))
    expect((await look({ ...asked, browser: stranger })).status).toBe(401)
    expect((await look(asked)).body.userId).toBe(person.userId)
    expect((await browser.write('POST', qr(asked, '/confirm'), {})).status).toBe(409)
    expect((await look(asked)).status).toBe(401)
    const sessions = (await realm.call('GET', `/sessions?userId=${person.userId}`)).body
    expect(sessions.map((session: { acr: string }) => session.acr)).toContain('urn:gatehouse:acr:1')
  })

  test('belongs to the first who reads it', async () => {
    const asked = await show()
    const [first, other] = [await reader(), await reader()]
    await must(first.browser.get(qr(asked)), 200)
    expect((await other.browser.get(qr(asked))).status).toBe(404)
    expect((await other.browser.write('POST', qr(asked, '/confirm'), {})).status).toBe(404)
    expect((await createBrowser(node.url).get(qr(asked))).status).toBe(401)
    const outsider = await addHolder(foreign)
    expect((await outsider.device.send('GET', pathOf(foreign, `/qr/${asked.id}`))).status).toBe(404)
    expect((await look(asked)).body.waiting).toBe(true)
  })

  test('is confirmed by a device with its key', async () => {
    const asked = await show()
    const holder = await addHolder()
    await must(holder.device.send('GET', qr(asked)), 200)
    const { deviceId } = holder.device
    expect((await holder.device.send('POST', qr(asked, '/confirm'), { deviceId })).status).toBe(400)
    const signature = await holder.device.state({ qr: asked.id, decision: 'CONFIRM' })
    // As long as it is open it is no question by push either.
    expect((await holder.device.send('GET', pathOf(realm, `/push/${asked.id}`))).status).toBe(404)
    expect((await holder.device.send('GET', pathOf(realm, '/push'))).body).toEqual([])
    const done = await holder.device.send('POST', qr(asked, '/confirm'), { deviceId, signature })
    expect(done.body.status).toBe('CONFIRMED')
    // A person with a device is asked for it as the second factor, too: the code was the first.
    expect((await look(asked)).body).toMatchObject({ waiting: true, method: 'device' })
  })

  test('asks for the number beside it where the flow says so, and takes one guess', async () => {
    const steps = [
      { requirement: 'REQUIRED', steps: [alternative('username-password'), alternative('qr', { confirmCode: true })] },
    ]
    await must(shown.call('PUT', '/flow', { steps }), 200)
    const { browser, person } = await reader()
    const asked = await show()
    expect((await browser.get(qr(asked))).body.codeRequired).toBe(true)
    expect((await browser.write('POST', qr(asked, '/confirm'), {})).body.errors[0].field).toBe('code')
    const wrong = String(asked.number === 10 ? 11 : 10)
    expect((await browser.write('POST', qr(asked, '/confirm'), { code: wrong })).body.status).toBe('DENIED')
    expect((await browser.write('POST', qr(asked, '/confirm'), { code: String(asked.number) })).status).toBe(409)
    expect((await look(asked)).status).toBe(401)
    const next = await show()
    await must(browser.get(qr(next)), 200)
    const right = await browser.write('POST', qr(next, '/confirm'), { code: String(next.number) })
    expect(right.body.status).toBe('CONFIRMED')
    expect((await look(next)).body.userId).toBe(person.userId)
  })

  test('is over after two minutes, read or not', async () => {
    const { browser } = await reader()
    const [unread, read] = [await show(), await show()]
    await must(browser.get(qr(read)), 200)
    advance(120_000)
    expect((await browser.get(qr(unread))).body.status).toBe('EXPIRED')
    expect((await browser.write('POST', qr(read, '/confirm'), {})).status).toBe(409)
    for (const asked of [unread, read]) expect((await look(asked)).status).toBe(401)
  })

  test('is made only so often for one address', async () => {
    const busy = await createRealmFor({ node })
    const steps = [{ requirement: 'REQUIRED', steps: [alternative('username-password'), alternative('qr')] }]
    await must(busy.call('PUT', '/flow', { steps }), 200)
    await must(busy.call('PUT', '/settings', { bruteForce: { perIpMaxPerMinute: 3 } }), 200)
    const browser = createBrowser(node.url)
    await browser.get(pathOf(busy, '/login'))
    const statuses = []
    for (let count = 0; count < 4; count++) statuses.push((await step(browser, busy, { qr: 'true' })).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })
})
