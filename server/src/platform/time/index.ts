// The clock: one function that everything asks, so that tests can move time.
// Epoch milliseconds, as the contract's `…At` members.
// Called through the context; nobody reads Date.now() in domain code.
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that tests can set forward. */
export function createTestClock(): Clock & { advance(ms: number): void } {
  let offset = 0
  return {
    now: () => Date.now() + offset,
    advance(ms) {
      offset += ms
    },
  }
}
