import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startBadHost } from '../../../../test/messaging/bad-host.ts'
import { type HttpHost, startHttpHost } from '../../../../test/messaging/http-host.ts'
import { createRealmFor, type TestNode, type TestRealm } from '../../../../test/harness/index.ts'
import {
  httpProvider,
  messagesOf,
  queue,
  sendAll,
  smtpProvider,
  startMessagingNode,
} from '../../../../test/messaging/messaging-node.ts'
import { type SmtpHost, startSmtpHost } from '../../../../test/messaging/smtp-host.ts'
import { runSql } from '../../../../test/faults/parts.ts'
import { deliveryJobs } from './jobs.ts'
import { sendMessage } from './send.ts'

let node: TestNode
let realm: TestRealm
let host: SmtpHost
let web: HttpHost
/** What the HTTP provider answers. */
let answer: { status: number; body?: string } = { status: 200 }
/** Where nobody listens. */
let nowhere: number

beforeAll(async () => {
  node = await startMessagingNode()
  host = await startSmtpHost({
    refuseRecipient: (address) => (address.startsWith('unknown') ? new Error(`no such user ${address}`) : null),
  })
  web = await startHttpHost({ answer: () => answer })
  const gone = await startBadHost('hang')
  await gone.stop()
  nowhere = gone.port
})
afterAll(async () => {
  await host.stop()
  await web.stop()
  await node.stop()
})
beforeEach(async () => {
  realm = await createRealmFor({ node })
  answer = { status: 200 }
  host.mails.length = 0
  web.requests.length = 0
})

const put = (body: object) => realm.call('PUT', '/messaging/providers', body)
const healthOf = async () => (await realm.call('GET', '/health')).body.components.messaging.status
const failures = () => realm.events('&type=MESSAGE_FAILED')
const jobsOf = async () =>
  (
    await runSql(
      node.adminDatabaseUrl,
      `select data, start_after from pgboss.job where name = 'messages.send' and data->>'realmId' = $1`,
      [realm.realmId],
    )
  ).rows

