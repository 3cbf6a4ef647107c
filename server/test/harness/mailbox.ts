// A mailbox and a telephone on loopback, and a node that may send to them: what people get, tests read.
// Contract 2.80-2.84; the service speaks SMTP and HTTP to them as to any provider.
import { setTimeout as sleep } from 'node:timers/promises'
import { startHttpHost } from '../messaging/http-host.ts'
import { startSmtpHost } from '../messaging/smtp-host.ts'
import { startTestNode, type TestNode } from './node.ts'
import { createRealmFor, must, type TestRealm } from './realm.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** Addresses of this mail, in order, each once. */
  links: string[]
  /** The path and query of the first link; empty when there is none. */
  link: string
  /** What `token` says in the first link. */
  token: string
  /** The first six digits that stand alone. */
  code: string
}

export interface Mailbox {
  port: number
  mails: Mail[]
  to(address: string): Mail[]
  /** The newest mail to this address, once so many came in all. */
  waitFor(address: string, count?: number): Promise<Mail>
  stop(): Promise<void>
}

export interface Telephone {
  url: string
  texts: string[]
  to(number: string): string[]
  waitFor(number: string, count?: number): Promise<string>
  stop(): Promise<void>
}

// A mail goes through two queues, each looked at once a second, on a machine that others use, too.
const patienceMs = 15_000

async function waitForNth<T>(list: () => T[], count: number, what: string): Promise<T> {
  const end = performance.now() + patienceMs
  while (list().length < count) {
    if (performance.now() > end) throw new Error(`${what} got ${list().length} of ${count} messages`)
    await sleep(20)
  }
  return list()[count - 1]!
}

export async function startMailbox(): Promise<Mailbox> {
  const host = await startSmtpHost()
  const read = (): Mail[] => host.mails.map(({ to, headers, text, html }) => describeMail(to, headers, text, html))
  const to = (address: string) => read().filter((mail) => mail.to === address)
  return {
    port: host.port,
    get mails() {
      return read()
    },
    to,
    waitFor: (address, count = 1) => waitForNth(() => to(address), count, address),
    stop: host.stop,
  }
}

function describeMail(to: string[], headers: Map<string, string>, text: string, html: string | null): Mail {
  const links = [...new Set([...text.matchAll(/https?:\/\/[^\s<>"]+/g)].map(([link]) => link))]
  const first = links[0] ? new URL(links[0]) : null
  return {
    to: to.join(','),
    subject: headers.get('subject') ?? '',
    text,
    html: html ?? '',
    links,
    link: first ? first.pathname + first.search : '',
    token: first?.searchParams.get('token') ?? '',
    code: codeIn(text),
  }
}

export const codeIn = (text: string): string => /(?<![\w-])\d{6}(?![\w-])/.exec(text)?.[0] ?? ''

export async function startTelephone(): Promise<Telephone> {
  const host = await startHttpHost()
  const read = () => host.requests.map(({ body }) => JSON.parse(body) as { to: string; text: string })
  const to = (number: string) =>
    read()
      .filter((message) => message.to === number)
      .map((message) => message.text)
  return {
    url: host.origin,
    get texts() {
      return read().map(({ text }) => text)
    },
    to,
    waitFor: (number, count = 1) => waitForNth(() => to(number), count, number),
    stop: host.stop,
  }
}

export interface MailNode {
  node: TestNode
  mailbox: Mailbox
  telephone: Telephone
  /** A fresh realm that can send mails and text messages, with these settings. */
  openRealm(settings?: Record<string, unknown>): Promise<TestRealm>
  stop(): Promise<void>
}

/** A node of its own with a mailbox: one for each test file, so that its clock can be moved. */
export async function startMailNode(env: Record<string, string> = {}): Promise<MailNode> {
  const [mailbox, telephone] = await Promise.all([startMailbox(), startTelephone()])
  const allow = { GATEHOUSE_EGRESS_ALLOW: 'smtp://127.0.0.1,http://127.0.0.1' }
  const node = await startTestNode({ env: { ...allow, ...env } })
  return {
    node,
    mailbox,
    telephone,
    async openRealm(settings) {
      const realm = await createRealmFor({ node })
      await addMailProvider(realm, mailbox)
      await addTextProvider(realm, telephone)
      if (settings) await must(realm.call('PUT', '/settings', settings), 200)
      return realm
    },
    async stop() {
      await node.stop()
      await Promise.all([mailbox.stop(), telephone.stop()])
    },
  }
}

export async function addMailProvider(realm: TestRealm, { port }: Mailbox): Promise<void> {
  const config = { host: '127.0.0.1', port, tls: 'NONE' }
  const provider = { channel: 'EMAIL', driver: 'smtp', fromAddress: 'login@example.org', config }
  await must(realm.call('PUT', '/messaging/providers', provider), 200)
}

export async function addTextProvider(realm: TestRealm, { url }: Telephone): Promise<void> {
  const provider = { channel: 'SMS', driver: 'http', fromAddress: 'Example', config: { url } }
  await must(realm.call('PUT', '/messaging/providers', provider), 200)
}

/** An address that only this realm writes to: every test of a file shares the mailbox. */
export const addressIn = (realm: TestRealm, name: string): string => `${name}@${realm.realmId}.example.org`

/** What was sent to people or typed by them and stands in a log all the same (S48). */
export function findLeaks({ node, mailbox, telephone }: MailNode, planted: string[]): string[] {
  const sent = mailbox.mails.flatMap(({ token, code }) => [token, code])
  const secrets = [...new Set([...sent, ...telephone.texts.map(codeIn), ...planted])].filter(Boolean)
  const log = [...node.lines, ...node.auditLines.map((line) => JSON.stringify(line))].join('\n')
  return secrets.filter((secret) => new RegExp(`(?<![\\w.-])${escapeText(secret)}(?![\\w-])`).test(log))
}

const escapeText = (text: string) => text.replaceAll(/[^\w]/g, (sign) => `\\${sign}`)
