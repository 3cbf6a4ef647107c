import { LRUCache } from 'lru-cache'
import type { Clock } from '../time/index.ts'

export interface Versioned<T> {
  value: T
  version: number
  bytes: number
}

export interface VersionedCacheOptions<T> {
  maxBytes: number
  /** The longest an entry may serve unchecked, whatever became of the poller. */
  ttlMs: number
  pollMs: number
  /** How many unknown keys are remembered, and for how long: a flood of invented names must not reach the database. */
  unknownMax: number
  unknownTtlMs: number
  clock: Clock
  load(key: string): Promise<Versioned<T> | null>
  /** Keys whose version was raised lately, with their versions. */
  recentChanges(): Promise<{ key: string; version: number }[]>
  onPollError(error: unknown): void
}

interface Entry<T> extends Versioned<T> {
  loadedAt: number
}

export interface VersionedCache<T> {
  get(key: string): Promise<T | null>
  /** Tells the cache of a version seen elsewhere; an older entry is dropped at once. */
  observe(key: string, version: number): void
  drop(key: string): void
  /** An entry grew (a part was loaded on first use). */
  resize(key: string, bytes: number): void
  stats(): { entries: number; bytes: number; unknown: number }
  start(): void
  stop(): Promise<void>
}

/**
 * Immutable values by key, each with a version: bounded in bytes, built once when many ask (single flight), refreshed by polling
 * what changed, and never served past a hard time to live.
 */
export function createVersionedCache<T>(options: VersionedCacheOptions<T>): VersionedCache<T> {
  const { clock } = options
  const entries = new LRUCache<string, Entry<T>>({
    maxSize: options.maxBytes,
    sizeCalculation: (entry) => Math.max(1, entry.bytes),
  })
  const unknown = new LRUCache<string, number>({ max: options.unknownMax })
  const loading = new Map<string, Promise<T | null>>()
  // Versions seen while a load was under way: its result may be older than what was announced meanwhile.
  const announced = new LRUCache<string, number>({ max: 10_000 })

  async function load(key: string): Promise<T | null> {
    const loaded = await options.load(key)
    if (!loaded) {
      unknown.set(key, clock.now())
      return null
    }
    // An announcement newer than what was read means the read was too early; it serves this caller but is not kept.
    if (loaded.version >= (announced.get(key) ?? 0)) entries.set(key, { ...loaded, loadedAt: clock.now() })
    return loaded.value
  }

  function observe(key: string, version: number) {
    announced.set(key, Math.max(version, announced.get(key) ?? 0))
    unknown.delete(key)
    const entry = entries.peek(key)
    if (entry && entry.version < version) entries.delete(key)
  }

  async function poll() {
    try {
      for (const change of await options.recentChanges()) observe(change.key, change.version)
    } catch (error) {
      options.onPollError(error)
    }
  }

  return {
    async get(key) {
      const entry = entries.get(key)
      if (entry && clock.now() - entry.loadedAt < options.ttlMs) return entry.value
      const unknownSince = unknown.get(key)
      if (unknownSince !== undefined && clock.now() - unknownSince < options.unknownTtlMs) return null
      const running = loading.get(key)
      if (running) return running
      const started = load(key).finally(() => loading.delete(key))
      loading.set(key, started)
      return started
    },
    observe,
    drop(key) {
      entries.delete(key)
      unknown.delete(key)
    },
    resize(key, bytes) {
      const entry = entries.peek(key)
      if (entry) entries.set(key, { ...entry, bytes })
    },
    stats: () => ({ entries: entries.size, bytes: entries.calculatedSize, unknown: unknown.size }),
    ...createPoller(options.pollMs, poll),
  }
}

/** Calls again and again with a pause between, never twice at once; `stop` waits for a call under way. */
function createPoller(pauseMs: number, poll: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> = Promise.resolve()
  let stopped = false
  const next = () => {
    if (stopped) return
    timer = setTimeout(() => {
      polling = poll().then(next)
    }, pauseMs)
    timer.unref()
  }
  return {
    start: next,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await polling
    },
  }
}
