// The same windows in Redis, shared by all nodes, through rate-limiter-flexible's atomic script.
import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Usage } from './memory-windows.ts'
import { PoisonedValue, type RedisLink } from './redis-link.ts'

// The limit is compared by the caller, because it may differ from realm to realm; the library only counts.
const unlimitedPoints = 1_000_000_000
// A block is stored as one point above that, and attempts during the block raise it a little.
const maxPlausible = 2 * unlimitedPoints
// Redis rounds lifetimes up to whole seconds.
const lifetimeSlackMs = 1000
// The version in the prefix keeps a later release from reading what this one wrote.
const keyPrefix = 'gatehouse:limit:1'

export interface SharedWindows {
  // Undefined: Redis is away or its value is unusable; the caller then goes by its own memory alone.
  add(key: string, cost: number): Promise<Usage | undefined>
  read(key: string): Promise<Usage | undefined>
  block(key: string, durationSeconds: number): Promise<void>
  remove(key: string): Promise<void>
}

export interface SharedWindowsOptions {
  link: RedisLink
  name: string
  durationSeconds: number
  blockSeconds: number
  onPoison: (name: string) => void
}

export function createSharedWindows({
  link,
  name,
  durationSeconds,
  blockSeconds,
  onPoison,
}: SharedWindowsOptions): SharedWindows {
  const limiter = new RateLimiterRedis({
    storeClient: link.client,
    useRedisPackage: true,
    keyPrefix: `${keyPrefix}:${name}`,
    points: unlimitedPoints,
    duration: durationSeconds,
  })
  const maxLifetimeMs = Math.max(durationSeconds, blockSeconds) * 1000 + lifetimeSlackMs

  const remove = async (key: string): Promise<void> => {
    await link.run(() => limiter.delete(key))
  }

  // Garbage is counted and removed, so that sharing works again with the next attempt.
  const runChecked = async (key: string, least: number, operation: () => Promise<RateLimiterRes | null>) => {
    try {
      const result = await link.run(operation)
      if (result === undefined || result === null) return undefined
      const usage = { consumed: result.consumedPoints, msLeft: result.msBeforeNext }
      if (isPlausible(usage, least, maxLifetimeMs)) return usage
    } catch (error) {
      if (!(error instanceof PoisonedValue)) throw error
    }
    onPoison(name)
    await remove(key)
    return undefined
  }

  return {
    add: (key, cost) => runChecked(key, cost, () => limiter.penalty(key, cost)),
    read: (key) => runChecked(key, 0, () => limiter.get(key)),
    async block(key, seconds) {
      await link.run(() => limiter.block(key, seconds))
    },
    remove,
  }
}

// A negative count would hand out free attempts, an endless lifetime would lock somebody out for good.
function isPlausible({ consumed, msLeft }: Usage, least: number, maxLifetimeMs: number): boolean {
  return (
    Number.isSafeInteger(consumed) &&
    consumed >= least &&
    consumed <= maxPlausible &&
    msLeft >= 0 &&
    msLeft <= maxLifetimeMs
  )
}