describe('a message', () => {
  test('is sent once, in the person’s language, and its address is emptied', async () => {
    await put(smtpProvider(host.port))
    const attributes = { firstName: 'Ada', department: 'R&D' }
    const user = (await realm.call('POST', '/users', { username: 'ada', locale: 'nl', attributes })).body
    expect(await queue(realm, { userId: user.userId })).toBe(true)
    const [waiting] = await messagesOf(realm)
    expect(waiting).toMatchObject({ status: 'QUEUED', handed_over_at: null })
    expect(waiting!.sealed!.toString('latin1')).not.toMatch(/ada@example|123456/)
    const [sent] = await sendAll(realm)
    expect(sent).toMatchObject({ status: 'SENT', sealed: null, driver: 'smtp', error: null })
    await sendAll(realm)
    expect(host.mails).toHaveLength(1)
    const [mail] = host.mails
    expect(mail!.headers.get('message-id')).toBe(`<${sent!.id}@example.com>`)
    expect(mail!.headers.get('subject')).toBe(`Uw code voor ${realm.realmId}`)
    expect(mail!.text).toMatch(/^Hallo Ada,/)
    expect(mail!.html).toContain('<html lang="nl"')
    expect(await healthOf()).toBe('UP')
    expect(await failures()).toEqual([])
  })

  test('says what the realm’s own template says, with attributes of the person', async () => {
    await put(smtpProvider(host.port))
    const body = '<p>{{user}} of {{user.department}}{{user.nothing}}: {{code}}</p>'
    const template = { templateKey: 'otp-email', channel: 'EMAIL', subject: '{{user.department}}', body, html: true }
    await realm.call('PUT', '/messaging/templates', template)
    const attributes = { department: 'R&D <b>' }
    const user = (await realm.call('POST', '/users', { username: 'ada', attributes })).body
    await queue(realm, { userId: user.userId })
    await sendAll(realm)
    expect(host.mails[0]!.html!.trim()).toBe('<p>ada of R&amp;D &lt;b&gt;: 123456</p>')
    expect(host.mails[0]!.text.trim()).toBe('ada of R&D <b>: 123456')
    expect(host.mails[0]!.headers.get('subject')).toBe('R&D <b>')
  })

  test('is not written without a provider, for an address that is none, or when the transaction rolls back', async () => {
    expect(await queue(realm)).toBe(false)
    await put(smtpProvider(host.port, { enabled: false }))
    expect(await queue(realm)).toBe(false)
    await put(smtpProvider(host.port))
    expect(await queue(realm, { to: 'a@b.c\r\nBcc: x@y.z' })).toBe(false)
    const undone = realm.run(async (ctx) => {
      const { queueMessage } = await import('./queue.ts')
      await queueMessage(ctx, { templateKey: 'otp-email', channel: 'EMAIL', to: 'a@b.c', userId: null, values: {} })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow()
    expect([await messagesOf(realm), await jobsOf()]).toEqual([[], []])
  })

  test('of a kind that the realm switched off is not sent', async () => {
    await put(smtpProvider(host.port))
    const off = { templateKey: 'otp-email', channel: 'EMAIL', subject: 'x', body: 'x', enabled: false }
    await realm.call('PUT', '/messaging/templates', off)
    await queue(realm)
    expect((await sendAll(realm))[0]).toMatchObject({ status: 'FAILED', error: 'The template is disabled.' })
    expect(host.mails).toEqual([])
  })

  test('goes through the next provider when the first fails, in the order of their priority', async () => {
    await put(smtpProvider(nowhere, { priority: 10 }))
    await put(httpProvider('EMAIL', web.origin, { priority: 5, secret: 'key-1' }))
    await queue(realm)
    const [message] = await sendAll(realm)
    expect(message).toMatchObject({ status: 'SENT', driver: 'http' })
    expect(web.requests).toHaveLength(1)
    expect(web.requests[0]!.headers['idempotency-key']).toBe(message!.id)
    const providers = (await realm.call('GET', '/messaging/providers')).body
    expect(providers[0]).toMatchObject({
      driver: 'smtp',
      lastError: 'The host could not be reached.',
      lastSuccessAt: null,
    })
    expect(providers[1]).toMatchObject({ driver: 'http', lastError: null, lastSuccessAt: expect.any(Number) })
    expect(await healthOf()).toBe('DOWN')
    await put(smtpProvider(host.port, { priority: 10 }))
    expect(await healthOf()).toBe('UP')
  })
})

describe('a message that cannot be sent', () => {
  test('is tried again with growing pauses, then given up, recorded, and shown in the health of the realm', async () => {
    await put(smtpProvider(nowhere))
    await queue(realm)
    for (let tries = 1; tries <= 5; tries++) {
      expect((await sendAll(realm))[0]).toMatchObject({ status: 'QUEUED', tries, handed_over_at: null })
      expect(await jobsOf()).toHaveLength(tries + 1)
    }
    expect(await failures()).toEqual([])
    expect((await sendAll(realm))[0]).toMatchObject({ status: 'FAILED', sealed: null })
    expect(await jobsOf()).toHaveLength(6)
    const [event, ...more] = await failures()
    expect(more).toEqual([])
    expect(event).toMatchObject({
      category: 'SECURITY',
      outcome: 'FAILURE',
      resourceType: 'messaging',
      actor: 'system',
    })
    expect(JSON.parse(event.detail)).toMatchObject({ templateKey: 'otp-email', status: 'FAILED' })
    expect(event.detail).not.toMatch(/ada@example|123456/)
    expect(await healthOf()).toBe('DOWN')
    // One that succeeds makes it good again.
    await put(httpProvider('EMAIL', web.origin))
    await realm.call('DELETE', '/messaging/providers/EMAIL/smtp')
    expect(await healthOf()).toBe('UP')
  })

  test('is not tried after its end', async () => {
    await put(smtpProvider(nowhere))
    await queue(realm, { expiresAt: node.clock.now() + 1500 })
    expect((await sendAll(realm))[0]).toMatchObject({ status: 'FAILED', tries: 0 })
    await put(smtpProvider(host.port))
    await queue(realm, { expiresAt: node.clock.now() - 1 })
    expect((await sendAll(realm))[1]).toMatchObject({ status: 'FAILED', error: 'It could not be sent in time.' })
    expect(host.mails).toEqual([])
  })

  test('because it was refused is tried again, and the reason names nobody', async () => {
    await put(smtpProvider(host.port))
    await queue(realm, { to: 'unknown@example.org' })
    const [message] = await sendAll(realm)
    expect(message).toMatchObject({ status: 'QUEUED', tries: 1, handed_over_at: null })
    expect(message!.error).toMatch(/no such user …/)
    answer = { status: 422, body: '{"error":"unknown@example.org is not valid"}' }
    await put(httpProvider('EMAIL', web.origin))
    const [again] = await sendAll(realm)
    expect(again).toMatchObject({ status: 'QUEUED', tries: 2, handed_over_at: null })
    expect(again!.error).not.toContain('unknown@')
  })

  test('S48: leaves neither address, code nor secret in the log', async () => {
    await put(httpProvider('EMAIL', web.origin, { secret: 'Canary-Key-7' }))
    answer = { status: 500, body: 'ada@example.org 987654 Canary-Key-7' }
    await queue(realm, { values: { code: '987654', ttl: '5' } })
    await sendAll(realm)
    const [provider] = (await realm.call('GET', '/messaging/providers')).body
    expect(provider.lastError).not.toMatch(/ada@example|Canary-Key/)
    expect(node.lines.join('') + JSON.stringify(node.auditLines)).not.toMatch(/ada@example|987654|Canary-Key/)
  })
})

describe('F25: a message', () => {
  test('whose worker died after the hand-over is never sent again, and that is recorded', async () => {
    await put(smtpProvider(host.port))
    await queue(realm)
    await runSql(node.adminDatabaseUrl, 'update messages set handed_over_at = 1 where realm_id = $1', [realm.realmId])
    expect((await sendAll(realm))[0]).toMatchObject({ status: 'UNCONFIRMED', sealed: null })
    expect(host.mails).toEqual([])
    expect(JSON.parse((await failures())[0].detail).status).toBe('UNCONFIRMED')
    await sendAll(realm)
    expect(await failures()).toHaveLength(1)
  })

  test('whose provider fell silent after the hand-over is never sent again, not even by another one', async () => {
    const silent = await startBadHost('reset', (said) => (said === '' ? '' : null))
    await put(httpProvider('EMAIL', `http://127.0.0.1:${silent.port}`, { priority: 1 }))
    await put(smtpProvider(host.port))
    await queue(realm)
    expect((await sendAll(realm))[0]).toMatchObject({ status: 'UNCONFIRMED', driver: 'http' })
    expect(host.mails).toEqual([])
    await silent.stop()
  })

  test('that many workers take at once is sent once', async () => {
    await put(smtpProvider(host.port))
    await queue(realm)
    const messageId = (await messagesOf(realm))[0]!.id
    await Promise.all(
      Array.from({ length: 8 }, () => sendMessage(node.services, { realmId: realm.realmId, messageId })),
    )
    await sendAll(realm)
    expect(host.mails).toHaveLength(1)
    expect((await messagesOf(realm))[0]!.status).not.toBe('QUEUED')
  })

  test('that cannot be read is given up and holds nobody up', async () => {
    await put(smtpProvider(host.port))
    await queue(realm)
    await runSql(node.adminDatabaseUrl, `update messages set sealed = '\\x00' where realm_id = $1`, [realm.realmId])
    await queue(realm)
    expect((await sendAll(realm)).map(({ status }) => status)).toEqual(['FAILED', 'SENT'])
  })
})

describe('S51: the contents of a message', () => {
  test('moved to another realm’s row do not open', async () => {
    const other = await createRealmFor({ node })
    await put(smtpProvider(host.port))
    await other.call('PUT', '/messaging/providers', smtpProvider(host.port))
    await queue(realm)
    await queue(other, { to: 'bob@example.org' })
    await runSql(
      node.adminDatabaseUrl,
      'update messages m set sealed = o.sealed from messages o where m.realm_id = $1 and o.realm_id = $2',
      [other.realmId, realm.realmId],
    )
    expect((await sendAll(other))[0]).toMatchObject({ status: 'FAILED' })
    expect(host.mails).toEqual([])
  })
})

test('a text message goes over the HTTP provider of its own channel', async () => {
  await put(httpProvider('SMS', web.origin))
  await queue(realm, { templateKey: 'otp-sms', channel: 'SMS', to: '+31 20 123 4567' })
  expect((await sendAll(realm))[0]).toMatchObject({ status: 'SENT', driver: 'http' })
  const body = JSON.parse(web.requests[0]!.body)
  expect(body).toMatchObject({ to: '+31 20 123 4567', from: '+31201111111' })
  expect(body.text).toMatch(/^123456 is your code/)
})

test('messages are forgotten after a week', async () => {
  await put(smtpProvider(host.port))
  await queue(realm)
  await queue(realm)
  const week = 7 * 86_400_000
  const { id } = (await messagesOf(realm))[0]!
  const age = 'update messages set created_at = $2 where realm_id = $1 and id = $3'
  await runSql(node.adminDatabaseUrl, age, [realm.realmId, Date.now() - week - 60_000, id])
  const job = deliveryJobs.find(({ name }) => name === 'messages.forget')!
  await job.handle(node.services, {})
  expect((await messagesOf(realm)).map((message) => message.id)).not.toContain(id)
  expect(await messagesOf(realm)).toHaveLength(1)
})

test('what was sent to a person goes with them', async () => {
  await put(smtpProvider(host.port))
  const user = (await realm.call('POST', '/users', { username: 'ada' })).body
  await queue(realm, { userId: user.userId })
  await realm.call('DELETE', `/users/${user.userId}`)
  expect(await messagesOf(realm)).toEqual([])
})
