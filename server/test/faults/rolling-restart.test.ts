import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api, createBrowser, type Browser } from '../harness/index.ts'
import { cloneDatabase, systemPassword } from '../harness/node.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { type BuiltNode, ensureBuilt, startBuiltNode } from './built-node.ts'
import { percentile, report, rounds, waitUntil } from './parts.ts'

// Twenty times the interval at which the balancer asks.
const drainMs = 1000

let database: Awaited<ReturnType<typeof cloneDatabase>>
let balancer: Balancer
let nodes: BuiltNode[]

const start = () =>
  startBuiltNode({ database, env: { GATEHOUSE_BASE_URL: balancer.url, GATEHOUSE_DRAIN_MS: String(drainMs) } })

beforeAll(async () => {
  await ensureBuilt()
  database = await cloneDatabase()
  balancer = await startBalancer()
  // The first one makes the system realm; the others find it.
  nodes = [await start()]
  nodes.push(...(await Promise.all([start(), start()])))
  balancer.setPorts(nodes.map(({ port }) => port))
  await waitUntil(() => balancer.inTurn().length === 3)
}, 120_000)

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.terminate()))
  await balancer.stop()
  await database.drop()
}, 60_000)

interface Load {
  failures: string[]
  times: number[]
  stop(): Promise<void>
}

/** Reads, writes and pages without a pause; whatever is not the right answer is a failure. */
function startLoad(admin: Browser, label: string): Load {
  const failures: string[] = []
  const times: number[] = []
  let stopped = false
  const loop = async (
    kind: string,
    request: (count: number) => Promise<{ status: number; text: string }>,
    right: number,
  ) => {
    for (let count = 0; !stopped; count++) {
      const begin = performance.now()
      const { status, text } = await request(count).catch((error: Error) => ({ status: 0, text: error.message }))
      times.push(performance.now() - begin)
      if (status !== right) failures.push(`${kind}: ${status} ${text.slice(0, 200)}`)
      await sleep(5)
    }
  }
  const create = (count: number) => {
    const username = `${label}-${count}`
    return admin.write('POST', '/admin/realms/master/users', { username, email: `${username}@example.org` })
  }
  const running = [
    loop('read', () => admin.get('/admin/realms/master/users?size=5'), 200),
    loop('write', create, 201),
    loop('page', () => api(`${balancer.url}/realms/master/login`, 'GET'), 200),
  ]
  return {
    failures,
    times,
    async stop() {
      stopped = true
      await Promise.all(running)
    },
  }
}

test('F2 a rolling restart of three nodes under load fails no request, and readiness is DOWN first', async () => {
  const admin = createBrowser(balancer.url)
  expect((await admin.login('master', 'admin', systemPassword)).status).toBe(200)
  const calm = startLoad(admin, 'calm')
  await sleep(1000)
  await calm.stop()

  for (let round = 0; round < rounds(1, 3); round++) {
    const load = startLoad(admin, `round-${round}`)
    for (const at of nodes.keys()) {
      const node = nodes[at]!
      const ended = node.terminate()
      // While it drains the node says DOWN and still answers those who come.
      await waitUntil(async () => (await api(`${node.url}/monitoring/health/readiness`, 'GET')).status === 503)
      const late = await api(`${node.url}/realms/master/login`, 'GET')
      expect([late.status, late.headers.connection]).toEqual([200, 'close'])
      expect(await ended).toBe(0)
      nodes[at] = await start()
      balancer.setPorts(nodes.map(({ port }) => port))
      await waitUntil(() => balancer.inTurn().length === 3)
    }
    await load.stop()
    const figures = [calm, load].map(({ times }) =>
      [0.5, 0.99].map((share) => Math.round(percentile(times, share))).join('/'),
    )
    report(
      `F2 round ${round}: ${load.times.length} requests, ${load.failures.length} failed, p50/p99 calm ${figures[0]}, restarting ${figures[1]} ms`,
    )
    expect(load.failures).toEqual([])
    expect(load.times.length).toBeGreaterThan(50)
  }
}, 180_000)
