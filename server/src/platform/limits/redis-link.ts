// A Redis connection that may fail, hang or lie without slowing anybody down: short timeout, circuit breaker, quiet reconnect.
import { createClient, ErrorReply, MultiErrorReply } from 'redis'
import type { Log } from '../log/index.ts'

// A hung Redis may cost one request 50 ms; ten of them are left for the timer's own lateness.
const operationTimeoutMs = 40
// Long enough that a Redis which hangs now and then is left alone, short enough that shared limits are soon back.
const openMs = 3000
const probeIntervalMs = 1000
// Nothing heard for this long, though probes go out every second: the connection is dead and is made anew.
const socketTimeoutMs = 5000
const connectTimeoutMs = 1000
const maxReconnectMs = 1000
const healthTimeoutMs = 500

export type RedisClient = ReturnType<typeof createRedisClient>

// The answer of Redis is unusable because somebody wrote something else under our key.
export class PoisonedValue extends Error {}

export interface RedisLink {
  client: RedisClient
  // Undefined means that Redis did not answer; PoisonedValue is thrown for the caller to clean up.
  run<T>(operation: () => Promise<T>): Promise<T | undefined>
  health(): Promise<'UP' | 'DOWN'>
  trips(): number
  close(): void
}

function createRedisClient(url: string) {
  return createClient({
    url,
    // A command that cannot be sent now is of no use later.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: connectTimeoutMs,
      socketTimeout: socketTimeoutMs,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 10), maxReconnectMs),
    },
  })
}

export function createRedisLink({ url, log }: { url: string; log: Log }): RedisLink {
  const client = createRedisClient(url)
  let openUntil = 0
  let trips = 0
  let probing = false
  let lastFault = ''

  const report = (fault: string): void => {
    if (fault !== lastFault) log.warn({ fault }, 'Redis does not answer, rate limits are kept per process')
    lastFault = fault
  }
  const trip = (fault: string): void => {
    trips++
    openUntil = performance.now() + openMs
    report(fault)
  }

  // Probes run whether anybody asks or not: they find most hangs before a request does, and they alone close the breaker.
  const probe = async (): Promise<void> => {
    if (probing || !client.isReady) return
    probing = true
    const answered = await settleWithin(client.ping(), operationTimeoutMs, () => {
      probing = false
    })
    if (answered.kind !== 'value') trip(answered.kind === 'error' ? answered.error.message : 'probe took too long')
    else if (openUntil > 0 && performance.now() >= openUntil) {
      openUntil = 0
      lastFault = ''
      log.info('Redis answers again, rate limits are shared')
    }
  }
  const timer = setInterval(() => void probe(), probeIntervalMs).unref()

  client.on('error', (error: Error) => report(error.message))
  client.connect().catch((error: Error) => report(error.message))

  return {
    client,
    async run(operation) {
      if (openUntil > 0 || !client.isReady) return undefined
      const result = await settleWithin(operation(), operationTimeoutMs)
      if (result.kind === 'value') return result.value
      if (result.kind === 'error' && isPoison(result.error)) throw new PoisonedValue(result.error.message)
      trip(result.kind === 'error' ? result.error.message : 'operation took too long')
      return undefined
    },
    async health() {
      if (!client.isReady) return 'DOWN'
      const result = await settleWithin(client.ping(), healthTimeoutMs)
      return result.kind === 'value' ? 'UP' : 'DOWN'
    },
    trips: () => trips,
    close() {
      clearInterval(timer)
      client.destroy()
    },
  }
}

// Error replies about the kind of value under a key; every other reply (loading, read-only, no permission) means "not usable now".
function isPoison(error: Error): boolean {
  if (error instanceof MultiErrorReply) return [...error.errors()].some((inner) => isPoison(inner as Error))
  return error instanceof ErrorReply && /WRONGTYPE|not an integer|would overflow/.test(error.message)
}

type Settled<T> = { kind: 'value'; value: T } | { kind: 'error'; error: Error } | { kind: 'late' }

function settleWithin<T>(promise: Promise<T>, timeoutMs: number, onSettled?: () => void): Promise<Settled<T>> {
  return new Promise((resolve) => {
    // A busy event loop runs this timer before it reads the socket. One more turn gives an answer that is already there
    // the chance to count.
    const timer = setTimeout(() => setImmediate(() => resolve({ kind: 'late' })), timeoutMs)
    const settle = (result: Settled<T>): void => {
      clearTimeout(timer)
      onSettled?.()
      resolve(result)
    }
    promise.then(
      (value) => settle({ kind: 'value', value }),
      (error: Error) => settle({ kind: 'error', error }),
    )
  })
}
