import { generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../../../test/messaging/certificate.ts'
import { createMark, createMessage, createProvider, createTools } from '../../../../test/messaging/driver-tools.ts'
import { type HttpHost, type HttpHostOptions, startHttpHost } from '../../../../test/messaging/http-host.ts'
import type { ApnsConfig, FcmConfig } from '../providers/config-schema.ts'
import { createApnsSender } from './apns.ts'
import { createFcmSender } from './fcm.ts'
import type { DriverTools } from './types.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = (key: typeof rsa.privateKey) => key.export({ format: 'pem', type: 'pkcs8' }).toString()
const nothing = async () => {}
const hosts: HttpHost[] = []
let certificate: { cert: string; key: string }
let tools: DriverTools

beforeAll(async () => {
  certificate = await makeCertificate('push.test')
  tools = createTools({ ca: [certificate.cert] })
})

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop()
})

async function open(options: HttpHostOptions = {}): Promise<HttpHost> {
  const host = await startHttpHost({ certificate, name: 'push.test', ...options })
  hosts.push(host)
  return host
}

const push = createMessage({
  ...{ to: 'dQw4w9WgXcQ:APA91bExample_Token-1', subject: 'Example', text: 'Do you want to sign in?', html: null },
  data: { link: 'https://login.example.com/x' },
})

describe('Firebase', () => {
  const provider = () =>
    createProvider<FcmConfig>(
      'fcm',
      { projectId: 'example-1', clientEmail: 'push@example-1.iam.gserviceaccount.com' },
      { secret: pem(rsa.privateKey) },
    )
  const tokenAnswer = { body: '{"access_token":"at-1","expires_in":3600,"token_type":"Bearer"}' }
  const hostsAt = (host: HttpHost) => ({ tokenUrl: `${host.origin}/token`, sendOrigin: host.origin })

  test('gets an access token by a signed assertion, once, and then the message', async () => {
    const host = await open({
      answer: ({ path }) => (path === '/token' ? tokenAnswer : { body: '{"name":"projects/example-1/messages/7"}' }),
    })
    const send = createFcmSender(hostsAt(host))
    const mark = createMark(() => host.requests.length)
    expect(await send(tools, provider(), push, mark.handOver)).toEqual({ providerId: 'projects/example-1/messages/7' })
    // The token is not the message: it is there before anything is handed over.
    expect(mark.seen).toEqual([1])
    await send(tools, provider(), push, nothing)
    expect(host.requests.map(({ path }) => path)).toEqual([
      ...['/token', '/v1/projects/example-1/messages:send', '/v1/projects/example-1/messages:send'],
    ])
    const asked = new URLSearchParams(host.requests[0]!.body)
    const { payload } = await jwtVerify(asked.get('assertion')!, rsa.publicKey, { audience: `${host.origin}/token` })
    expect(payload).toMatchObject({
      iss: 'push@example-1.iam.gserviceaccount.com',
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
    })
    expect(host.requests[1]!.headers.authorization).toBe('Bearer at-1')
    expect(JSON.parse(host.requests[1]!.body).message).toMatchObject({
      token: push.to,
      notification: { title: 'Example', body: push.text },
      data: { link: push.data.link, id: push.id },
    })
  })

  test('tells that a device is gone, and gets another token after a refused one', async () => {
    let answer = { status: 404, body: '{"error":{"details":[{"errorCode":"UNREGISTERED"}]}}' }
    const host = await open({ answer: ({ path }) => (path === '/token' ? tokenAnswer : answer) })
    const send = createFcmSender(hostsAt(host))
    await expect(send(tools, provider(), push, nothing)).rejects.toMatchObject({ kind: 'gone' })
    answer = { status: 401, body: '{}' }
    await expect(send(tools, provider(), push, nothing)).rejects.toMatchObject({ kind: 'failed' })
    await expect(send(tools, provider(), push, nothing)).rejects.toMatchObject({ kind: 'failed' })
    expect(host.requests.filter(({ path }) => path === '/token')).toHaveLength(2)
  })
})

