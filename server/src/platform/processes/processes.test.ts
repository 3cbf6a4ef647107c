import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { planRestartDelayMs } from './restart-delay.ts'

const fixture = fileURLToPath(new URL('./serving-program.fixture.ts', import.meta.url))
let program: ChildProcess | null = null
let port = 0
let output = ''

async function start(env: Record<string, string>): Promise<ChildProcess> {
  port = await findFreePort()
  output = ''
  const child = spawn(process.execPath, [fixture], { env: { ...process.env, PORT: String(port), ...env } })
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  program = child
  return child
}

async function get(path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  if (response.status !== 200) throw new Error(`status ${response.status}`)
  return response.text()
}

// Which process answers at each index, once as many as wanted are serving.
async function findServing(count: number, accept: (pids: Map<number, number>) => boolean = () => true) {
  const pids = new Map<number, number>()
  const end = performance.now() + 10_000
  while (performance.now() < end) {
    try {
      const { index, pid } = JSON.parse(await get('/')) as { index: number; pid: number }
      pids.set(index, pid)
    } catch {
      await sleep(20)
    }
    if (pids.size === count && accept(pids)) return pids
  }
  throw new Error(`not serving: ${output}`)
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  return child.exitCode ?? ((await once(child, 'exit'))[0] as number | null)
}

// A process that ended may stay listed as a zombie until somebody collects it.
const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

afterEach(() => {
  // Its serving processes end by themselves when the supervisor is gone.
  if (program?.exitCode === null) program.kill('SIGKILL')
  program = null
})

describe('one serving process', () => {
  test('serves without a fork and finishes what is in flight when stopped', async () => {
    const child = await start({ PROCESSES: '1' })
    expect(await findServing(1)).toEqual(new Map([[0, child.pid]]))
    const slow = get('/slow')
    await sleep(100)
    child.kill('SIGTERM')
    expect(JSON.parse(await slow)).toMatchObject({ index: 0 })
    expect(await exitCode(child)).toBe(0)
  })

  test('ends with a fault when it cannot start', async () => {
    expect(await exitCode(await start({ PROCESSES: '1', FAIL_START: '0' }))).toBe(1)
    expect(output).toContain('told not to start')
  })
})

describe('several serving processes', () => {
  test('F1 a killed one is started again under its index and serves', async () => {
    await start({ PROCESSES: '2' })
    const before = await findServing(2)
    expect(new Set(before.keys())).toEqual(new Set([0, 1]))
    const victim = before.get(0) ?? 0
    process.kill(victim, 'SIGKILL')
    const after = await findServing(2, (pids) => pids.get(0) !== victim)
    expect(after.get(1)).toBe(before.get(1))
    expect(output).toContain('died and is started again')
  })

  test('sum their metrics, also over a death', async () => {
    await start({ PROCESSES: '2' })
    const before = await findServing(2)
    const counted = new Set<number>()
    for (let i = 0; i < 10; i++) counted.add((JSON.parse(await get('/count')) as { pid: number }).pid)
    expect(counted.size).toBe(2)
    for (let i = 0; i < 4; i++) expect(await get('/metrics')).toContain('svc_tokens_issued_total{realm="acme"} 10\n')

    const victim = before.get(1) ?? 0
    process.kill(victim, 'SIGKILL')
    await findServing(2, (pids) => pids.get(1) !== victim)
    expect(await get('/metrics')).toContain('svc_tokens_issued_total{realm="acme"} 10\n')
  })

  test('F2 finish what is in flight when stopped, without one failure', async () => {
    const child = await start({ PROCESSES: '2' })
    const pids = await findServing(2)
    const slow = Array.from({ length: 20 }, () => get('/slow'))
    await sleep(150)
    child.kill('SIGTERM')
    const answers = await Promise.allSettled(slow)
    expect(answers.filter((answer) => answer.status === 'rejected')).toEqual([])
    expect(await exitCode(child)).toBe(0)
    expect([...pids.values()].filter(isAlive)).toEqual([])
  })

  test('F2 stop alike when the signal reaches every process of the group', async () => {
    const child = await start({ PROCESSES: '2' })
    const pids = await findServing(2)
    const slow = Array.from({ length: 6 }, () => get('/slow'))
    await sleep(150)
    for (const pid of [...pids.values(), child.pid ?? 0]) process.kill(pid, 'SIGINT')
    expect((await Promise.allSettled(slow)).every((answer) => answer.status === 'fulfilled')).toBe(true)
    expect(await exitCode(child)).toBe(0)
    expect(output).not.toContain('started again')
  })

  test('end with a fault when one of them cannot start at all', async () => {
    expect(await exitCode(await start({ PROCESSES: '2', FAIL_START: '1' }))).toBe(1)
    expect(output).toContain('told not to start')
  })

  test('F1 finish what is in flight and end when their supervisor is killed', async () => {
    const child = await start({ PROCESSES: '2' })
    const pids = await findServing(2)
    const slow = Array.from({ length: 4 }, () => get('/slow'))
    await sleep(150)
    child.kill('SIGKILL')
    expect((await Promise.allSettled(slow)).every((answer) => answer.status === 'fulfilled')).toBe(true)
    const end = performance.now() + 5000
    while ([...pids.values()].some(isAlive) && performance.now() < end) await sleep(20)
    expect([...pids.values()].filter(isAlive)).toEqual([])
  })

  test('come back ever more slowly from a crash loop, and never give up', () => {
    const delays = Array.from({ length: 40 }, (_, index) => planRestartDelayMs(index + 1))
    expect(delays.slice(0, 5).every((delay) => delay < 100)).toBe(true)
    expect(delays.slice(5, 9)).toEqual([1000, 2000, 4000, 8000])
    expect(Math.max(...delays)).toBe(30_000)
  })

  test('F1 a connection on its way to a dying one is served by another', async () => {
    await start({ PROCESSES: '2' })
    const victim = (await findServing(2)).get(0) ?? 0
    // Stopped, it cannot take the connections it is handed; then it dies with them.
    process.kill(victim, 'SIGSTOP')
    const answers = Array.from({ length: 8 }, () => get('/'))
    await sleep(200)
    process.kill(victim, 'SIGKILL')
    expect((await Promise.allSettled(answers)).every((answer) => answer.status === 'fulfilled')).toBe(true)
  })

  test('F1 are still served by the others while one crashes again and again', async () => {
    await start({ PROCESSES: '2' })
    await findServing(2)
    for (let i = 0; i < 4; i++) {
      await get('/exit').catch(() => {})
      await findServing(2)
    }
  })
})

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
