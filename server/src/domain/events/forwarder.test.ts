import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createEgress, parseEgressRule } from '../../platform/egress/index.ts'
import { createLog } from '../../platform/log/index.ts'
import { createMetrics } from '../../platform/metrics/index.ts'
import type { AuditLine } from '../context/index.ts'
import { createAuditSink } from './audit-sink.ts'
import type { ForwarderConfig } from './forwarder.ts'

interface Received {
  body: string
  contentType: string | undefined
  authorization: string | undefined
}

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** A collector on loopback; `answer` decides the status of each request. */
async function startCollector(answer: (count: number) => number | null) {
  const received: Received[] = []
  const server: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { authorization, 'content-type': contentType } = request.headers
      received.push({ body, contentType, authorization })
      const status = answer(received.length)
      // Null: never answers.
      if (status !== null) response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(
    async () => server.closeAllConnections(),
    () => new Promise((resolve) => server.close(resolve)),
  )
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/audit` }
}

function startSink(config: ForwarderConfig | null | Error) {
  const egress = createEgress({ allow: [parseEgressRule('http://127.0.0.1')] })
  const metrics = createMetrics({ maxRealms: 10 })
  const lines: AuditLine[] = []
  const sink = createAuditSink({
    log: createLog({ stream: { write: () => undefined } }),
    metrics,
    egress,
    readConfig: async () => {
      if (config instanceof Error) throw config
      return config
    },
    writeLine: (line) => void lines.push(line as AuditLine),
    retryDelaysMs: [5, 5],
  })
  cleanups.push(() => egress.close())
  const dropped = async () => {
    const [value] = (await metrics.registry.getSingleMetric('svc_audit_forward_dropped_total')!.get()).values
    return value?.value ?? 0
  }
  return { sink, lines, dropped }
}

function line(id: number, category = 'AUTHN'): AuditLine {
  const nothing = { sourceIp: null, resourceType: null, resourceId: null, detail: null, seq: null, clientId: null }
  const none = { sessionId: null, userAgent: null, impersonatorId: null, agentId: null, traceId: null, hash: null }
  const fixed = {
    ts: '2026-01-01T00:00:00.000Z',
    kind: 'audit' as const,
    type: 'LOGOUT',
    realm: 'acme',
    outcome: 'SUCCESS',
  }
  return { ...nothing, ...none, ...fixed, category, actor: 'system', id: String(id), actorName: null }
}

const configFor = (httpUrl: string, members: Partial<ForwarderConfig> = {}): ForwarderConfig => ({
  httpUrl,
  token: 'secret-token',
  categories: ['AUTHN', 'ADMIN'],
  timeoutMs: 500,
  ...members,
})

test('forwards the configured categories as one JSON event per line with the token, and writes every event to the output', async () => {
  const { received, url } = await startCollector(() => 204)
  const { sink, lines, dropped } = startSink(configFor(url))
  for (const entry of [line(1), line(2, 'SECURITY'), line(3, 'ADMIN')]) sink.emit(entry)
  await sink.stop()
  expect(lines.map(({ id }) => id)).toEqual(['1', '2', '3'])
  expect(received).toHaveLength(1)
  expect(received[0]).toMatchObject({ contentType: 'application/x-ndjson', authorization: 'Bearer secret-token' })
  expect(
    received[0]!.body
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text).id),
  ).toEqual(['1', '3'])
  expect(await dropped()).toBe(0)
})

test('tries three times and succeeds when the collector comes back', async () => {
  const { received, url } = await startCollector((count) => (count < 3 ? 500 : 200))
  const { sink, dropped } = startSink(configFor(url))
  sink.emit(line(1))
  await sink.stop()
  expect(received).toHaveLength(3)
  expect(await dropped()).toBe(0)
})

test('counts what it gives up on after three tries', async () => {
  const { received, url } = await startCollector(() => 503)
  const { sink, dropped } = startSink(configFor(url))
  sink.emit(line(1))
  sink.emit(line(2))
  await sink.stop()
  expect(received).toHaveLength(3)
  expect(await dropped()).toBe(2)
})

test('a collector that never answers does not delay anybody, and the queue in front of it is bounded', async () => {
  const { url } = await startCollector(() => null)
  const { sink, lines, dropped } = startSink(configFor(url, { timeoutMs: 30_000 }))
  sink.emit(line(0))
  await sleep(100)
  const started = performance.now()
  for (let id = 1; id <= 10_100; id++) sink.emit(line(id))
  expect(performance.now() - started).toBeLessThan(500)
  expect(lines).toHaveLength(10_101)
  expect(await dropped()).toBe(100)
})

test('forwards nothing and drops nothing when no collector is configured', async () => {
  const { sink, lines, dropped } = startSink(null)
  for (let id = 0; id < 20_000; id++) sink.emit(line(id))
  await sink.stop()
  expect(lines).toHaveLength(20_000)
  expect(await dropped()).toBe(0)
})

test('a configuration that cannot be read stops no event from reaching the output', async () => {
  const { sink, lines } = startSink(new Error('the database is away'))
  sink.emit(line(1))
  await sink.stop()
  expect(lines).toHaveLength(1)
})
