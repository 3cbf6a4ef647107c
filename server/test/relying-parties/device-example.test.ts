// The example device (examples/device) as a program of its own: it enrols itself, is told of a sign-in by push, and answers.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyStatement } from '../../src/domain/devices/index.ts'
import { createHeader, createKey, createStatement } from '../../../examples/device/signing.ts'
import {
  addPerson,
  createRealmFor,
  isSignedIn,
  must,
  passPassword,
  startTestNode,
  step,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'

const script = fileURLToPath(new URL('../../../examples/device/device.ts', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-device-'))
const data = join(directory, 'data')
const started: ChildProcessWithoutNullStreams[] = []

let node: TestNode
let realm: TestRealm
let userId: string
let port: number
beforeAll(async () => {
  node = await startTestNode({ env: { GATEHOUSE_EGRESS_ALLOW: 'http://127.0.0.1' } })
  realm = await createRealmFor({ node })
  ;({ userId } = await addPerson(realm, 'ada'))
  port = await findPort()
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  await must(
    realm.call('PUT', '/messaging/providers', {
      channel: 'PUSH',
      driver: 'fcm',
      config: { projectId: 'example', clientEmail: 'push@example.org', endpoint: `http://127.0.0.1:${port}` },
      secret: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    }),
    200,
  )
})
afterAll(async () => {
  for (const child of started) child.kill()
  rmSync(directory, { recursive: true, force: true })
  await node.stop()
})

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const found = (server.address() as AddressInfo).port
  server.close()
  await once(server, 'close')
  return found
}

function start(...args: string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [script, '--data', data, ...args])
  started.push(child)
  return child
}

async function run(...args: string[]): Promise<{ output: string; complaints: string }> {
  const child = start(...args)
  const [output, complaints] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()])
  return { output: output.join(''), complaints: complaints.join('') }
}

/** Waits until the program has said this, and gives what it matched. */
async function hear(child: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<RegExpExecArray> {
  let heard = ''
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    heard += String(chunk)
    const match = pattern.exec(heard)
    if (match) return match
  }
  throw new Error(`it never said ${pattern}: ${heard}`)
}

test('enrols itself and keeps its key to itself', async () => {
  const { enrollmentUrl } = (await must(realm.call('POST', `/users/${userId}/credentials`, { type: 'device' }), 201))
    .body
  const { output, complaints } = await run('enroll', enrollmentUrl, '--name', 'Simulator of Ada', '--push')
  expect(complaints).toBe('')
  expect(JSON.parse(output)).toMatchObject({ issuer: `${node.url}/realms/${realm.realmId}` })
  expect(statSync(join(data, 'device.json')).mode & 0o777).toBe(0o600)
  const [device] = (await realm.call('GET', `/users/${userId}/credentials`)).body
  expect(device).toMatchObject({ type: 'device', label: 'Simulator of Ada' })
  expect((await run('enroll', enrollmentUrl)).complaints).toContain('already')
})

test('is told of a sign-in by push and answers with the number on the screen', async () => {
  const listening = start('listen', '--port', String(port))
  await hear(listening, /The push service is at/)
  const { browser, answer, challengeId } = await passPassword(realm, 'ada')
  expect(answer.body).toMatchObject({ mfaRequired: true })
  const asked =
    answer.body.method === 'push' ? answer : await step(browser, realm, { signIn: challengeId, method: 'push' })
  await hear(listening, /Which number/)
  listening.stdin.write(`${asked.body.number}\n`)
  await hear(listening, /status: 'APPROVED'/)
  await must(step(browser, realm, { signIn: challengeId }), 200)
  expect(isSignedIn(browser, realm)).toBe(true)
}, 30_000)

test('lists what waits for it, shows and denies it', async () => {
  const { browser, answer, challengeId } = await passPassword(realm, 'ada')
  if (answer.body.method !== 'push') await step(browser, realm, { signIn: challengeId, method: 'push' })
  const [question] = JSON.parse((await run('list')).output) as { id: string }[]
  expect(JSON.parse((await run('show', question!.id)).output)).toMatchObject({ id: question!.id, status: 'PENDING' })
  expect(JSON.parse((await run('deny', question!.id)).output)).toMatchObject({ status: 'DENIED' })
  expect((await run('approve', question!.id, '--number', '1')).complaints).toMatch(/^4\d\d /)
  await step(browser, realm, { signIn: challengeId })
  expect(isSignedIn(browser, realm)).toBe(false)
})

test('signs a transaction in words that count for it alone', async () => {
  const { output } = await run('sign', 'tx-1', '--hash', 'abc')
  const { deviceId, signature: jws, method } = JSON.parse(output)
  const verify = (claims: Record<string, string>) =>
    realm.run((ctx) => verifyStatement(ctx, { userId, deviceId, jws, claims }))
  expect(method).toBe('DEVICE')
  expect(await verify({ tx: 'tx-1', hash: 'abc', decision: 'APPROVE' })).toBe(true)
  expect(await verify({ tx: 'tx-1', hash: 'abc', decision: 'REJECT' })).toBe(false)
})

test('says how it is used, and what is wrong', async () => {
  expect((await run('dance')).complaints).toContain('enroll <enrollmentUrl>')
  expect((await run('enroll', 'https://evil.example/', '--data', join(directory, 'other'))).complaints).toMatch(
    /address/,
  )
  expect(existsSync(join(directory, 'other'))).toBe(false)
})

test('the signing part can be used by others', () => {
  const device = { issuer: 'https://login.example/realms/x', deviceId: 'd', privateKey: createKey() }
  expect(createHeader(device, 'GET', 'https://login.example/realms/x/push')).toMatch(
    /^DeviceKey [\w-]+\.[\w-]+\.[\w-]+$/,
  )
  expect(createStatement(device, { push: 'p' })).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
})
