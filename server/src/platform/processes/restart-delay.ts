// How long to wait before a process that died is started again.

// A process that served this long did not die from starting.
export const stableAfterMs = 10_000
// Up to this many deaths in a row are taken for bad luck.
const quickRestarts = 5
const quickDelayMs = 50
const firstDelayMs = 1000
// It never gives up: what makes it die (a full disk, a lost database) may be repaired at any time.
const maxDelayMs = 30_000

export function planRestartDelayMs(deathsInARow: number): number {
  if (deathsInARow <= quickRestarts) return quickDelayMs
  return Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(deathsInARow - quickRestarts - 1, 10))
}
