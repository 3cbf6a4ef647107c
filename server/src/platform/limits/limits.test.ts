import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../log/index.ts'
import { createLimits, defineLimiter, type Limiter, type Limits } from './index.ts'
import { createMemoryWindows } from './memory-windows.ts'

const log = createLog({ level: 'fatal' })
const fivePerMinute = { name: 'login', points: 5, durationSeconds: 60 }

async function countAllowed(limiter: Limiter, attempts: number, key = '192.0.2.1', realm = 'acme'): Promise<number> {
  let allowed = 0
  for (let i = 0; i < attempts; i++) if ((await limiter.consume(realm, key)).allowed) allowed++
  return allowed
}

async function waitUntil(check: () => Promise<boolean>, timeoutMs = 8000): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!(await check())) {
    if (performance.now() > end) throw new Error('waited too long')
    await sleep(20)
  }
}

describe('limits in memory', () => {
  const limits = createLimits({ redisUrl: null, log })

  test('refuse what goes over and say when to come back', async () => {
    const limiter = limits.limiter(fivePerMinute)
    expect(await countAllowed(limiter, 8)).toBe(5)
    const answer = await limiter.consume('acme', '192.0.2.1')
    expect(answer).toMatchObject({ allowed: false })
    expect(answer.retryAfterSeconds).toBeGreaterThan(50)
    expect(answer.retryAfterSeconds).toBeLessThanOrEqual(60)
    expect(limits.health()).toBeNull()
  })

  test('keep realms, keys and limiters apart', async () => {
    const limiter = limits.limiter(fivePerMinute)
    await countAllowed(limiter, 6)
    expect(await countAllowed(limiter, 6, '192.0.2.1', 'other')).toBe(5)
    expect(await countAllowed(limiter, 6, '192.0.2.2')).toBe(5)
    expect(await countAllowed(limits.limiter(fivePerMinute), 6)).toBe(5)
    await limiter.consume('a:b', 'c')
    expect((await limiter.consume('a', 'b:c')).consumed).toBe(1)
  })

  test('are kept by the service that asks for them again and again', async () => {
    const limiterOf = defineLimiter(fivePerMinute)
    await countAllowed(limiterOf({ limits }), 6)
    expect(await countAllowed(limiterOf({ limits }), 6)).toBe(0)
    expect(await countAllowed(limiterOf({ limits: createLimits({ redisUrl: null, log }) }), 6)).toBe(5)
  })

  test('take a limit and a cost per call', async () => {
    const limiter = limits.limiter(fivePerMinute)
    expect((await limiter.consume('acme', 'x', { points: 1 })).allowed).toBe(true)
    expect((await limiter.consume('acme', 'x', { points: 1 })).allowed).toBe(false)
    expect((await limiter.consume('acme', 'y', { cost: 6 })).allowed).toBe(false)
  })

  test('peek without counting, and forget on reset', async () => {
    const limiter = limits.limiter(fivePerMinute)
    for (let i = 0; i < 5; i++) {
      expect((await limiter.peek('acme', 'x')).allowed).toBe(true)
      await limiter.penalty('acme', 'x')
    }
    expect(await limiter.peek('acme', 'x')).toMatchObject({ allowed: false, consumed: 5 })
    await limiter.reset('acme', 'x')
    expect(await limiter.peek('acme', 'x')).toEqual({ allowed: true, consumed: 0, retryAfterSeconds: 0 })
  })

  test('open again when the window ends, and stay shut for a block', async () => {
    const plain = limits.limiter({ name: 'plain', points: 1, durationSeconds: 1 })
    const blocking = limits.limiter({ name: 'blocking', points: 1, durationSeconds: 1, blockSeconds: 60 })
    for (const limiter of [plain, blocking]) expect(await countAllowed(limiter, 3)).toBe(1)
    expect((await blocking.peek('acme', '192.0.2.1')).retryAfterSeconds).toBe(60)
    await sleep(1050)
    expect(await countAllowed(plain, 1)).toBe(1)
    expect(await countAllowed(blocking, 1)).toBe(0)
  })

  test('S50 hold a bounded number of keys', () => {
    const windows = createMemoryWindows()
    for (let i = 0; i < 60_000; i++) windows.add(`acme:${i}`, 1, 60_000)
    expect(windows.size()).toBe(50_000)
  })
})

