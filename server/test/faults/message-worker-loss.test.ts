// F25 and F3: a worker that is killed or frozen while it sends a mail or a push, before and after the moment that counts.
import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addDevice,
  addPerson,
  createRealmFor,
  must,
  passPassword,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { messagesOf, queue, smtpProvider, startMessagingNode } from '../messaging/messaging-node.ts'
import { type SmtpHost, type SmtpHostOptions, startSmtpHost } from '../messaging/smtp-host.ts'
import { report, waitUntil } from './parts.ts'

const program = fileURLToPath(new URL('../messaging/worker.fixture.ts', import.meta.url))
const children: ChildProcess[] = []
const hosts: { stop(): Promise<void> }[] = []
const nodes: TestNode[] = []

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const host of hosts) await host.stop()
  for (const node of nodes) await node.stop()
})

async function startWorker(node: TestNode): Promise<ChildProcess> {
  const { masterKeys, baseUrl } = node.services.config
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH ?? '',
      GATEHOUSE_BASE_URL: baseUrl,
      GATEHOUSE_DATABASE_URL: node.databaseUrl,
      GATEHOUSE_DATABASE_ADMIN_URL: node.adminDatabaseUrl,
      GATEHOUSE_DATABASE_PREPARED: String(node.services.config.databasePrepared),
      GATEHOUSE_MASTER_KEYS: masterKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
      GATEHOUSE_EGRESS_ALLOW: 'smtp://127.0.0.1,http://127.0.0.1',
    },
  })
  children.push(child)
  let output = ''
  child.stdout!.on('data', (chunk) => (output += chunk))
  await waitUntil(() => output.includes('working'), 30_000)
  return child
}

interface Place {
  node: TestNode
  realm: TestRealm
}

interface Scene extends Place {
  host: SmtpHost
}

interface PushScene extends Place {
  /** Ids of the messages that arrived, as telephones would tell them apart. */
  pushes: string[]
  /** Asks a question of somebody who signs in. */
  ask(): Promise<unknown>
}

interface PushHost {
  /** Awaited when somebody asks for an access token, before anything of a message is sent. */
  beforeToken?: () => Promise<void>
  /** Awaited when a push is there, before it is acknowledged. */
  beforeAnswer?: () => Promise<void>
}

/** The push service of a realm on loopback, with somebody who has a telephone. */
async function setUpPush({ beforeToken, beforeAnswer }: PushHost): Promise<PushScene> {
  const pushes: string[] = []
  const answer = async (path: string, body: string): Promise<string> => {
    if (path === '/token') {
      await beforeToken?.()
      return '{"access_token":"at-1","expires_in":3600}'
    }
    pushes.push(JSON.parse(body).message.data.id)
    await beforeAnswer?.()
    return '{"name":"projects/example-1/messages/1"}'
  }
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      void answer(request.url ?? '', Buffer.concat(chunks).toString()).then((text) => response.end(text))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  hosts.push({
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  })
  const node = await startMessagingNode()
  nodes.push(node)
  const realm = await createRealmFor({ node })
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const config = { projectId: 'example-1', clientEmail: 'push@example-1.iam.gserviceaccount.com', endpoint }
  const secret = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const pem = secret.export({ format: 'pem', type: 'pkcs8' }).toString()
  const provider = { channel: 'PUSH', driver: 'fcm', config, secret: pem }
  await must(realm.call('PUT', '/messaging/providers', provider), 200)
  const { userId } = await addPerson(realm, 'ada')
  await addDevice(realm, userId, { driver: 'fcm', pushToken: 'token-of-the-telephone-of-ada' })
  const ask = async () =>
    expect((await passPassword(realm, 'ada')).answer.body).toMatchObject({ authenticator: 'push' })
  return { node, realm, pushes, ask }
}

async function setUp(options: SmtpHostOptions): Promise<Scene> {
  const [node, host] = [await startMessagingNode(), await startSmtpHost(options)]
  nodes.push(node)
  hosts.push(host)
  const realm = await createRealmFor({ node })
  const config = { host: '127.0.0.1', port: host.port, tls: 'NONE', timeoutMs: 10_000 }
  await realm.call('PUT', '/messaging/providers', smtpProvider(host.port, { config }))
  return { node, realm, host }
}