describe('a service that speaks as Firebase does', () => {
  test('is asked for its own token, and never sees one of Google’s', async () => {
    const answer = (name: string) => (request: { path: string }) =>
      request.path === '/token'
        ? { body: `{"access_token":"of-${name}","expires_in":3600}` }
        : { body: `{"name":"${name}"}` }
    const [google, own] = [await open({ answer: answer('google') }), await open({ answer: answer('own') })]
    const send = createFcmSender({ tokenUrl: `${google.origin}/token`, sendOrigin: google.origin })
    const account = { projectId: 'example-1', clientEmail: 'push@example-1.iam.gserviceaccount.com' }
    const secret = pem(rsa.privateKey)
    const at = (config: object) => createProvider<FcmConfig>('fcm', { ...account, ...config }, { secret })
    await send(tools, at({}), push, nothing)
    await send(tools, at({ endpoint: own.origin }), push, nothing)
    expect(own.requests.map(({ path }) => path)).toEqual(['/token', '/v1/projects/example-1/messages:send'])
    expect(own.requests[1]!.headers.authorization).toBe('Bearer of-own')
    expect(google.requests).toHaveLength(2)
  })
})

describe('APNs', () => {
  const device = 'ab'.repeat(32)
  const provider = (config: object = {}) =>
    createProvider<ApnsConfig>(
      'apns',
      { teamId: 'ABCDE12345', keyId: 'KEY1234567', bundleId: 'com.example.app', ...config },
      { secret: pem(ec.privateKey) },
    )
  const senderAt = (host: HttpHost) =>
    createApnsSender({ production: { host: 'push.test', port: host.port }, sandbox: { host: 'push.test', port: 1 } })
  const notice = { ...push, to: device }

  test('gets the message over HTTP/2 with a provider token that is kept for 50 minutes', async () => {
    const host = await open({ http2: true, answer: () => ({ headers: { 'apns-id': push.id }, body: '' }) })
    const send = senderAt(host)
    const mark = createMark(() => host.requests.length)
    let now = Date.now()
    const moved = { ...tools, now: () => now }
    expect(await send(moved, provider(), notice, mark.handOver)).toEqual({ providerId: push.id })
    expect(mark.seen).toEqual([0])
    now += 49 * 60_000
    await send(moved, provider(), notice, nothing)
    now += 2 * 60_000
    await send(moved, provider(), notice, nothing)
    const tokens = host.requests.map(({ headers }) => headers.authorization!.slice('bearer '.length))
    expect(tokens[1]).toBe(tokens[0])
    expect(tokens[2]).not.toBe(tokens[0])
    const { payload, protectedHeader } = await jwtVerify(tokens[0]!, ec.publicKey)
    expect([payload.iss, protectedHeader.alg, protectedHeader.kid]).toEqual(['ABCDE12345', 'ES256', 'KEY1234567'])
    expect(host.requests[0]).toMatchObject({ method: 'POST', path: `/3/device/${device}` })
    expect(host.requests[0]!.headers).toMatchObject({ 'apns-topic': 'com.example.app', 'apns-id': push.id })
    expect(JSON.parse(host.requests[0]!.body)).toMatchObject({
      aps: { alert: { title: 'Example', body: push.text } },
      link: push.data.link,
    })
  })

  test('tells that a device is gone', async () => {
    for (const answer of [
      { status: 410, body: '{"reason":"Unregistered"}' },
      { status: 400, body: '{"reason":"BadDeviceToken"}' },
    ]) {
      const host = await open({ http2: true, answer: () => answer })
      await expect(senderAt(host)(tools, provider(), notice, nothing)).rejects.toMatchObject({ kind: 'gone' })
    }
    const host = await open({ http2: true, answer: () => ({ status: 403, body: '{"reason":"InvalidProviderToken"}' }) })
    await expect(senderAt(host)(tools, provider(), notice, nothing)).rejects.toMatchObject({ kind: 'failed' })
  })

  test('S45: is not asked when its certificate is not trusted, it is not reachable, or the token is no token', async () => {
    const host = await open({ http2: true })
    const other = await makeCertificate('push.test')
    const strict = createTools({ ca: [other.cert] })
    await expect(senderAt(host)(strict, provider(), notice, nothing)).rejects.toMatchObject({ kind: 'failed' })
    const outside = createTools({ ca: [certificate.cert], allow: [] })
    await expect(senderAt(host)(outside, provider(), notice, nothing)).rejects.toMatchObject({ kind: 'failed' })
    await expect(senderAt(host)(tools, provider({ production: false }), notice, nothing)).rejects.toMatchObject({
      kind: 'failed',
    })
    for (const to of ['../../x', `${device}/x`, `${device}?x`, 'ab']) {
      await expect(senderAt(host)(tools, provider(), { ...push, to }, nothing)).rejects.toMatchObject({
        kind: 'failed',
      })
    }
    expect(host.requests).toEqual([])
    await Promise.all([strict.egress.close(), outside.egress.close()])
  })
})
