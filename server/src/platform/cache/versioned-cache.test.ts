import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { createTestClock } from '../time/index.ts'
import { createVersionedCache, type VersionedCache } from './index.ts'

let cache: VersionedCache<string> | undefined
afterEach(() => cache?.stop())

function setUp(overrides: { maxBytes?: number } = {}) {
  const rows = new Map<string, { value: string; version: number; bytes: number }>([
    ['a', { value: 'a1', version: 1, bytes: 10 }],
  ])
  const clock = createTestClock()
  const seen = { loads: 0, changes: [] as { key: string; version: number }[], fail: false }
  cache = createVersionedCache<string>({
    maxBytes: overrides.maxBytes ?? 1000,
    ttlMs: 60_000,
    pollMs: 10,
    unknownMax: 3,
    unknownTtlMs: 2000,
    clock,
    async load(key) {
      seen.loads++
      await sleep(2)
      return rows.get(key) ?? null
    },
    async recentChanges() {
      if (seen.fail) throw new Error('poller blocked')
      return seen.changes
    },
    onPollError: () => undefined,
  })
  return { cache, rows, clock, seen }
}

it('builds a value once when many ask at the same time', async () => {
  const { cache, seen } = setUp()
  const all = await Promise.all(Array.from({ length: 100 }, () => cache.get('a')))
  expect(new Set(all)).toEqual(new Set(['a1']))
  expect(seen.loads).toBe(1)
})

it('learns of a newer version by polling', async () => {
  const { cache, rows, seen } = setUp()
  await cache.get('a')
  rows.set('a', { value: 'a2', version: 2, bytes: 10 })
  seen.changes = [{ key: 'a', version: 2 }]
  cache.start()
  await sleep(60)
  expect(await cache.get('a')).toBe('a2')
  expect(seen.loads).toBe(2)
})

it('F18 serves nothing older than its time to live, even when polling is blocked', async () => {
  const { cache, rows, clock, seen } = setUp()
  seen.fail = true
  cache.start()
  await cache.get('a')
  rows.set('a', { value: 'a2', version: 2, bytes: 10 })
  clock.advance(59_000)
  expect(await cache.get('a')).toBe('a1')
  clock.advance(1001)
  expect(await cache.get('a')).toBe('a2')
})

it('does not keep a value read before a newer version was announced', async () => {
  const { cache, rows, seen } = setUp()
  const early = cache.get('a')
  cache.observe('a', 2)
  await early
  rows.set('a', { value: 'a2', version: 2, bytes: 10 })
  expect(await cache.get('a')).toBe('a2')
  expect(seen.loads).toBe(2)
})

it('remembers unknown keys for a while, a bounded number of them, and finds them once they exist', async () => {
  const { cache, rows, seen } = setUp()
  await cache.get('x')
  await cache.get('x')
  expect(seen.loads).toBe(1)
  for (const key of ['p', 'q', 'r', 's']) await cache.get(key)
  expect(cache.stats().unknown).toBe(3)
  rows.set('s', { value: 's1', version: 1, bytes: 1 })
  cache.observe('s', 1)
  expect(await cache.get('s')).toBe('s1')
})

it('stays within its bytes, also when an entry grows', async () => {
  const { cache, rows } = setUp({ maxBytes: 100 })
  for (let at = 0; at < 50; at++) {
    rows.set(`k${at}`, { value: 'v', version: 1, bytes: 10 })
    await cache.get(`k${at}`)
  }
  expect(cache.stats()).toMatchObject({ entries: 10, bytes: 100 })
  cache.resize('k49', 60)
  expect(cache.stats().bytes).toBeLessThanOrEqual(100)
})
