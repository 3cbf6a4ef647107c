// F12 in a normal run: one service through a PgBouncer in transaction mode. `npm run test:faults` sends the whole suite through one.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createBrowser, createRealmFor, startTestNode, type TestNode, type TestRealm } from '../harness/index.ts'
import { cloneDatabase, systemPassword } from '../harness/node.ts'
import { adminPassword } from '../harness/realm.ts'
import { findSparePort, startPgBouncer, stopProcess } from '../services/index.mjs'
import { report, rounds, runSql, waitUntil } from './parts.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let port: number
let bouncer: Awaited<ReturnType<typeof startPgBouncer>>
let nodes: TestNode[]
let realm: TestRealm

// Fewer than the connections of the service: whatever needs a connection of its own would starve.
const startPooler = () => startPgBouncer({ target: inject('adminUrl'), port, poolSize: 4 })

beforeAll(async () => {
  database = await cloneDatabase()
  port = await findSparePort()
  bouncer = await startPooler()
  const url = new URL(database.url)
  url.port = String(port)
  const pooled = { url: url.href, adminUrl: database.adminUrl }
  const env = { GATEHOUSE_DATABASE_PREPARED: String(bouncer.prepared) }
  nodes = [
    await startTestNode({ database: pooled, env }),
    await startTestNode({ database: pooled, env: { ...env, GATEHOUSE_WORKER: 'false' } }),
  ]
  realm = await createRealmFor({ node: nodes[0]! })
}, 30_000)

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await bouncer.stop()
  await database.drop()
}, 30_000)

test('F12 sign-in, writes, reads and settings work through PgBouncer in transaction mode, twenty at a time', async () => {
  const created = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      realm.call('POST', '/users', { username: `pooled-${at}`, email: `pooled-${at}@example.org` }),
    ),
  )
  expect(created.map(({ status }) => status)).toEqual(Array(20).fill(201))
  const reads = await Promise.all(created.map(({ body }) => realm.call('GET', `/users/${body.userId}`)))
  expect(reads.map(({ body }) => body.username).toSorted()).toEqual(created.map(({ body }) => body.username).toSorted())
  const logins = await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      createBrowser(nodes[at % 2]!.url).login(realm.realmId, 'admin', adminPassword),
    ),
  )
  expect(logins.map(({ status }) => status)).toEqual(Array(6).fill(200))
  expect((await realm.call('PUT', '/settings', { displayName: 'Pooled' })).status).toBe(200)
  const heardMs = await waitUntil(async () =>
    (await createBrowser(nodes[1]!.url).get(`/realms/${realm.realmId}/login`)).text.includes('Pooled'),
  )
  report(`F12 the other node had new settings after ${Math.round(heardMs)} ms`)
  expect((await realm.events('&type=ADMIN_CREATE')).length).toBeGreaterThanOrEqual(20)
})

test('F12 a job put in the queue by a write runs through PgBouncer, once', async () => {
  const doomed = await createRealmFor({ node: nodes[0]! })
  const system = createBrowser(nodes[0]!.url)
  await system.login('master', 'admin', systemPassword)
  expect((await system.write('DELETE', `/admin/realms/${doomed.realmId}?confirm=${doomed.realmId}`)).status).toBe(204)
  const isPurged = async () =>
    (await runSql(database.superUrl, 'select 1 from realms where realm_id = $1', [doomed.realmId])).rowCount === 0
  await waitUntil(isPurged, 15_000)
  const jobs = async () =>
    (
      await runSql(
        database.superUrl,
        `select state from pgboss.job where name = 'realms.purge' and data->>'realmId' = $1`,
        [doomed.realmId],
      )
    ).rows
  await waitUntil(async () => (await jobs())[0]?.state === 'completed')
  expect(await jobs()).toEqual([{ state: 'completed' }])
}, 30_000)

/** A read and a write again and again: when the first and the last of them failed, and how. */
async function watch(during: () => Promise<void>) {
  const failures: { at: number; status: number; text: string }[] = []
  let stopped = false
  const loops = ['read', 'write'].map(async (kind) => {
    for (let count = 0; !stopped; count++) {
      const username = `watch-${Math.random().toString(36).slice(2)}`
      const answer =
        kind === 'read'
          ? await realm.call('GET', '/users?size=1')
          : await realm.call('POST', '/users', { username, email: `${username}@example.org` })
      if (answer.status >= 500) failures.push({ at: performance.now(), status: answer.status, text: answer.text })
      await sleep(20)
    }
  })
  await sleep(200)
  await during()
  const restored = performance.now()
  await sleep(1500)
  stopped = true
  await Promise.all(loops)
  expect(failures.filter(({ status }) => status !== 503)).toEqual([])
  return { failures: failures.length, lastMs: Math.max(0, ...failures.map(({ at }) => at - restored)) }
}

test('F12 a restart of PgBouncer and broken server connections cost 503 for 2 s at most', async () => {
  for (let round = 0; round < rounds(1, 5); round++) {
    const restart = await watch(async () => {
      await stopProcess(bouncer.pid, 'SIGKILL')
      // Only its folder is left to remove.
      await bouncer.stop()
      bouncer = await startPooler()
    })
    const broken = await watch(async () => {
      const text = `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = 'gatehouse_app'`
      await runSql(inject('adminUrl'), text, [new URL(database.url).pathname.slice(1)])
    })
    report(
      `F12 restart: ${restart.failures} refused, the last ${Math.round(restart.lastMs)} ms after it was up; server connections ended: ${broken.failures} refused, the last ${Math.round(broken.lastMs)} ms after`,
    )
    expect(restart.lastMs).toBeLessThan(1400)
    expect(broken.lastMs).toBeLessThan(1400)
    expect((await realm.call('GET', '/users?size=1')).status).toBe(200)
  }
}, 60_000)
