// A node that may reach this machine, for tests whose mail server and providers are here. It works no jobs by itself unless asked:
// tests that send a message themselves know when it was sent.
import { type Context } from '../../src/domain/context/index.ts'
import { queueMessage, type NewMessage } from '../../src/domain/messaging/index.ts'
import { sendMessage } from '../../src/domain/messaging/delivery/index.ts'
import { startTestNode, type TestNode, type TestRealm } from '../harness/index.ts'
import { runSql } from '../faults/parts.ts'

export function startMessagingNode(env: Record<string, string> = {}): Promise<TestNode> {
  const allow = 'smtp://127.0.0.1,http://127.0.0.1'
  return startTestNode({ env: { GATEHOUSE_EGRESS_ALLOW: allow, GATEHOUSE_WORKER: 'false', ...env } })
}

export const smtpProvider = (port: number, change: object = {}) => ({
  channel: 'EMAIL',
  driver: 'smtp',
  fromAddress: 'login@example.com',
  fromName: 'Example',
  config: { host: '127.0.0.1', port, tls: 'NONE', timeoutMs: 1000 },
  ...change,
})

export const httpProvider = (channel: 'EMAIL' | 'SMS', origin: string, change: object = {}) => ({
  channel,
  driver: 'http',
  fromAddress: channel === 'EMAIL' ? 'login@example.com' : '+31201111111',
  config: { url: `${origin}/send` },
  ...change,
})

export const otpMail: NewMessage = {
  templateKey: 'otp-email',
  channel: 'EMAIL',
  to: 'ada@example.org',
  userId: null,
  values: { code: '123456', ttl: '5' },
}

export const queue = (realm: TestRealm, change: Partial<NewMessage> = {}): Promise<boolean> =>
  realm.run((ctx: Context) => queueMessage(ctx, { ...otpMail, ...change }))

export interface StoredMessage {
  id: string
  status: string
  tries: number
  sealed: Buffer | null
  handed_over_at: string | null
  driver: string | null
  provider_id: string | null
  error: string | null
}

export async function messagesOf(realm: TestRealm): Promise<StoredMessage[]> {
  const { rows } = await runSql(
    realm.node.adminDatabaseUrl,
    'select id, status, tries, sealed, handed_over_at, driver, provider_id, error from messages where realm_id = $1 order by id',
    [realm.realmId],
  )
  return rows as StoredMessage[]
}

/** What the job does, now. */
export async function sendAll(realm: TestRealm): Promise<StoredMessage[]> {
  for (const { id } of await messagesOf(realm)) {
    await sendMessage(realm.node.services, { realmId: realm.realmId, messageId: id })
  }
  return messagesOf(realm)
}
