// Fixed windows in this process's memory, bounded in number: the least recently used key goes first.
import { LRUCache } from 'lru-cache'

// About 10 MB a limiter when full. Whoever wants to push a key out has to spend this many addresses for it.
const maxKeys = 50_000

export interface Usage {
  consumed: number
  msLeft: number
}

export interface MemoryWindows {
  add(key: string, cost: number, durationMs: number): Usage
  read(key: string): Usage
  block(key: string, consumed: number, durationMs: number): void
  remove(key: string): void
  size(): number
}

export function createMemoryWindows(): MemoryWindows {
  const windows = new LRUCache<string, { consumed: number; endsAt: number }>({ max: maxKeys })
  // The monotonic clock: a corrected wall clock must not open or close a window.
  const find = (key: string) => {
    const window = windows.get(key)
    return window !== undefined && window.endsAt > performance.now() ? window : undefined
  }

  return {
    add(key, cost, durationMs) {
      const window = find(key) ?? { consumed: 0, endsAt: performance.now() + durationMs }
      window.consumed += cost
      windows.set(key, window)
      return { consumed: window.consumed, msLeft: window.endsAt - performance.now() }
    },
    read(key) {
      const window = find(key)
      return window
        ? { consumed: window.consumed, msLeft: window.endsAt - performance.now() }
        : { consumed: 0, msLeft: 0 }
    },
    block: (key, consumed, durationMs) => void windows.set(key, { consumed, endsAt: performance.now() + durationMs }),
    remove: (key) => void windows.delete(key),
    size: () => windows.size,
  }
}
