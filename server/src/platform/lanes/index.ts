// Lanes: a fixed width for one kind of costly work, with a bounded queue in front of it.
// Architecture 6: 24 unbounded password hashes push token signing from 1 ms to 180 ms; in a lane they do not.
// Called by domain/passwords and by whoever runs work that must not crowd out the rest; built in app.
import { DomainError } from '../errors/index.ts'

export interface LaneOptions {
  name: string
  /** How many run at once. */
  width: number
  /** How many may wait; the next one is refused at once. */
  queue: number
  /** What a refused caller is told to wait. */
  retryAfterSeconds: number
}

export interface LaneStats {
  active: number
  waiting: number
  /** Refused since the start of the process. */
  refused: number
}

export interface Lane {
  run<T>(fn: () => Promise<T>): Promise<T>
  /**
   * Keeps a place for work that must be prepared first, or refuses before anything was spent on it. Give the place back by
   * calling what is returned right before `run`, and in any case; a second call does nothing.
   */
  reserve(): () => void
  stats(): LaneStats
}

/** First come, first served. A refusal costs no work at all, so that an overloaded node still answers within milliseconds. */
export function createLane(options: LaneOptions): Lane {
  const { name, width, queue, retryAfterSeconds } = options
  if (!Number.isInteger(width) || width < 1) throw new RangeError(`lane ${name}: width must be at least 1`)
  if (!Number.isInteger(queue) || queue < 0) throw new RangeError(`lane ${name}: queue must be 0 or more`)
  const waiting: (() => void)[] = []
  let active = 0
  let reserved = 0
  let refused = 0

  const checkRoom = () => {
    if (active + waiting.length + reserved < width + queue) return
    refused += 1
    throw new DomainError('unavailable', 'The service is busy. Try again shortly.', {
      retryAfterSeconds,
      cause: new Error(`lane ${name} is full: ${active} running, ${waiting.length} waiting, ${reserved} reserved`),
    })
  }

  const leave = () => {
    // The place is handed to the next in line directly: were it given back first, a newcomer could overtake the queue.
    const next = waiting.shift()
    if (next) next()
    else active -= 1
  }

  const enter = async (): Promise<void> => {
    checkRoom()
    if (active < width) {
      active += 1
      return
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  return {
    async run(fn) {
      await enter()
      try {
        return await fn()
      } finally {
        leave()
      }
    },
    reserve() {
      checkRoom()
      reserved += 1
      let held = true
      return () => {
        if (held) reserved -= 1
        held = false
      }
    },
    stats: () => ({ active, waiting: waiting.length, refused }),
  }
}
