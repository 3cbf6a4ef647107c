import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Browser,
  createBrowser,
  createRealmFor,
  startTestNode,
  type TestNode,
} from '../../../../test/harness/index.ts'
import { systemPassword } from '../../../../test/harness/node.ts'

const received: string[] = []
const collector = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => received.push(`${request.headers.authorization} ${chunk.toString()}`))
  request.on('end', () => response.writeHead(204).end())
})
let node: TestNode
let system: Browser
let httpUrl: string

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  httpUrl = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/audit`
  node = await startTestNode({ env: { GATEHOUSE_EGRESS_ALLOW: 'http://127.0.0.1' } })
  system = await signInSystem(node)
})

afterAll(async () => {
  await node.stop()
  collector.close()
})

async function signInSystem(at: TestNode): Promise<Browser> {
  const browser = createBrowser(at.url)
  const login = await browser.login('master', 'admin', systemPassword)
  expect(login.status).toBe(200)
  return browser
}

const path = '/admin/audit/config'

test('shows the defaults of the specification until something is set', async () => {
  const answer = await system.get(path)
  expect(answer.status).toBe(200)
  expect(answer.headers.etag).toBeDefined()
  expect(answer.body).toEqual({
    enabled: true,
    transports: ['stdout'],
    httpUrl: null,
    httpConfigured: false,
    authConfigured: false,
    categories: ['AUTHN', 'ADMIN'],
    timeoutMs: 2000,
  })
})

test('forwards events once it is set, keeps the token to itself, and masks the receiver for other realms', async () => {
  const put = await system.write('PUT', path, {
    httpUrl,
    httpAuthToken: 'collector-token',
    categories: ['ADMIN'],
    timeoutMs: 1500,
  })
  expect(put.status).toBe(200)
  expect(put.body).toMatchObject({
    transports: ['stdout', 'http'],
    httpUrl,
    httpConfigured: true,
    authConfigured: true,
  })
  expect(put.text).not.toContain('collector-token')

  // What was read can be sent back as it is; the token stays.
  const read = await system.get(path)
  const again = await system.write('PUT', path, read.body, { headers: { 'if-match': String(read.headers.etag) } })
  expect([again.status, again.body]).toEqual([200, read.body])
  const stale = await system.write('PUT', path, read.body, { headers: { 'if-match': String(read.headers.etag) } })
  expect(stale.status).toBe(412)

  const realm = await createRealmFor({ node })
  const seen = await realm.admin.get(path)
  expect([seen.status, seen.body.httpUrl, seen.body.httpConfigured]).toEqual([200, 'http://…', true])
  expect((await realm.admin.write('PUT', path, { httpUrl: null })).status).toBe(403)
  const { browser } = await realm.signInWith(['view-users'])
  expect((await browser.get(path)).status).toBe(403)

  // The configuration is read again every few seconds.
  await expect
    .poll(
      async () => {
        await realm.call('POST', '/roles', { name: `role-${Math.random()}` })
        return received.join('\n')
      },
      { timeout: 15_000, interval: 300 },
    )
    .toContain(`"realm":"${realm.realmId}"`)
  expect(received.join('\n')).toContain('Bearer collector-token')
  expect(received.join('\n')).not.toContain('"category":"AUTHN"')

  const events = (await system.get('/admin/realms/master/events?resourceType=audit-config')).body.items
  expect(
    events.map((event: { type: string; outcome: string; resourceId: string }) => [
      event.type,
      event.outcome,
      event.resourceId,
    ]),
  ).toContainEqual(['ADMIN_UPDATE', 'SUCCESS', 'master'])
  expect(JSON.stringify(events) + JSON.stringify(node.auditLines) + node.lines.join('')).not.toContain(
    'collector-token',
  )
  const { body } = await system.write('PUT', path, { httpAuthToken: '' })
  expect(body).toMatchObject({ httpUrl: null, authConfigured: false })
}, 40_000)

test.each([
  ['httpUrl', { httpUrl: 'https://user:pass@collector.example.com/' }],
  ['httpUrl', { httpUrl: 'https://10.0.0.1/' }],
  ['httpUrl', { httpUrl: 'ftp://collector.example.com/' }],
  ['categories[0]', { categories: ['EVERYTHING'] }],
  ['timeoutMs', { timeoutMs: 1 }],
  ['httpAuthToken', { httpAuthToken: 'a\r\nb' }],
  ['colour', { colour: 'red' }],
])('refuses an unusable %s', async (field, body) => {
  const answer = await system.write('PUT', path, body)
  expect([answer.status, answer.body.errors[0].field]).toEqual([400, field])
})

test('is read-only when the environment sets it', async () => {
  const env = { GATEHOUSE_AUDIT_HTTP_URL: 'https://collector.example.com/x', GATEHOUSE_AUDIT_HTTP_TOKEN: 't0ken' }
  const fixed = await startTestNode({ env })
  const browser = await signInSystem(fixed)
  const read = await browser.get(path)
  expect(read.body).toMatchObject({ httpUrl: env.GATEHOUSE_AUDIT_HTTP_URL, httpConfigured: true, authConfigured: true })
  const answer = await browser.write('PUT', path, { httpUrl: null })
  expect([answer.status, answer.body.code]).toEqual([409, 'protected'])
  await fixed.stop()
}, 30_000)