describe('limits shared over Redis', () => {
  let port = 0
  let server: ChildProcess
  let open: Limits[] = []

  const redisUrl = () => `redis://127.0.0.1:${port}`
  const admin = async (...command: string[]): Promise<void> => {
    const client = createClient({ url: redisUrl() })
    client.on('error', () => {})
    await client.connect()
    await client.sendCommand(command)
    client.destroy()
  }
  const startRedis = () => {
    server = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], { stdio: 'ignore' })
  }
  const connect = async (): Promise<Limits> => {
    const limits = createLimits({ redisUrl: redisUrl(), log })
    open.push(limits)
    await waitUntil(async () => (await limits.health()) === 'UP')
    return limits
  }

  beforeEach(async () => {
    port = await findFreePort()
    startRedis()
  })
  afterEach(() => {
    for (const limits of open) limits.close()
    open = []
    server.kill('SIGKILL')
  })

  test('count attempts on all nodes together', async () => {
    const [first, second] = [(await connect()).limiter(fivePerMinute), (await connect()).limiter(fivePerMinute)]
    expect(await countAllowed(first, 3)).toBe(3)
    expect(await countAllowed(second, 5)).toBe(2)
    expect((await first.peek('acme', '192.0.2.1')).allowed).toBe(false)
    expect(await countAllowed(second, 5, '192.0.2.1', 'other')).toBe(5)
  })

  test('block on all nodes together', async () => {
    const options = { name: 'blocking', points: 2, durationSeconds: 1, blockSeconds: 60 }
    const [first, second] = [(await connect()).limiter(options), (await connect()).limiter(options)]
    expect(await countAllowed(first, 3)).toBe(2)
    await sleep(1050)
    const answer = await second.consume('acme', '192.0.2.1')
    expect(answer.allowed).toBe(false)
    expect(answer.retryAfterSeconds).toBeGreaterThan(55)
  })

  test('F16 a hanging Redis costs at most 50 ms once and limits still hold', async () => {
    const limits = await connect()
    const limiter = limits.limiter(fivePerMinute)
    expect(await countAllowed(limiter, 3)).toBe(3)
    server.kill('SIGSTOP')
    const times: number[] = []
    let allowed = 0
    for (let i = 0; i < 10; i++) {
      const start = performance.now()
      if ((await limiter.consume('acme', '192.0.2.1')).allowed) allowed++
      await limiter.peek('acme', `other-${i}`)
      times.push(performance.now() - start)
    }
    expect(allowed).toBe(2)
    // Twice the allowed 50 ms, because the machine that runs the tests may itself be busy.
    expect(Math.max(...times)).toBeLessThan(100)
    expect(times.filter((time) => time > 20).length).toBeLessThanOrEqual(1)
    expect(await limits.health()).toBe('DOWN')
    expect(limits.stats().breakerTrips).toBeGreaterThan(0)

    server.kill('SIGCONT')
    const other = (await connect()).limiter(fivePerMinute)
    await waitUntil(async () => {
      await limiter.consume('acme', 'after', { points: 10_000 })
      return (await other.peek('acme', 'after', { points: 10_000 })).consumed > 0
    })
  })

  test('F16 a killed Redis is not noticed, and a restarted one is used again', async () => {
    const limits = await connect()
    const limiter = limits.limiter(fivePerMinute)
    expect(await countAllowed(limiter, 3)).toBe(3)
    server.kill('SIGKILL')
    expect(await countAllowed(limiter, 10)).toBe(2)
    expect(await limits.health()).toBe('DOWN')

    startRedis()
    await waitUntil(async () => (await limits.health()) === 'UP')
    // The restarted server is empty, and the attempts of before still count here.
    expect(await countAllowed(limiter, 3)).toBe(0)
    const other = (await connect()).limiter(fivePerMinute)
    await waitUntil(async () => {
      await limiter.consume('acme', 'after', { points: 10_000 })
      return (await other.peek('acme', 'after', { points: 10_000 })).consumed > 0
    })
  })

  test('F16 an emptied Redis gives no fresh attempts on the node that counted them', async () => {
    const limiter = (await connect()).limiter(fivePerMinute)
    expect(await countAllowed(limiter, 5)).toBe(5)
    await admin('FLUSHALL')
    expect(await countAllowed(limiter, 5)).toBe(0)
  })

  test('F16 a Redis that is not there at start delays nothing', async () => {
    server.kill('SIGKILL')
    const limits = createLimits({ redisUrl: `redis://127.0.0.1:${await findFreePort()}`, log })
    open.push(limits)
    expect(await countAllowed(limits.limiter(fivePerMinute), 10)).toBe(5)
    expect(await limits.health()).toBe('DOWN')
  })

  test('F17 poisoned values are ignored, counted and removed', async () => {
    const limits = await connect()
    const limiter = limits.limiter(fivePerMinute)
    const poison = [
      ['SET', 'garbage'],
      ['SET', '-1000000'],
      ['SET', '9223372036854775807'],
      ['SET', '1000000000', 'EX', '99999999'],
      ['RPUSH', 'x'],
      ['HSET', 'a', 'b'],
    ]
    for (const [index, [command = '', ...values]] of poison.entries()) {
      const key = `gatehouse:limit:1:login:acme:ip-${index}`
      await admin(command, key, ...values)
      expect(await countAllowed(limiter, 7, `ip-${index}`)).toBe(5)
      await admin('DEL', `gatehouse:limit:1:login:acme:peek-${index}`)
      await admin(command, `gatehouse:limit:1:login:acme:peek-${index}`, ...values)
      expect((await limiter.peek('acme', `peek-${index}`)).allowed).toBe(true)
    }
    expect(limits.stats().poisonedValues).toBe(poison.length * 2)
    expect(limits.stats().breakerTrips).toBe(0)
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
