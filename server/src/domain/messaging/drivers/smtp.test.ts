import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../../../test/messaging/certificate.ts'
import { createMark, createMessage, createProvider, createTools } from '../../../../test/messaging/driver-tools.ts'
import { type SmtpHost, type SmtpHostOptions, startSmtpHost } from '../../../../test/messaging/smtp-host.ts'
import type { SmtpConfig } from '../providers/config-schema.ts'
import { sendOverSmtp } from './smtp.ts'
import { type DriverTools, type OpenProvider, type Outgoing } from './types.ts'

let certificate: { cert: string; key: string }
const hosts: SmtpHost[] = []
const opened: DriverTools[] = []

beforeAll(async () => {
  certificate = await makeCertificate('mail.test')
})

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop()
  for (const tools of opened.splice(0)) await tools.egress.close()
})

async function open(options: SmtpHostOptions = {}): Promise<SmtpHost> {
  const host = await startSmtpHost({ certificate, ...options })
  hosts.push(host)
  return host
}

function toolsWith(options: Parameters<typeof createTools>[0] = {}): DriverTools {
  const tools = createTools({ ca: [certificate.cert], ...options })
  opened.push(tools)
  return tools
}

const providerAt = (host: SmtpHost, config: object = {}, rest: Partial<OpenProvider> = {}) =>
  createProvider<SmtpConfig>('smtp', { host: 'mail.test', port: host.port, ...config }, rest)

const send = (provider: OpenProvider & { config: SmtpConfig }, message: Partial<Outgoing> = {}, tools = toolsWith()) =>
  sendOverSmtp(tools, provider, createMessage(message), async () => {})

const auth = { user: 'login@example.com', pass: 'a long pässword' }

describe('a mail over SMTP', () => {
  test.each(['STARTTLS', 'TLS'] as const)('is sent over %s after AUTH', async (tls) => {
    const host = await open({ tls, auth })
    await send(providerAt(host, { tls, username: auth.user }, { secret: auth.pass }))
    expect(host.mails).toHaveLength(1)
    expect(host.mails[0]).toMatchObject({
      secure: true,
      user: auth.user,
      from: 'login@example.com',
      to: ['ada@example.org'],
    })
  })

  test('has a text and an HTML part, a stable id and no invitation to robots', async () => {
    const host = await open()
    const html = '<p>Your code is <b>123456</b>.</p>'
    await send(providerAt(host, { tls: 'NONE' }), { html })
    const [mail] = host.mails
    expect(mail!.text.trim()).toBe('Your code is 123456.')
    expect(mail!.html!.trim()).toBe(html)
    expect(Object.fromEntries(mail!.headers)).toMatchObject({
      subject: 'Your code',
      from: 'Example <login@example.com>',
      to: 'ada@example.org',
      'message-id': '<01980000-0000-7000-8000-000000000001@example.com>',
      'auto-submitted': 'auto-generated',
      'content-type': expect.stringContaining('multipart/alternative'),
    })
  })

  test('carries every script in subject, name and text', async () => {
    const host = await open()
    const text = '日本語 العربية ελληνικά 😀 Straße\n.\n..\nFrom here'
    await send(providerAt(host, { tls: 'NONE' }, { fromName: 'Ünïcode „Firma“' }), { subject: 'Ihr Code — 日本', text })
    const [mail] = host.mails
    expect(mail!.headers.get('subject')).toBe('Ihr Code — 日本')
    expect(mail!.headers.get('from')).toBe('"Ünïcode „Firma“" <login@example.com>'.replaceAll('"', ''))
    expect(mail!.text.trim()).toBe(text)
  })

  test('commits the hand-over before the server has the mail and after it has everything else', async () => {
    const host = await open()
    const mark = createMark(() => host.mails.length)
    const message = createMessage({ text: 'x'.repeat(200_000) })
    await sendOverSmtp(toolsWith(), providerAt(host, { tls: 'NONE' }), message, mark.handOver)
    expect(mark.seen).toEqual([0])
    expect(host.mails).toHaveLength(1)
  })

  test('is not sent when the hand-over cannot be committed', async () => {
    const host = await open()
    const refusal = new Error('another worker was first')
    const sending = sendOverSmtp(toolsWith(), providerAt(host, { tls: 'NONE' }), createMessage(), async () => {
      throw refusal
    })
    await expect(sending).rejects.toBe(refusal)
    await host.stop()
    expect(host.mails).toEqual([])
  })
})