/** Kills the worker when the host says so; another one takes over. */
async function killDuring(
  { node, realm }: Place,
  moment: Promise<void>,
  ask: () => Promise<unknown> = () => queue(realm),
): Promise<void> {
  const victim = await startWorker(node)
  await ask()
  await moment
  victim.kill('SIGKILL')
  const killedAt = performance.now()
  await startWorker(node)
  await waitUntil(async () => (await messagesOf(realm))[0]!.status !== 'QUEUED', 90_000, 200)
  report(`F25 the message of a killed worker was settled after ${Math.round(performance.now() - killedAt)} ms`)
}

/** Tells when the first mail is half said, and holds it until then; later ones pass. */
function holdFirst(tell: () => void, until: Promise<void>): () => Promise<void> {
  let isFirst = true
  return () => {
    if (!isFirst) return Promise.resolve()
    isFirst = false
    tell()
    return until
  }
}

let after: Scene
let before: Scene
let frozen: Scene
let pushed: PushScene
let stopped: PushScene
const arrived = Promise.withResolvers<void>()
const halfway = Promise.withResolvers<void>()
const stuck = Promise.withResolvers<void>()
const thaw = Promise.withResolvers<void>()
const rung = Promise.withResolvers<void>()
const waiting = Promise.withResolvers<void>()
const wake = Promise.withResolvers<void>()

beforeAll(async () => {
  // The first mail is there and never acknowledged.
  after = await setUp({
    beforeAnswer: () => {
      arrived.resolve()
      return new Promise(() => {})
    },
  })
  before = await setUp({ beforeRecipient: holdFirst(halfway.resolve, new Promise(() => {})) })
  frozen = await setUp({ beforeRecipient: holdFirst(stuck.resolve, thaw.promise) })
  pushed = await setUpPush({ beforeAnswer: holdFirst(rung.resolve, new Promise(() => {})) })
  stopped = await setUpPush({ beforeToken: holdFirst(waiting.resolve, wake.promise) })
}, 60_000)

// Both wait for the heartbeat of a dead worker to be missed, so they wait together.
test.concurrent('F25 killed between the hand-over and the answer: the mail arrives once and is recorded as unconfirmed', async () => {
  await killDuring(after, arrived.promise)
  expect(after.host.mails).toHaveLength(1)
  expect((await messagesOf(after.realm))[0]).toMatchObject({ status: 'UNCONFIRMED', sealed: null })
  const events = await after.realm.events('&type=MESSAGE_FAILED')
  expect(events.map(({ detail }) => JSON.parse(detail).status)).toEqual(['UNCONFIRMED'])
}, 120_000)

test.concurrent('F25 killed before the hand-over: another worker sends the mail, once', async () => {
  await killDuring(before, halfway.promise)
  expect(before.host.mails).toHaveLength(1)
  expect((await messagesOf(before.realm))[0]).toMatchObject({ status: 'SENT', sealed: null })
}, 120_000)

test.concurrent('F3 frozen before the hand-over: another worker sends the mail, and the first one, awake again, does not', async () => {
  const { node, realm, host } = frozen
  const victim = await startWorker(node)
  await queue(realm)
  await stuck.promise
  victim.kill('SIGSTOP')
  await startWorker(node)
  await waitUntil(async () => (await messagesOf(realm))[0]!.status === 'SENT', 90_000, 200)
  victim.kill('SIGCONT')
  thaw.resolve()
  await sleep(3000)
  expect(host.mails).toHaveLength(1)
  expect((await messagesOf(realm))[0]).toMatchObject({ status: 'SENT', sealed: null })
  expect(await realm.events('&type=MESSAGE_FAILED')).toEqual([])
}, 120_000)

test.concurrent('F25 killed between the hand-over and the answer: a question rings once on the telephone', async () => {
  await killDuring(pushed, rung.promise, pushed.ask)
  expect(pushed.pushes).toHaveLength(1)
  expect(await messagesOf(pushed.realm)).toMatchObject([{ status: 'UNCONFIRMED', sealed: null, driver: 'fcm' }])
}, 120_000)

test.concurrent('F3 frozen before the hand-over: another worker rings the telephone, and the first one, awake again, does not', async () => {
  const { node, realm, pushes, ask } = stopped
  const victim = await startWorker(node)
  await ask()
  await waiting.promise
  victim.kill('SIGSTOP')
  await startWorker(node)
  await waitUntil(async () => (await messagesOf(realm))[0]!.status === 'SENT', 90_000, 200)
  victim.kill('SIGCONT')
  wake.resolve()
  await sleep(3000)
  expect(pushes).toHaveLength(1)
  expect(await messagesOf(realm)).toMatchObject([{ status: 'SENT', sealed: null, driver: 'fcm' }])
  expect(await realm.events('&type=MESSAGE_FAILED')).toEqual([])
}, 120_000)
