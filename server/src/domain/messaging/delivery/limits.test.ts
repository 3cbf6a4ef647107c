import { expect, test } from 'vitest'
import { startBadHost } from '../../../../test/messaging/bad-host.ts'
import { createRealmFor, startTestNode } from '../../../../test/harness/index.ts'
import { queue, smtpProvider } from '../../../../test/messaging/messaging-node.ts'
import { startSmtpHost } from '../../../../test/messaging/smtp-host.ts'
import { allowMessage } from './limits.ts'

test('a recipient gets five messages in ten minutes, whatever the spelling, and other realms and channels count apart', async () => {
  const realm = await createRealmFor()
  const { services } = realm.node
  const ask = (to: string, realmId = realm.realmId, channel: 'EMAIL' | 'SMS' = 'EMAIL') =>
    allowMessage(services, realmId, channel, to)
  for (const to of ['ada@example.org', 'ADA@example.org', 'ada@EXAMPLE.org', 'ada@example.org', 'ada@example.org']) {
    expect(await ask(to)).toEqual({ allowed: true, retryAfterSeconds: 0 })
  }
  const refused = await ask('Ada@example.org')
  expect(refused.allowed).toBe(false)
  expect(refused.retryAfterSeconds).toBeGreaterThan(590)
  expect((await ask('bob@example.org')).allowed).toBe(true)
  expect((await ask('ada@example.org', 'another-realm')).allowed).toBe(true)
  for (const to of ['+31 20 123', '+3120123', '31-20-123', '+31 (20) 123', '+31/20/123'])
    await ask(to, realm.realmId, 'SMS')
  expect((await ask('+31.20.123', realm.realmId, 'SMS')).allowed).toBe(false)
})

test('F21: a mail server that hangs holds up its own realm only', async () => {
  const env = { GATEHOUSE_EGRESS_ALLOW: 'smtp://127.0.0.1', GATEHOUSE_WORKER: 'true' }
  const working = await startTestNode({ env })
  const hanging = await startBadHost('hang')
  const host = await startSmtpHost()
  try {
    const [slow, quick] = [await createRealmFor({ node: working }), await createRealmFor({ node: working })]
    const timeoutMs = 10_000
    const config = { host: '127.0.0.1', port: hanging.port, tls: 'NONE', timeoutMs }
    await slow.call('PUT', '/messaging/providers', smtpProvider(hanging.port, { config }))
    await quick.call('PUT', '/messaging/providers', smtpProvider(host.port))
    for (let i = 0; i < 20; i++) await queue(slow)
    await expect.poll(() => hanging.open(), { timeout: 10_000 }).toBeGreaterThan(1)
    const startedAt = performance.now()
    for (let i = 0; i < 5; i++) await queue(quick)
    await expect.poll(() => host.mails.length, { timeout: 8000 }).toBe(5)
    expect(performance.now() - startedAt).toBeLessThan(6000)
    expect(hanging.open()).toBeLessThanOrEqual(4)
    await slow.call('DELETE', '/messaging/providers/EMAIL/smtp')
  } finally {
    await hanging.stop()
    await host.stop()
    await working.stop()
  }
}, 60_000)
