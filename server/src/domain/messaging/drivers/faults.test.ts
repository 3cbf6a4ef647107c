import { afterAll, describe, expect, test } from 'vitest'
import { type BadHost, type Misdeed, startBadHost } from '../../../../test/messaging/bad-host.ts'
import { createMark, createMessage, createProvider, createTools } from '../../../../test/messaging/driver-tools.ts'
import type { HttpConfig, SmtpConfig } from '../providers/config-schema.ts'
import { sendMailOverHttp } from './http.ts'
import { sendOverSmtp } from './smtp.ts'

const tools = createTools()
const hosts: BadHost[] = []

// Most of the time here is spent waiting, so they wait together.
afterAll(async () => {
  for (const host of hosts) await host.stop()
  await tools.egress.close()
})

async function open(...options: Parameters<typeof startBadHost>): Promise<BadHost> {
  const host = await startBadHost(...options)
  hosts.push(host)
  return host
}

const misdeeds: Misdeed[] = ['hang', 'drip', 'flood', 'reset']
const mailAt = ({ port }: BadHost, timeoutMs: number) =>
  createProvider<SmtpConfig>('smtp', { host: 'mail.test', port, tls: 'NONE', timeoutMs })

/** Answers as a mail server does until the line starts with this word. */
const politeUntil = (word: string) => (said: string) => {
  if (said === '' || said.startsWith(word) || (word === '.' && said.includes('\r\n.\r\n'))) return null
  if (said.startsWith('EHLO')) return '250 mail.test\r\n'
  if (said.startsWith('DATA')) return '354 go on\r\n'
  return /^(MAIL|RCPT)/.test(said) ? '250 ok\r\n' : ''
}

/** How long something took, and how it ended. */
async function watch(work: Promise<unknown>) {
  const startedAt = performance.now()
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown as { kind?: string; name: string },
  )
  return { error, tookMs: performance.now() - startedAt }
}

describe.concurrent.each(misdeeds)('F21: a mail server that does this: %s', (misdeed) => {
  test.each(['EHLO', 'MAIL', 'DATA'])('at %s fails in time, and nothing was handed over', async (word) => {
    const host = await open(misdeed, politeUntil(word), '220 mail.test\r\n')
    const mark = createMark()
    const { error, tookMs } = await watch(sendOverSmtp(tools, mailAt(host, 1500), createMessage(), mark.handOver))
    expect(error).toMatchObject({ name: 'DeliveryError', kind: 'failed' })
    expect(tookMs).toBeLessThan(2500)
    expect(mark.seen).toEqual([])
    expect(host.sent()).toBeLessThan(8 * 1024 * 1024)
    await expect.poll(() => host.open()).toBe(0)
  })

  test('in place of a greeting fails in time', async () => {
    const host = await open(misdeed)
    const { error, tookMs } = await watch(sendOverSmtp(tools, mailAt(host, 1000), createMessage(), async () => {}))
    expect(error).toMatchObject({ name: 'DeliveryError', kind: 'failed' })
    expect(tookMs).toBeLessThan(2000)
    await expect.poll(() => host.open()).toBe(0)
  })

  test('after the mail leaves it unconfirmed, in time', async () => {
    const host = await open(misdeed, politeUntil('.'), '220 mail.test\r\n')
    const mark = createMark()
    const { error, tookMs } = await watch(sendOverSmtp(tools, mailAt(host, 1500), createMessage(), mark.handOver))
    expect(error).toMatchObject({ name: 'DeliveryError', kind: 'unconfirmed' })
    expect(mark.seen).toHaveLength(1)
    expect(tookMs).toBeLessThan(2500)
  })
})

describe.concurrent('F21: a mail server with ten seconds', () => {
  test('never gets more of them than that', async () => {
    const host = await open('drip', politeUntil('EHLO'), '220 mail.test\r\n')
    const { tookMs } = await watch(sendOverSmtp(tools, mailAt(host, 10_000), createMessage(), async () => {}))
    expect(tookMs).toBeGreaterThan(9000)
    expect(tookMs).toBeLessThan(11_000)
  }, 15_000)
})

describe.concurrent.each(misdeeds)('F21: an HTTP provider that does this: %s', (misdeed) => {
  const send = (host: BadHost) =>
    sendMailOverHttp(
      tools,
      createProvider<HttpConfig>('http', { url: `http://127.0.0.1:${host.port}/` }),
      createMessage(),
      async () => {},
    )

  test('in place of an answer leaves the message unconfirmed within five seconds', async () => {
    const host = await open(misdeed, (said) => (said === '' ? '' : null))
    const { error, tookMs } = await watch(send(host))
    expect(error).toMatchObject({ name: 'DeliveryError', kind: 'unconfirmed' })
    expect(tookMs).toBeLessThan(5500)
  }, 10_000)

  test('in the middle of an answer leaves the message unconfirmed within five seconds', async () => {
    const host = await open(misdeed, (said, socket) => {
      if (said === '') return ''
      const length = misdeed === 'reset' ? 'content-length: 100\r\n' : ''
      socket.write(`HTTP/1.1 200 OK\r\n${length}content-type: application/json\r\n\r\n{`)
      return null
    })
    const { error, tookMs } = await watch(send(host))
    expect(error).toMatchObject({ name: 'DeliveryError', kind: 'unconfirmed' })
    expect(tookMs).toBeLessThan(5500)
    expect(host.sent()).toBeLessThan(8 * 1024 * 1024)
  }, 10_000)
})

test('F21: a provider that nobody listens at has clearly got nothing', async () => {
  const host = await startBadHost('hang')
  await host.stop()
  const http = createProvider<HttpConfig>('http', { url: `http://127.0.0.1:${host.port}/` })
  await expect(sendMailOverHttp(tools, http, createMessage(), async () => {})).rejects.toMatchObject({ kind: 'failed' })
  const sending = sendOverSmtp(tools, mailAt(host, 1000), createMessage(), async () => {})
  await expect(sending).rejects.toMatchObject({ kind: 'failed' })
})

test('F33: a name that cannot be resolved is a clear failure', async () => {
  const { createEgress } = await import('../../../platform/egress/index.ts')
  const lookup = async () => Promise.reject(new Error('no resolver'))
  const egress = createEgress({ allow: [], lookup })
  const deaf = { ...tools, egress }
  const http = createProvider<HttpConfig>('http', { url: 'https://sms.example.com/' })
  await expect(sendMailOverHttp(deaf, http, createMessage(), async () => {})).rejects.toMatchObject({ kind: 'failed' })
  const smtp = createProvider<SmtpConfig>('smtp', { host: 'mail.example.com' })
  await expect(sendOverSmtp(deaf, smtp, createMessage(), async () => {})).rejects.toMatchObject({ kind: 'failed' })
  await egress.close()
})
