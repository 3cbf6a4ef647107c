import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api, createBrowser } from '../harness/index.ts'
import { cloneDatabase, systemPassword } from '../harness/node.ts'
import { isAlive } from '../services/index.mjs'
import { type BuiltNode, ensureBuilt, startBuiltNode } from './built-node.ts'
import { report, rounds, waitUntil } from './parts.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let node: BuiltNode

beforeAll(async () => {
  await ensureBuilt()
  database = await cloneDatabase()
  node = await startBuiltNode({ database, env: { GATEHOUSE_PROCESSES: '2', GATEHOUSE_LOG_LEVEL: 'info' } })
  await waitUntil(() => countReady() === 2, 30_000)
}, 120_000)

afterAll(async () => {
  await node.terminate()
  await database.drop()
}, 30_000)

/** The serving processes under the supervisor. */
function workers(): number[] {
  return readFileSync(`/proc/${node.pid}/task/${node.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)
}

/** How often a serving process has said that it serves. */
function countReady(): number {
  return node.output().split('"msg":"ready"').length - 1
}

async function countLogins(): Promise<number> {
  const { text } = await api(`${node.url}/monitoring/metrics`, 'GET')
  const line = text
    .split('\n')
    .find((entry) => /^svc_login_total\{.*outcome="success"/.test(entry) && entry.includes('master'))
  return Number(line?.split(' ').at(-1) ?? 0)
}

async function signIn(times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const { status, text } = await createBrowser(node.url).login('master', 'admin', systemPassword)
    expect(status, text).toBe(200)
  }
}

test('F2 a serving process that is killed is started again, the other one goes on, and metrics stay summed over both', async () => {
  await signIn(6)
  expect(await countLogins()).toBe(6)
  for (let round = 0; round < rounds(1, 5); round++) {
    const [victim] = workers() as [number]
    const counted = await countLogins()
    const killedAt = performance.now()
    process.kill(victim, 'SIGKILL')
    await waitUntil(() => !isAlive(victim))
    // The one that is left serves alone.
    await signIn(3)
    await waitUntil(() => countReady() === 3 + round, 20_000)
    expect(workers().length).toBe(2)
    report(
      `F2 a killed serving process was replaced after ${Math.round(performance.now() - killedAt)} ms at most, others serving`,
    )
    await signIn(3)
    // What the dead one had counted until it was last asked is kept.
    expect(await countLogins()).toBe(counted + 6)
  }
}, 120_000)

test('F2 SIGTERM ends the supervisor and its serving processes with 0', async () => {
  const before = workers()
  expect(await node.terminate()).toBe(0)
  expect(before.filter(isAlive)).toEqual([])
}, 30_000)
