// S50: everything that comes from outside has a limit, and nothing that a caller writes becomes the name of a metric.
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBrowser, createRealmFor, startTestNode, type TestNode, type TestRealm } from '../harness/index.ts'
import { expectProblem, fieldsOf } from './problems.ts'

const maxRealms = 3
let node: TestNode
let realm: TestRealm
beforeAll(async () => {
  node = await startTestNode({ env: { GATEHOUSE_METRICS_MAX_REALMS: String(maxRealms) } })
  realm = await createRealmFor({ node })
})
afterAll(() => node.stop())

/** What the server answers to bytes that no library would send. */
function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(node.url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    socket.setTimeout(5000, () => socket.destroy())
  })
}

const base = () => `/admin/realms/${realm.realmId}`

describe('S50: headers', () => {
  test('of more than 16 KB are refused before anything else', async () => {
    const large = await sendRaw(
      `GET ${base()}/users HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Large: ${'a'.repeat(17_000)}\r\n\r\n`,
    )
    expect(large).toMatch(/^HTTP\/1\.1 431 /)
    const cookie = await sendRaw(
      `GET ${base()}/users HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: a=${'a'.repeat(17_000)}\r\n\r\n`,
    )
    expect(cookie).toMatch(/^HTTP\/1\.1 431 /)
    const path = await sendRaw(
      `GET ${base()}/users?search=${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    )
    expect(path).toMatch(/^HTTP\/1\.1 4(14|31) /)
  })

  test('with a large cookie or hundreds of them are read like any other', async () => {
    const browser = createBrowser(node.url)
    browser.cookies.set(`gatehouse_session_${realm.realmId}`, 'a'.repeat(14_000))
    expectProblem(await browser.get(`${base()}/users`), 401, 'unauthenticated')
    const many = createBrowser(node.url)
    for (let at = 0; at < 300; at++) many.cookies.set(`gatehouse_session_r${at}`, `${at}`)
    expectProblem(await many.get('/admin/realms'), 401, 'unauthenticated')
  })

  test('that keep an answer for a repetition are of bounded length', async () => {
    const headers = { 'idempotency-key': 'k'.repeat(256) }
    const answer = await realm.call('POST', '/roles', { name: 'x' }, { headers })
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['Idempotency-Key']])
  })

  test('cannot end a request early and begin another', async () => {
    const smuggled = await sendRaw(
      `POST ${base()}/users HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /monitoring/health HTTP/1.1\r\nHost: x\r\n\r\n`,
    )
    expect(smuggled).toMatch(/^HTTP\/1\.1 400 /)
    expect(smuggled.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })
})

describe('S50: bodies', () => {
  test('without a declared length are cut off at 1 MiB', async () => {
    const cookie = [...realm.admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, 'x-xsrf-token': realm.admin.csrf(), 'content-type': 'application/json' }
    const status = await new Promise<number>((resolve, reject) => {
      const request = httpRequest(`${node.url}${base()}/users`, { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      request.on('error', reject)
      for (let part = 0; part < 20; part++) request.write('"'.padEnd(64 * 1024, 'a'))
      request.end()
    })
    expect(status).toBe(413)
  })

  test('of people who are not signed in are not parsed', async () => {
    const browser = createBrowser(node.url)
    const answer = await browser.send('POST', `${base()}/users`, { raw: '{"broken', type: 'application/json' })
    expectProblem(answer, 401, 'unauthenticated')
  })

  test('with a password of a megabyte cost no hash', async () => {
    const user = (await realm.call('POST', '/users', { username: 'long' })).body
    const started = performance.now()
    const answer = await realm.call('PUT', `/users/${user.userId}/password`, { newPassword: 'a'.repeat(1_000_000) })
    expect([answer.status, fieldsOf(answer)[0]]).toEqual([400, 'newPassword'])
    const login = await createBrowser(node.url).login(realm.realmId, 'long', 'a'.repeat(1_000_000))
    expect([400, 401], login.text).toContain(login.status)
    expect(performance.now() - started).toBeLessThan(5000)
  })

  test('of a sign-in that no database could hold are an ordinary failure', async () => {
    for (const username of ['a\0b', '\ud800', '\0']) {
      const answer = await createBrowser(node.url).login(realm.realmId, username, 'wrong-password-here')
      expect([400, 401], answer.text).toContain(answer.status)
      const browser = createBrowser(node.url)
      await browser.get(`/realms/${realm.realmId}/login`)
      const json = await browser.send('POST', `/realms/${realm.realmId}/login`, {
        json: { username, password: 'a\0b', _csrf: browser.csrf() },
        headers: { accept: 'application/json' },
      })
      expect([400, 401], json.text).toContain(json.status)
    }
  })
})

describe('S50: metrics', () => {
  /** The values of one label over all metrics. */
  async function labelValues(label: string): Promise<Set<string>> {
    const text = await node.services.metrics.text()
    return new Set([...text.matchAll(new RegExp(`[{,]${label}="([^"]*)"`, 'g'))].map((match) => match[1]!))
  }

  test('have no label that a caller wrote', async () => {
    const mark = 'planted-by-a-caller'
    const browser = createBrowser(node.url)
    for (const path of [
      `/${mark}`,
      `/admin/realms/${mark}/users`,
      `/realms/${mark}/login`,
      `${base()}/users/${mark}`,
      `/errors/${mark}`,
    ]) {
      await browser.get(path, { headers: { 'user-agent': mark, 'x-forwarded-for': mark, referer: mark } })
      await browser.login(mark, mark, mark).catch(() => undefined)
    }
    await browser.login(realm.realmId, mark, mark)
    await sendRaw(`${mark.toUpperCase()} / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    await sendRaw('PROPFIND / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const text = await node.services.metrics.text()
    expect(text.toLowerCase()).not.toContain(mark)
    expect(
      [...(await labelValues('method'))].filter(
        (method) => !/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|other)$/.test(method),
      ),
    ).toEqual([])
  })

  test('name a bounded number of realms and count the rest together', async () => {
    for (let at = 0; at < maxRealms + 3; at++) {
      const next = await createRealmFor({ node })
      expect((await next.call('POST', '/roles', { name: 'x' })).status).toBe(201)
    }
    const realms = await labelValues('realm')
    expect(realms.has('_other')).toBe(true)
    expect(realms.has(node.services.config.bootstrap.realm)).toBe(true)
    expect(realms.size).toBeLessThanOrEqual(maxRealms + 1)
  })

  test('stay the same size whatever is asked for', async () => {
    const browser = createBrowser(node.url)
    await browser.get('/nothing/here')
    const lines = async () =>
      (await node.services.metrics.text()).split('\n').filter((line) => line.startsWith('http_server')).length
    const before = await lines()
    for (let at = 0; at < 50; at++) await browser.get(`/nothing/here/${at}`)
    expect(await lines()).toBe(before)
  })
})
