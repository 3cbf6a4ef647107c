import { type Readable, Readable as ReadableStream } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import multipart from '@fastify/multipart'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { api, createRealmFor, startTestNode, type TestRealm } from '../../../test/harness/index.ts'
import { type AnyAdminRoute, adminRoute } from '../../domain/admin-route/index.ts'
import { recordEvent } from '../../domain/events/index.ts'
import { startRealmJob } from '../../domain/jobs/index.ts'
import { createHttpServer } from '../../platform/http/index.ts'
import { applyMergePatch } from './merge-patch.ts'
import { registerAdminSurface } from './index.ts'

const write = { anyOf: ['manage-users'] } as const
let attempts = 0

/** Routes that exist for this test only: one for each thing the interpreter can do. */
const table: AnyAdminRoute[] = [
  adminRoute({
    method: 'POST',
    path: '/probe/xml',
    permission: write,
    summary: 'XML and CSV as text',
    body: { kinds: ['xml', 'csv'], limitBytes: 64, schema: z.string() },
    response: { 200: z.unknown() },
    example: {},
    handle: async (_ctx, { body }) => ({ status: 200, body: { length: body.length }, changes: null }),
  }),
  adminRoute({
    method: 'POST',
    path: '/probe/ndjson',
    permission: write,
    summary: 'NDJSON as a stream',
    body: { kinds: ['ndjson', 'stream'], limitBytes: 1000, schema: z.custom<Readable>() },
    response: { 200: z.unknown() },
    example: {},
    async prepare(_ctx, { body }) {
      let text = ''
      for await (const chunk of body) text += chunk
      return text.trim().split('\n').length
    },
    handle: async (_ctx, { prepared }) => ({ status: 200, body: { lines: prepared }, changes: null }),
  }),
  adminRoute({
    method: 'POST',
    path: '/probe/file',
    permission: write,
    summary: 'A file in a form',
    body: { kinds: ['multipart'], limitBytes: 100, schema: z.custom<{ file: { name: string; content: Buffer } }>() },
    response: { 200: z.unknown() },
    example: {},
    handle: async (_ctx, { body }) => ({
      status: 200,
      body: { name: body.file.name, text: body.file.content.toString() },
      changes: null,
    }),
  }),
  adminRoute({
    method: 'GET',
    path: '/probe/stream',
    permission: write,
    summary: 'A streamed answer, audited',
    response: { 200: z.unknown() },
    event: { auditRead: true },
    example: {},
    handle: async () => ({
      status: 200,
      stream: ReadableStream.from(['a\n', 'b\n']),
      contentType: 'application/x-ndjson',
    }),
  }),
  adminRoute({
    method: 'POST',
    path: '/probe/job',
    permission: write,
    summary: 'Work for a job',
    response: { 202: z.unknown() },
    example: {},
    handle: (ctx) => startRealmJob(ctx, { name: 'sign-ins.forget' }, 'probe', {}),
  }),
  adminRoute({
    method: 'POST',
    path: '/probe/crowded',
    permission: write,
    summary: 'A lane of one with no queue',
    lane: { width: 1, queue: 0 },
    response: { 200: z.unknown() },
    example: {},
    async handle() {
      await sleep(100)
      return { status: 200, body: {}, changes: null }
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/probe/quota',
    permission: write,
    summary: 'A quota of one',
    quota: { name: 'probes', limit: 1, count: async () => 1 },
    response: { 200: z.unknown() },
    example: {},
    handle: async () => ({ status: 200, body: {}, changes: null }),
  }),
  adminRoute({
    method: 'POST',
    path: '/probe/careful',
    permission: write,
    summary: 'Needs a recent sign-in',
    reauthenticate: true,
    response: { 200: z.unknown() },
    example: {},
    handle: async () => ({ status: 200, body: {}, changes: null }),
  }),
  adminRoute({
    method: 'POST',
    path: '/probe/retried',
    permission: write,
    summary: 'Meets a deadlock once',
    event: { type: 'ADMIN_ACTION' },
    response: { 200: z.unknown() },
    example: {},
    async handle(ctx) {
      await recordEvent(ctx, { type: 'KEY_ROTATED', outcome: 'SUCCESS', resourceId: 'retried' })
      if (attempts++ === 0) throw Object.assign(new Error('deadlock'), { code: '40P01' })
      return { status: 200, body: { secret: 'shown once', name: 'x' }, resourceId: 'retried' }
    },
  }),
]

let realm: TestRealm
let base: string
let close: () => Promise<void>
beforeAll(async () => {
  realm = await createRealmFor({ node: await startTestNode() })
  const { services } = realm.node
  const app = createHttpServer({
    baseUrl: realm.node.url,
    trustedProxies: [],
    log: services.log,
    observe: () => undefined,
  })
  await app.register(multipart)
  registerAdminSurface(app, services, table, {
    bearer: async (request) =>
      request.headers.authorization === 'Bearer machine'
        ? {
            kind: 'USER',
            userId: realm.adminId,
            username: 'machine',
            realmId: realm.realmId,
            sessionId: null,
            impersonatorId: null,
            permissions: new Set(['manage-users']),
            authenticatedAt: 0,
          }
        : null,
  })
  base = await app.listen({ host: '127.0.0.1', port: 0 })
  close = () => app.close()
})
afterAll(async () => {
  await close()
  await realm.node.stop()
})

function send(method: string, path: string, options: Parameters<typeof api>[2] = {}) {
  const cookie = [...realm.admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'x-xsrf-token': realm.admin.csrf(), ...options.headers }
  return api(`${base}/admin/realms/${realm.realmId}${path}`, method, { ...options, headers })
}

describe('the interpreter of admin routes', () => {
  it('reads XML and CSV as text, and refuses other types and too much of it', async () => {
    expect((await send('POST', '/probe/xml', { raw: '<a/>', type: 'application/xml' })).body).toEqual({ length: 4 })
    expect((await send('POST', '/probe/xml', { raw: 'a,b', type: 'text/csv' })).body).toEqual({ length: 3 })
    expect((await send('POST', '/probe/xml', { json: {} })).status).toBe(415)
    expect((await send('POST', '/probe/xml', { raw: 'x'.repeat(65), type: 'text/csv' })).status).toBe(413)
  })

  it('hands NDJSON over as a stream that ends at its limit', async () => {
    const type = 'application/x-ndjson'
    expect((await send('POST', '/probe/ndjson', { raw: '{}\n{}\n{}\n', type })).body).toEqual({ lines: 3 })
    expect((await send('POST', '/probe/ndjson', { raw: 'x'.repeat(1001), type })).status).toBe(413)
  })

  it('reads a file from a form within its limit', async () => {
    const form = (text: string) =>
      `--b\r\nContent-Disposition: form-data; name="file"; filename="sp.xml"\r\nContent-Type: text/xml\r\n\r\n${text}\r\n--b--\r\n`
    const type = 'multipart/form-data; boundary=b'
    expect((await send('POST', '/probe/file', { raw: form('<x/>'), type })).body).toEqual({
      name: 'sp.xml',
      text: '<x/>',
    })
    expect((await send('POST', '/probe/file', { raw: form('x'.repeat(200)), type })).status).toBe(413)
  })

  it('streams an answer and audits the read', async () => {
    const answer = await send('GET', '/probe/stream')
    expect(answer.text).toBe('a\nb\n')
    expect(await realm.events('&type=ADMIN_READ_SENSITIVE')).toMatchObject([
      { resourceType: 'probe', outcome: 'SUCCESS' },
    ])
  })

  it('answers 202 with the place of the job, which only its starter and realm-admins see', async () => {
    const answer = await send('POST', '/probe/job')
    expect(answer.status).toBe(202)
    const path = String(answer.headers.location).replace(`/admin/realms/${realm.realmId}`, '')
    expect((await realm.call('GET', path)).body).toMatchObject({ type: 'probe', status: 'RUNNING', result: null })
    const { browser } = await realm.signInWith(['view-users'])
    expect((await realm.callAs(browser, 'GET', path)).status).toBe(404)
  })

  it('refuses with 503 and Retry-After what does not fit into a lane', async () => {
    const answers = await Promise.all([send('POST', '/probe/crowded'), send('POST', '/probe/crowded')])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 503])
    expect(answers.find((answer) => answer.status === 503)?.headers['retry-after']).toBeDefined()
  })

  it('refuses with limit_reached what goes beyond a quota', async () => {
    expect((await send('POST', '/probe/quota')).body).toMatchObject({ status: 409, code: 'limit_reached' })
  })

  it('asks for a recent sign-in where the realm wants that, and records the refusal', async () => {
    expect((await send('POST', '/probe/careful')).status).toBe(200)
    await realm.call('PUT', '/settings', { adminReauth: true })
    realm.node.clock.advance(16 * 60_000)
    expect((await send('POST', '/probe/careful')).body).toMatchObject({
      status: 401,
      code: 'reauthentication_required',
    })
    const events = await realm.events('&outcome=FAILURE')
    expect(events[0]).toMatchObject({ resourceType: 'probe', detail: 'denied: reauthentication_required' })
  })

  it('writes and emits an event once even when the transaction was tried twice, and no secret in it', async () => {
    const before = realm.node.auditLines.length
    expect((await send('POST', '/probe/retried')).status).toBe(200)
    expect(attempts).toBe(2)
    const lines = realm.node.auditLines.slice(before).filter((line) => line.resourceId === 'retried')
    expect(lines.map((line) => line.type)).toEqual(['KEY_ROTATED', 'ADMIN_ACTION'])
    const stored = (await realm.events()).filter((event) => event.resourceId === 'retried')
    expect(stored).toHaveLength(2)
    expect(stored.find((event) => event.type === 'ADMIN_ACTION').detail).toBe('{"name":"x"}')
  })

  it('takes a bearer token without CSRF and ignores cookies beside it', async () => {
    const url = `${base}/admin/realms/${realm.realmId}/probe/xml`
    const machine = { raw: 'a,b', type: 'text/csv', headers: { authorization: 'Bearer machine' } }
    expect((await api(url, 'POST', machine)).status).toBe(200)
    expect((await send('POST', '/probe/xml', { ...machine, headers: { authorization: 'Bearer wrong' } })).status).toBe(
      401,
    )
  })
})

describe('a merge patch', () => {
  it('follows the examples of RFC 7396', () => {
    expect(applyMergePatch({ a: 'b' }, { a: null })).toEqual({})
    expect(applyMergePatch({ a: { b: 'c' } }, { a: { b: 'd', c: null } })).toEqual({ a: { b: 'd' } })
    expect(applyMergePatch({ a: [{ b: 'c' }] }, { a: [1] })).toEqual({ a: [1] })
    expect(applyMergePatch({ e: null }, { a: 1 })).toEqual({ e: null, a: 1 })
    expect(applyMergePatch({}, { a: { bb: { ccc: null } } })).toEqual({ a: { bb: {} } })
  })
})
