import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api, createBrowser, createRealmFor, startTestNode, type TestNode, type TestRealm } from '../harness/index.ts'
import { systemPassword } from '../harness/node.ts'
import { type OwnPostgres, report, rounds, runSql, startOwnPostgres, waitUntil } from './parts.ts'

let postgres: OwnPostgres
let nodes: TestNode[]
let realm: TestRealm

beforeAll(async () => {
  postgres = await startOwnPostgres()
  nodes = [
    await startTestNode({ database: postgres.database }),
    await startTestNode({ database: postgres.database, env: { GATEHOUSE_WORKER: 'false' } }),
  ]
  realm = await createRealmFor({ node: nodes[0]! })
}, 60_000)

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await postgres.stop()
}, 30_000)

const cookies = () => [...realm.admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const path = (rest: string) => `/admin/realms/${realm.realmId}${rest}`

/** A read, a write, a sign-in and a page: the kinds of request that meet the database in different places. */
function requestsTo(node: TestNode, name: string) {
  const headers = { cookie: cookies(), 'x-xsrf-token': realm.admin.csrf() }
  const form = { username: 'nobody', password: 'wrong', _csrf: realm.admin.csrf() }
  return [
    api(node.url + path('/users?size=1'), 'GET', { headers }),
    api(node.url + path('/users'), 'POST', { headers, json: { username: name, email: `${name}@example.org` } }),
    api(`${node.url}/realms/${realm.realmId}/login`, 'POST', {
      headers: { ...headers, accept: 'application/json' },
      form,
    }),
    api(`${node.url}/admin/realms/never-asked-for-${name}/users`, 'GET', { headers }),
  ]
}

test('F8 a killed PostgreSQL is answered 503 with Retry-After, and the service is back by itself once it is', async () => {
  for (let round = 0; round < rounds(1, 5); round++) {
    // Requests are under way when the server dies, in the midst of transactions, too.
    let stopped = false
    const seen = new Map<number, number>()
    const acknowledged: string[] = []
    const load = nodes.map(async (node, at) => {
      for (let count = 0; !stopped; count++) {
        const name = `load-${round}-${at}-${count}`
        const [, created] = await Promise.all(
          requestsTo(node, name).map(async (request) => {
            const { status, text } = await request
            seen.set(status, (seen.get(status) ?? 0) + 1)
            expect(text, text).not.toMatch(/select |insert |update |ECONNREFUSED|Connection terminated|pg_/i)
            return status
          }),
        )
        if (created === 201) acknowledged.push(name)
        else await sleep(20)
      }
    })
    await waitUntil(() => acknowledged.length >= 4)
    postgres.kill()

    const answers = await waitForOutage()
    for (const answer of answers) {
      expect(answer.status, answer.text).toBe(503)
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      expect(answer.headers['content-type']).toContain('application/problem+json')
      expect(answer.body).toMatchObject({ code: 'unavailable', status: 503 })
    }
    for (const node of nodes) {
      expect((await api(`${node.url}/monitoring/health/liveness`, 'GET')).status).toBe(200)
      // Health is asked of the database once a second, however many ask for it.
      await waitUntil(async () => (await api(`${node.url}/monitoring/health`, 'GET')).status === 503)
      const { components } = (await api(`${node.url}/monitoring/health`, 'GET')).body
      expect(components).toMatchObject({ db: { status: 'DOWN' }, readinessState: { status: 'UP' } })
      // A fail-over takes seconds: the load balancer must not be emptied for it (contract 2.105).
      expect((await api(`${node.url}/monitoring/health/readiness`, 'GET')).status).toBe(200)
      node.clock.advance(29_000)
      expect((await api(`${node.url}/monitoring/health/readiness`, 'GET')).status).toBe(200)
      node.clock.advance(2000)
      expect((await api(`${node.url}/monitoring/health/readiness`, 'GET')).status).toBe(503)
      node.clock.advance(-31_000)
    }

    await postgres.restart()
    const backMs = await waitUntil(async () => {
      const statuses = await Promise.all(nodes.flatMap((node) => requestsTo(node, `back-${round}-${Math.random()}`)))
      return statuses.every(({ status }) => status < 500)
    }, 15_000)
    stopped = true
    await Promise.all(load)
    report(`F8 round ${round}: back ${Math.round(backMs)} ms after PostgreSQL; answers ${JSON.stringify([...seen])}`)
    expect(backMs).toBeLessThan(5000)
    for (const node of nodes) {
      await waitUntil(async () => (await api(`${node.url}/monitoring/health`, 'GET')).status === 200)
      expect((await api(`${node.url}/monitoring/health/readiness`, 'GET')).status).toBe(200)
    }
    expect([...seen.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([])
    const { rows } = await runSql(postgres.database.adminUrl, 'select username from users where realm_id = $1', [
      realm.realmId,
    ])
    const kept = new Set(rows.map((row) => row.username))
    expect(acknowledged.filter((name) => !kept.has(name))).toEqual([])
  }
}, 120_000)

/** The answers of both nodes once the loss has reached them. */
async function waitForOutage() {
  await waitUntil(
    async () => (await api(nodes[0]!.url + path('/users'), 'GET', { headers: { cookie: cookies() } })).status === 503,
  )
  return Promise.all(nodes.flatMap((node) => requestsTo(node, 'lost')))
}

test('F8 background jobs go on after the crash', async () => {
  const doomed = await createRealmFor({ node: nodes[0]! })
  const system = createBrowser(nodes[0]!.url)
  await system.login('master', 'admin', systemPassword)
  const deleted = await system.write('DELETE', `/admin/realms/${doomed.realmId}?confirm=${doomed.realmId}`)
  expect(deleted.status, deleted.text).toBe(204)
  const purgedMs = await waitUntil(async () => {
    const text = 'select 1 from realms where realm_id = $1'
    return (await runSql(postgres.database.adminUrl, text, [doomed.realmId])).rowCount === 0
  }, 15_000)
  report(`F8 the purge of a realm ran ${Math.round(purgedMs)} ms after it was asked for`)
}, 30_000)

/** Takes every connection the server has left for ordinary users, then those of the service as well. */
async function takeAllSlots(): Promise<pg.Client[]> {
  const held: pg.Client[] = []
  const killer = new pg.Client({ connectionString: postgres.url })
  await killer.connect()
  const take = async () => {
    const client = new pg.Client({ connectionString: postgres.database.adminUrl })
    client.on('error', () => undefined)
    await client.connect()
    held.push(client)
  }
  const full = () =>
    Promise.all(Array.from({ length: 20 }, take)).then(
      () => false,
      (error: { code?: string }) => error.code === '53300',
    )
  await waitUntil(full, 20_000, 0)
  // The service gives its connections up only by force; each is taken the moment it is free.
  await waitUntil(
    async () => {
      const { rowCount } = await killer.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gatehouse_app'`,
      )
      await full()
      return rowCount === 0
    },
    20_000,
    0,
  )
  // Its own connection stays as well, or that would be the one that is free.
  return [...held, killer]
}

test('F13 a server without free connections is answered 503 within the pool timeout, and recovery is instant', async () => {
  const held = await takeAllSlots()
  try {
    for (const request of nodes.flatMap((node) => requestsTo(node, 'no-slot'))) {
      const start = performance.now()
      const answer = await request
      expect(performance.now() - start).toBeLessThan(3500)
      expect(answer.status, answer.text).toBe(503)
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      expect(answer.body.code).toBe('unavailable')
    }
    expect((await api(`${nodes[0]!.url}/monitoring/health/liveness`, 'GET')).status).toBe(200)
    expect((await api(`${nodes[0]!.url}/monitoring/health/readiness`, 'GET')).status).toBe(200)
  } finally {
    await Promise.all(held.map((client) => client.end()))
  }
  const backMs = await waitUntil(async () => {
    const answers = await Promise.all(nodes.flatMap((node) => requestsTo(node, `slot-${Math.random()}`)))
    return answers.every(({ status }) => status < 500)
  })
  report(`F13 ${held.length} connections held; back ${Math.round(backMs)} ms after they were freed`)
  expect(backMs).toBeLessThan(1000)
}, 60_000)

test('F13 a pool whose connections are all in use is answered 503 after 3 s, and liveness does not wait', async () => {
  const holder = new pg.Client({ connectionString: postgres.database.adminUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table users in access exclusive mode')
  try {
    // More than the pool of ten holds; those in the pool wait for the lock, those behind them for a connection.
    const headers = { cookie: cookies() }
    const start = performance.now()
    const waiting = Array.from({ length: 10 }, () => api(nodes[0]!.url + path('/users'), 'GET', { headers }))
    await sleep(200)
    const behind = await api(nodes[0]!.url + path('/roles'), 'GET', { headers })
    const behindMs = performance.now() - start
    expect(behind.status, behind.text).toBe(503)
    expect(behind.body.code).toBe('unavailable')
    expect(Number(behind.headers['retry-after'])).toBeGreaterThan(0)
    expect(behindMs).toBeLessThan(3700)
    const probe = performance.now()
    expect((await api(`${nodes[0]!.url}/monitoring/health/liveness`, 'GET')).status).toBe(200)
    expect(performance.now() - probe).toBeLessThan(500)
    await holder.query('rollback')
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect((await api(nodes[0]!.url + path('/roles'), 'GET', { headers })).status).toBe(200)
    report(`F13 refused behind a full pool after ${Math.round(behindMs)} ms`)
  } finally {
    await holder.end()
  }
}, 30_000)
