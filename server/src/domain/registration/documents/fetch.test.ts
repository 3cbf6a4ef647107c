import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../../../test/messaging/certificate.ts'
import { type HostAnswer, type HttpHost, startHttpHost } from '../../../../test/messaging/http-host.ts'
import { createEgress, type Egress, parseEgressRule } from '../../../platform/egress/index.ts'
import { fetchDocument, freshSeconds } from './fetch.ts'
import { DocumentRefusal } from './refusal.ts'

const name = 'app.example.com'
const loopback = async () => [{ address: '127.0.0.1', family: 4 }]
const json = { 'content-type': 'application/json' }

let host: HttpHost
let egress: Egress
let careful: Egress
let answer: HostAnswer = {}
// Takes requests and never answers.
let silent: Server

beforeAll(async () => {
  const certificate = await makeCertificate(name)
  host = await startHttpHost({ certificate, name, answer: () => answer })
  const ca = [certificate.cert]
  egress = createEgress({ allow: [parseEgressRule(`https://${name}`)], lookup: loopback, ca })
  careful = createEgress({ allow: [], lookup: loopback, ca })
  silent = createServer(certificate, () => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', () => resolve()))
})

afterAll(async () => {
  await Promise.all([egress.close(), careful.close(), host.stop()])
  silent.closeAllConnections()
  silent.close()
})

const read = (by = egress) => fetchDocument(by, `${host.origin}/client.json`)
const refusalOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'taken' as const,
    (error: unknown) => error as DocumentRefusal,
  )

describe('a document is read', () => {
  test('as JSON, and asked for as such, without anything about us', async () => {
    answer = { headers: { ...json, 'cache-control': 'max-age=3600' }, body: '{"client_id":"x"}' }
    expect(await read()).toEqual({ members: { client_id: 'x' }, freshForMs: 3_600_000 })
    const { method, path, headers } = host.requests.at(-1)!
    expect([method, path, headers.accept]).toEqual(['GET', '/client.json', 'application/json'])
    expect(headers.cookie ?? headers.authorization ?? headers.referer).toBeUndefined()
    answer = { headers: { 'content-type': 'application/oauth-client+json; charset=utf-8' }, body: '{}' }
    expect((await read()).members).toEqual({})
  })

  test.each([
    ['a page', { headers: { 'content-type': 'text/html' }, body: '{}' }, 'INVALID'],
    ['no content type', { body: '{}' }, 'INVALID'],
    ['no JSON', { headers: json, body: '{' }, 'INVALID'],
    ['a text with NUL', { headers: json, body: String.raw`{"jwks":{"keys":["\u0000"]}}` }, 'INVALID'],
    ['half a character', { headers: json, body: String.raw`{"client_name":"\ud800"}` }, 'INVALID'],
    ['a depth without end', { headers: json, body: `{"jwks":${'['.repeat(2000)}${']'.repeat(2000)}}` }, 'INVALID'],
    ['a list', { headers: json, body: '[]' }, 'INVALID'],
    ['null', { headers: json, body: 'null' }, 'INVALID'],
    ['more than 5 KB', { headers: json, body: JSON.stringify({ a: 'x'.repeat(5120) }) }, 'INVALID'],
    ['a redirect', { status: 302, headers: { location: 'https://127.0.0.1/' } }, 'INVALID'],
    ['nothing there', { status: 404, headers: json, body: '{}' }, 'INVALID'],
    ['no longer there', { status: 410, headers: json, body: '{}' }, 'INVALID'],
    ['a success that is none', { status: 206, headers: json, body: '{}' }, 'UNREACHABLE'],
    ['a host in trouble', { status: 503, headers: json, body: '{}' }, 'UNREACHABLE'],
    ['a host that wants a password', { status: 401, headers: json, body: '{}' }, 'UNREACHABLE'],
  ] as [string, HostAnswer, string][])('%s', async (_what, sent, kind) => {
    answer = sent
    const refusal = await refusalOf(read())
    expect(refusal === 'taken' ? refusal : refusal.kind).toBe(kind)
  })

  test('only within three seconds', async () => {
    const { port } = silent.address() as AddressInfo
    const began = performance.now()
    const refusal = await refusalOf(fetchDocument(egress, `https://${name}:${port}/client.json`))
    expect(refusal).toMatchObject({ kind: 'UNREACHABLE' })
    expect(performance.now() - began).toBeLessThan(4000)
  })
})

test('S45: a name that leads inside is not asked, and answers as a name that leads nowhere', async () => {
  const before = host.requests.length
  const inside = (await refusalOf(read(careful))) as DocumentRefusal
  const nowhere = createEgress({ allow: [], lookup: () => Promise.reject(new Error('ENOTFOUND')) })
  const missing = (await refusalOf(read(nowhere))) as DocumentRefusal
  await nowhere.close()
  expect(inside).toBeInstanceOf(DocumentRefusal)
  expect(inside.message).toBe(missing.message)
  expect(host.requests.length).toBe(before)
})

test.each([
  [undefined, 300],
  ['', 300],
  ['max-age=1', 300],
  ['public, max-age=3600', 3600],
  ['Max-Age="7200"', 7200],
  ['max-age=31536000, immutable', 86_400],
  ['max-age=99999999999999999999', 300],
  ['no-store, max-age=3600', 300],
  ['no-cache', 300],
  ['s-maxage=9000', 300],
  ['x-max-age=9000', 300],
])('cache-control %s keeps it fresh for %d seconds', (header, seconds) => {
  expect(freshSeconds(header)).toBe(seconds)
})
