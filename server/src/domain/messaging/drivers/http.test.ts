import { afterEach, describe, expect, test } from 'vitest'
import { createMark, createMessage, createProvider, createTools } from '../../../../test/messaging/driver-tools.ts'
import { type HttpHost, type HttpHostOptions, startHttpHost } from '../../../../test/messaging/http-host.ts'
import type { HttpConfig, TwilioConfig } from '../providers/config-schema.ts'
import { sendMailOverHttp, sendSmsOverHttp } from './http.ts'
import { createTwilioSender } from './twilio.ts'
import type { OpenProvider, Outgoing } from './types.ts'

const hosts: HttpHost[] = []
const tools = createTools()

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop()
})

async function open(answer?: HttpHostOptions['answer']): Promise<HttpHost> {
  const host = await startHttpHost(answer ? { answer } : {})
  hosts.push(host)
  return host
}

const providerAt = (host: HttpHost, config: object = {}, rest: Partial<OpenProvider> = {}) =>
  createProvider<HttpConfig>('http', { url: `${host.origin}/send`, ...config }, rest)
const nothing = async () => {}
const nasty = 'a"b\\c\r\n{"x":1}</p>\u2028{{secret}}😀'

describe('an HTTP provider', () => {
  test('gets a mail as JSON with the secret as a bearer token and the message’s id as idempotency key', async () => {
    const host = await open(() => ({ status: 202, body: '{"id":"abc-1"}' }))
    const mark = createMark(() => host.requests.length)
    const message = createMessage()
    const answer = await sendMailOverHttp(tools, providerAt(host, {}, { secret: 'key-1' }), message, mark.handOver)
    expect(answer).toEqual({ providerId: 'abc-1' })
    expect(mark.seen).toEqual([0])
    const [request] = host.requests
    expect(request).toMatchObject({ method: 'POST', path: '/send' })
    expect(request!.headers).toMatchObject({
      authorization: 'Bearer key-1',
      'content-type': 'application/json',
      'idempotency-key': message.id,
    })
    expect(JSON.parse(request!.body)).toEqual({
      ...{ id: message.id, to: message.to, subject: message.subject, text: message.text, html: message.html },
      ...{ from: 'login@example.com', fromName: 'Example' },
    })
  })

  test('S47: gets every value as a value, whatever it contains', async () => {
    const host = await open()
    const message = createMessage({ to: '+31201234567', text: nasty, subject: nasty })
    await sendSmsOverHttp(tools, providerAt(host, {}, { secret: 'key-1' }), message, nothing)
    expect(JSON.parse(host.requests[0]!.body)).toMatchObject({ to: '+31201234567', text: nasty })
    const form = {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      bodyTemplate: 'to={{to}}&text={{text}}&key={{secret}}',
    }
    await sendSmsOverHttp(tools, providerAt(host, form, { secret: 'a&b=c' }), message, nothing)
    expect(Object.fromEntries(new URLSearchParams(host.requests[1]!.body))).toEqual({
      ...{ to: '+31201234567', text: nasty, key: 'a&b=c' },
    })
    expect(host.requests[1]!.headers.authorization).toBeUndefined()
  })

  test('gets the secret where the headers name it, and nowhere else', async () => {
    const host = await open()
    const provider = providerAt(host, { headers: { 'X-Api-Key': 'v1 {{secret}}' } }, { secret: 'key-2' })
    await sendMailOverHttp(tools, provider, createMessage(), nothing)
    expect(host.requests[0]!.headers).toMatchObject({ 'x-api-key': 'v1 key-2' })
    expect(host.requests[0]!.headers.authorization).toBeUndefined()
  })

  test('S47: never gets a header with a line break in it', async () => {
    const host = await open()
    for (const secret of ['a\r\nx-evil: 1', 'a\nb', 'a\0b']) {
      const sending = sendMailOverHttp(tools, providerAt(host, {}, { secret }), createMessage(), nothing)
      await expect(sending).rejects.toMatchObject({ kind: 'failed' })
    }
    expect(host.requests).toEqual([])
  })

  test.each([400, 401, 404, 422, 429, 500, 503])('that answers %i has clearly refused', async (status) => {
    const host = await open(() => ({ status, body: '{"error":"no"}' }))
    const sending = sendMailOverHttp(tools, providerAt(host), createMessage(), nothing)
    await expect(sending).rejects.toMatchObject({ kind: 'failed', message: expect.stringContaining(String(status)) })
  })

  test('that answers with a redirect has refused, and the other place is not asked', async () => {
    const target = await open()
    const host = await open(() => ({ status: 307, headers: { location: `${target.origin}/` } }))
    await expect(sendMailOverHttp(tools, providerAt(host), createMessage(), nothing)).rejects.toMatchObject({
      kind: 'failed',
    })
    expect(target.requests).toEqual([])
  })

  test('S45: at an address inside is never asked, and nothing counts as handed over to it for certain', async () => {
    const host = await open()
    const strict = createTools({ allow: [] })
    for (const url of [`${host.origin}/`, `https://127.0.0.1:${host.port}/`, `http://localhost:${host.port}/`]) {
      const sending = sendMailOverHttp(strict, providerAt(host, { url }), createMessage(), nothing)
      await expect(sending).rejects.toMatchObject({ kind: 'failed' })
    }
    expect(host.requests).toEqual([])
    await strict.egress.close()
  })
})

describe('Twilio', () => {
  const config = { accountSid: `AC${'0'.repeat(32)}`, messagingServiceSid: `MG${'1'.repeat(32)}` }
  const sms: Partial<Outgoing> = { to: '+31201234567', text: 'Your code & more: 123456', subject: null, html: null }
  const send = (host: HttpHost, provider: OpenProvider & { config: TwilioConfig }) =>
    createTwilioSender(host.origin)(tools, provider, createMessage(sms), nothing)

  test('gets a form with Basic authentication', async () => {
    const host = await open(() => ({ status: 201, body: '{"sid":"SM123"}' }))
    const answer = await send(host, createProvider<TwilioConfig>('twilio', config, { secret: 'token-1' }))
    expect(answer).toEqual({ providerId: 'SM123' })
    const [request] = host.requests
    expect(request!.path).toBe(`/2010-04-01/Accounts/${config.accountSid}/Messages.json`)
    expect(Buffer.from(request!.headers.authorization!.slice(6), 'base64').toString()).toBe(
      `${config.accountSid}:token-1`,
    )
    expect(Object.fromEntries(new URLSearchParams(request!.body))).toEqual({
      ...{ To: sms.to, Body: sms.text, MessagingServiceSid: config.messagingServiceSid },
    })
  })

  test('is asked to send from a number where there is no service, and never without either or without a token', async () => {
    const host = await open(() => ({ status: 201 }))
    const bare = { accountSid: config.accountSid }
    const numbered = { secret: 'token-1', fromAddress: '+31209999999' }
    await send(host, createProvider<TwilioConfig>('twilio', bare, numbered))
    expect(new URLSearchParams(host.requests[0]!.body).get('From')).toBe('+31209999999')
    const nobody = createProvider<TwilioConfig>('twilio', bare, { secret: 'token-1', fromAddress: null })
    await expect(send(host, nobody)).rejects.toMatchObject({ kind: 'failed' })
    await expect(send(host, createProvider<TwilioConfig>('twilio', config))).rejects.toMatchObject({ kind: 'failed' })
    expect(host.requests).toHaveLength(1)
  })
})