describe('S45: the connection of a mail', () => {
  test('is refused where STARTTLS is demanded and not offered', async () => {
    const host = await open({ tls: 'NONE', auth })
    const sending = send(providerAt(host, { tls: 'STARTTLS', username: auth.user }, { secret: auth.pass }))
    await expect(sending).rejects.toMatchObject({ name: 'DeliveryError', kind: 'failed' })
    expect(host.connections()).toBe(1)
    expect(host.mails).toEqual([])
  })

  test('is refused to a certificate for another name, and to one that nobody vouches for', async () => {
    const other = await makeCertificate('elsewhere.test')
    for (const tls of ['STARTTLS', 'TLS'] as const) {
      const wrongName = await open({ tls, certificate: other })
      const trusting = toolsWith({ ca: [other.cert] })
      await expect(send(providerAt(wrongName, { tls }), {}, trusting)).rejects.toMatchObject({ kind: 'failed' })
      const unknown = await open({ tls })
      const strict = toolsWith({ ca: [other.cert] })
      await expect(send(providerAt(unknown, { tls }), {}, strict)).rejects.toMatchObject({ kind: 'failed' })
      expect([...wrongName.mails, ...unknown.mails]).toEqual([])
    }
  })

  test('goes without TLS only where the operator lifted it, and never to an address inside', async () => {
    const host = await open()
    const encrypted = toolsWith({ allow: ['smtps://127.0.0.1'] })
    const outside = toolsWith({ allow: [] })
    for (const tools of [encrypted, outside]) {
      await expect(send(providerAt(host, { tls: 'NONE' }), {}, tools)).rejects.toMatchObject({ kind: 'failed' })
      await expect(send(providerAt(host, { host: '127.0.0.1', tls: 'NONE' }), {}, tools)).rejects.toThrow()
    }
    await expect(send(providerAt(host, { tls: 'STARTTLS' }), {}, outside)).rejects.toMatchObject({ kind: 'failed' })
    expect(host.connections()).toBe(0)
  })
})

describe('a refusal', () => {
  test('of the password is clear and does not repeat it', async () => {
    const host = await open({ tls: 'STARTTLS', auth })
    const sending = send(providerAt(host, { username: auth.user }, { secret: 'Wrong-Secret-77' }))
    await expect(sending).rejects.toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/username and password/),
    })
    await expect(sending).rejects.not.toMatchObject({ message: expect.stringContaining('Wrong-Secret-77') })
    expect(host.mails).toEqual([])
  })

  test('of the recipient, before or after the content, is clear', async () => {
    const refusal = Object.assign(new Error('no such user'), { responseCode: 550 })
    const early = await open({ refuseRecipient: () => refusal })
    await expect(send(providerAt(early, { tls: 'NONE' }))).rejects.toMatchObject({ kind: 'failed' })
    const late = await open({ beforeAnswer: async () => refusal })
    await expect(send(providerAt(late, { tls: 'NONE' }))).rejects.toMatchObject({ kind: 'failed' })
    expect(early.mails).toEqual([])
  })
})

describe('S47: a line break', () => {
  const breaks = ['\r\n', '\n', '\r', '\u0000', '\u000b', '\u0085']
  const injected = (glue: string) => `x${glue}Bcc: eve@example.net${glue}${glue}body`

  test.each(breaks.map((glue) => [JSON.stringify(glue), glue]))('%s in a header is refused', async (_name, glue) => {
    const host = await open()
    const plain = { tls: 'NONE' }
    const attempts: [Partial<Outgoing>, Partial<OpenProvider>][] = [
      [{ subject: injected(glue) }, {}],
      [{ to: `ada@example.org${glue}RCPT TO:<eve@example.net>` }, {}],
      [{ to: `ada@example.org${glue}` }, {}],
      [{}, { fromName: injected(glue) }],
      [{}, { fromAddress: `login@example.com${glue}Bcc: eve@example.net` }],
    ]
    for (const [message, rest] of attempts) {
      await expect(send(providerAt(host, plain, rest), message)).rejects.toMatchObject({ kind: 'failed' })
    }
    expect(host.connections()).toBe(0)
  })

  test('or a second address in the recipient is refused', async () => {
    const host = await open()
    for (const to of [
      'a@x.org,eve@y.org',
      'a@x.org eve@y.org',
      '<a@x.org>',
      'A <a@x.org>',
      'a@x.org>',
      '"a\\"@x.org',
    ]) {
      await expect(send(providerAt(host, { tls: 'NONE' }), { to })).rejects.toMatchObject({ kind: 'failed' })
    }
    expect(host.mails).toEqual([])
  })

  test('in the text ends neither the mail nor the conversation', async () => {
    const host = await open()
    const text = 'one\r\n.\r\nMAIL FROM:<eve@example.net>\r\nRCPT TO:<bob@example.net>\r\nDATA\r\ntwo\n.\n\r.\r'
    await send(providerAt(host, { tls: 'NONE' }), { text, html: null })
    expect(host.mails).toHaveLength(1)
    expect(host.mails[0]!.to).toEqual(['ada@example.org'])
    expect(host.mails[0]!.text).toContain('two')
  })
})
