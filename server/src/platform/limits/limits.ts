// Rate limits counted in memory always and in Redis when there is one; whichever has seen more decides.
import { createHash } from 'node:crypto'
import type { Log } from '../log/index.ts'
import { createMemoryWindows, type MemoryWindows, type Usage } from './memory-windows.ts'
import { createRedisLink } from './redis-link.ts'
import { createSharedWindows, type SharedWindows } from './shared-windows.ts'

// Client text such as a username may be the key; longer ones are kept by their hash.
const maxKeyLength = 128

export interface LimiterOptions {
  // Part of the key, so that two limiters never share a count.
  name: string
  points: number
  durationSeconds: number
  // How long a key stays refused once it went over; without it, until the window ends.
  blockSeconds?: number
}

export interface LimitCall {
  // The limit for this call, where a realm setting decides it.
  points?: number
  // How much this call counts.
  cost?: number
}

export interface LimitAnswer {
  allowed: boolean
  // 0 when allowed, else at least 1.
  retryAfterSeconds: number
  consumed: number
}

export interface Limiter {
  // Counts and answers whether this attempt is still within the limit.
  consume(realmId: string, key: string, call?: LimitCall): Promise<LimitAnswer>
  // Answers whether one more attempt would be within the limit, and counts nothing.
  peek(realmId: string, key: string, call?: LimitCall): Promise<LimitAnswer>
  // Counts without asking, for what is judged later.
  penalty(realmId: string, key: string, call?: LimitCall): Promise<void>
  reset(realmId: string, key: string): Promise<void>
}

export interface Limits {
  limiter(options: LimiterOptions): Limiter
  // Null without Redis.
  health(): Promise<'UP' | 'DOWN'> | null
  stats(): { poisonedValues: number; breakerTrips: number }
  close(): void
}

export function createLimits({ redisUrl, log }: { redisUrl: string | null; log: Log }): Limits {
  const link = redisUrl === null ? null : createRedisLink({ url: redisUrl, log })
  let poisonedValues = 0
  const onPoison = (limiter: string): void => {
    poisonedValues++
    log.warn({ limiter, poisonedValues }, 'Removed an unusable value from Redis')
  }

  return {
    limiter(options) {
      const { name, durationSeconds, blockSeconds = 0 } = options
      const shared = link && createSharedWindows({ link, name, durationSeconds, blockSeconds, onPoison })
      return createLimiter(options, createMemoryWindows(), shared)
    },
    health: () => link?.health() ?? null,
    stats: () => ({ poisonedValues, breakerTrips: link?.trips() ?? 0 }),
    close: () => link?.close(),
  }
}

// Memory is asked first and stays in force beside Redis: an emptied, poisoned or unreachable Redis then widens a limit at most
// to one share per process, and never lifts it.
function createLimiter(options: LimiterOptions, memory: MemoryWindows, shared: SharedWindows | null): Limiter {
  const { durationSeconds, blockSeconds = 0 } = options

  const consume = async (realmId: string, key: string, { points = options.points, cost = 1 }: LimitCall = {}) => {
    const fullKey = createKey(realmId, key)
    const own = memory.add(fullKey, cost, durationSeconds * 1000)
    // Already over before this attempt: Redis cannot change the answer, and an attacker gets the cheapest one.
    if (own.consumed - cost > points) return createAnswer(own, points)
    const all = await shared?.add(fullKey, cost)
    const usage = largerUsage(own, all)
    const crossed = usage.consumed > points && usage.consumed - cost <= points
    if (!crossed || blockSeconds === 0) return createAnswer(usage, points)
    memory.block(fullKey, usage.consumed, blockSeconds * 1000)
    await shared?.block(fullKey, blockSeconds)
    return createAnswer({ consumed: usage.consumed, msLeft: blockSeconds * 1000 }, points)
  }

  return {
    consume,
    async peek(realmId, key, { points = options.points, cost = 1 } = {}) {
      const fullKey = createKey(realmId, key)
      const own = memory.read(fullKey)
      const enough = own.consumed + cost > points
      const usage = enough ? own : largerUsage(own, await shared?.read(fullKey))
      return createAnswer(usage, points - cost)
    },
    async penalty(realmId, key, call) {
      await consume(realmId, key, call)
    },
    async reset(realmId, key) {
      const fullKey = createKey(realmId, key)
      memory.remove(fullKey)
      await shared?.remove(fullKey)
    },
  }
}

// The realm comes first and cannot contain the separator, so that no key of one realm can be spelt in another.
function createKey(realmId: string, key: string): string {
  const bounded = key.length <= maxKeyLength ? key : `sha256-${createHash('sha256').update(key).digest('base64url')}`
  return `${encodeURIComponent(realmId)}:${bounded}`
}

function largerUsage(own: Usage, all: Usage | undefined): Usage {
  return all !== undefined && all.consumed >= own.consumed ? all : own
}

function createAnswer({ consumed, msLeft }: Usage, points: number): LimitAnswer {
  const allowed = consumed <= points
  return { allowed, retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(msLeft / 1000)), consumed }
}
