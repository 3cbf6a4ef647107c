import { fastify } from 'fastify'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createScratchDatabase, type ScratchDatabase } from '../../../test/services/scratch-database.ts'
import { createDatabase, type Database } from '../../platform/db/index.ts'
import { createLimits } from '../../platform/limits/index.ts'
import { createLog } from '../../platform/log/index.ts'
import { createMetrics } from '../../platform/metrics/index.ts'
import { createTestClock } from '../../platform/time/index.ts'
import { describeEndpoints, monitoringRoutes, type MonitoringOptions, type ServerState } from './index.ts'

const log = createLog({ stream: { write: () => undefined } })
let scratch: ScratchDatabase
let db: Database
// Nothing listens on port 1.
const lostUrl = 'postgresql://nobody@127.0.0.1:1/none'
const lostDb = createDatabase({ url: lostUrl, poolSize: 1, prepared: true })

beforeAll(async () => {
  scratch = await createScratchDatabase({ migrated: true })
  db = createDatabase({ url: scratch.appUrl, poolSize: 2, prepared: true })
})

afterAll(async () => {
  await Promise.all([db.destroy(), lostDb.destroy()])
  await scratch.drop()
})

async function start(options: { db?: Database; redisUrl?: string | null } = {}) {
  const state: ServerState = { started: true, draining: false, databaseLostSince: null }
  const clock = createTestClock()
  const limits = createLimits({ redisUrl: options.redisUrl ?? null, log })
  const metrics = createMetrics({ maxRealms: 10 })
  const config = {
    redisUrl: options.redisUrl ?? null,
    version: '1.2.3',
    commit: 'abc',
    buildTime: '2026-01-01T00:00:00Z',
  }
  const services = { config, db: options.db ?? db, clock, limits, metrics } as unknown as MonitoringOptions['services']
  const app = fastify()
  await app.register(monitoringRoutes, { services, state, metricsText: () => metrics.text() })
  const get = async (path: string) => {
    const answer = await app.inject(`/monitoring${path}`)
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(answer.headers.location).toBeUndefined()
    return answer
  }
  const stop = async () => {
    limits.close()
    await app.close()
  }
  return { state, clock, get, stop }
}

test('shows every component and both groups when all is well', async () => {
  const { get, stop } = await start({ redisUrl: inject('redisUrl') })
  // The first connection to Redis takes a moment.
  await expect.poll(async () => (await get('/health')).statusCode, { timeout: 5000 }).toBe(200)
  const up = { status: 'UP' }
  expect((await get('/health')).json()).toEqual({
    status: 'UP',
    groups: ['liveness', 'readiness'],
    components: { db: up, diskSpace: up, livenessState: up, ping: up, readinessState: up, redis: up, ssl: up },
  })
  await stop()
})

test('leaves redis out where none is configured', async () => {
  const { get, stop } = await start()
  expect(Object.keys((await get('/health')).json().components)).not.toContain('redis')
  await stop()
})

test('F16 a lost Redis makes the whole DOWN while liveness and readiness stay UP', async () => {
  const { get, stop } = await start({ redisUrl: 'redis://127.0.0.1:1' })
  const overall = await get('/health')
  expect(overall.statusCode).toBe(503)
  expect(overall.json()).toMatchObject({
    status: 'DOWN',
    components: { redis: { status: 'DOWN' }, db: { status: 'UP' } },
  })
  for (const group of ['liveness', 'readiness']) {
    const answer = await get(`/health/${group}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().components).not.toHaveProperty('redis')
  }
  await stop()
})

test('readiness is DOWN while starting and while draining', async () => {
  const { get, state, stop } = await start()
  state.started = false
  expect((await get('/health/readiness')).statusCode).toBe(503)
  state.started = true
  expect((await get('/health/readiness')).json()).toEqual({
    status: 'UP',
    components: { readinessState: { status: 'UP' } },
  })
  state.draining = true
  expect((await get('/health/readiness')).json().status).toBe('DOWN')
  expect((await get('/health')).statusCode).toBe(503)
  expect((await get('/health/liveness')).statusCode).toBe(200)
  await stop()
})

test('a lost database is DOWN at once in the whole, and only after 30 s in readiness', async () => {
  const { get, clock, state, stop } = await start({ db: lostDb })
  expect((await get('/health')).json().components.db.status).toBe('DOWN')
  expect((await get('/health/readiness')).statusCode).toBe(200)
  clock.advance(29_000)
  expect((await get('/health/readiness')).statusCode).toBe(200)
  clock.advance(2000)
  expect((await get('/health/readiness')).statusCode).toBe(503)
  expect((await get('/health/liveness')).statusCode).toBe(200)
  expect(state.databaseLostSince).not.toBeNull()
  await stop()
})

test('a storm of probes asks the database once', async () => {
  const watched = createDatabase({ url: scratch.appUrl, poolSize: 1, prepared: true })
  let asked = 0
  const counting = new Proxy(watched, {
    get(target, name, receiver) {
      if (name === 'getExecutor') asked += 1
      return Reflect.get(target, name, receiver)
    },
  })
  const { get, stop } = await start({ db: counting })
  await Promise.all(Array.from({ length: 200 }, () => get('/health/readiness')))
  expect(asked).toBeLessThanOrEqual(2)
  await stop()
  await watched.destroy()
})

test('a check that hangs is answered as DOWN within about a second', async () => {
  const single = createDatabase({ url: scratch.appUrl, poolSize: 1, prepared: true })
  const held = single.connection().execute(() => new Promise((resolve) => setTimeout(resolve, 1800)))
  const { get, stop } = await start({ db: single })
  const started = performance.now()
  expect((await get('/health')).json().components.db.status).toBe('DOWN')
  expect(performance.now() - started).toBeLessThan(1700)
  await held
  await stop()
  await single.destroy()
})

test('tells version and build, and the metrics as text', async () => {
  const { get, stop } = await start()
  expect((await get('/info')).json()).toEqual({
    app: { name: 'gatehouse', version: '1.2.3' },
    build: { version: '1.2.3', commit: 'abc', time: '2026-01-01T00:00:00Z' },
    runtime: { node: process.version },
  })
  const metrics = await get('/metrics')
  expect(metrics.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(metrics.body).toContain('svc_login_total')
  await stop()
})

test('every endpoint of a realm is an absolute URL below the base', () => {
  const endpoints = describeEndpoints('https://id.example.com/sso', 'acme')
  expect(Object.keys(endpoints)).toHaveLength(22)
  for (const url of Object.values(endpoints))
    expect(url).toMatch(/^https:\/\/id\.example\.com\/sso\/(admin\/)?realms\/acme/)
})
