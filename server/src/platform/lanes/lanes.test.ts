import { describe, expect, it } from 'vitest'
import { DomainError } from '../errors/index.ts'
import { createLane } from './index.ts'

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('lane', () => {
  it('never runs more than its width at once and serves in order of arrival', async () => {
    const lane = createLane({ name: 'test', width: 2, queue: 20, retryAfterSeconds: 1 })
    let running = 0
    let peak = 0
    const finished: number[] = []
    const work = Array.from({ length: 10 }, (_, index) =>
      lane.run(async () => {
        running += 1
        peak = Math.max(peak, running)
        await turn()
        running -= 1
        finished.push(index)
      }),
    )
    expect(lane.stats()).toEqual({ active: 2, waiting: 8, refused: 0 })
    await Promise.all(work)
    expect(peak).toBe(2)
    expect(finished).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(lane.stats()).toEqual({ active: 0, waiting: 0, refused: 0 })
  })

  it('refuses at once with unavailable and Retry-After when the queue is full, without running the work', async () => {
    const lane = createLane({ name: 'test', width: 1, queue: 1, retryAfterSeconds: 7 })
    const { open, opened } = gate()
    const first = lane.run(() => opened)
    const second = lane.run(async () => 'second')
    let ran = false
    const started = performance.now()
    const refusal = await lane
      .run(async () => {
        ran = true
      })
      .catch((error: unknown) => error)
    expect(performance.now() - started).toBeLessThan(50)
    expect(refusal).toBeInstanceOf(DomainError)
    expect(refusal).toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 7 })
    expect((refusal as DomainError).detail).not.toContain('lane')
    expect(lane.stats()).toEqual({ active: 1, waiting: 1, refused: 1 })
    open()
    await first
    expect(await second).toBe('second')
    expect(ran).toBe(false)
  })

  it('F28 keeps a reserved place for its holder against newcomers, and gives it back once', async () => {
    const lane = createLane({ name: 'test', width: 1, queue: 1, retryAfterSeconds: 1 })
    const { open, opened } = gate()
    const first = lane.run(() => opened)
    const release = lane.reserve()
    expect(() => lane.reserve()).toThrow(DomainError)
    await expect(lane.run(async () => 'newcomer')).rejects.toThrow(DomainError)
    release()
    const second = lane.run(async () => 'holder')
    release()
    await expect(lane.run(async () => 'newcomer')).rejects.toThrow(DomainError)
    open()
    await first
    expect(await second).toBe('holder')
    expect(lane.stats()).toEqual({ active: 0, waiting: 0, refused: 3 })
  })

  it('gives the place back when the work fails, also when it throws before its first await', async () => {
    const lane = createLane({ name: 'test', width: 1, queue: 0, retryAfterSeconds: 1 })
    await expect(lane.run(() => Promise.reject(new Error('late')))).rejects.toThrow('late')
    await expect(
      lane.run(() => {
        throw new Error('early')
      }),
    ).rejects.toThrow('early')
    expect(lane.stats().active).toBe(0)
    expect(await lane.run(async () => 'works')).toBe('works')
  })

  it('does not let a newcomer overtake the queue', async () => {
    const lane = createLane({ name: 'test', width: 1, queue: 2, retryAfterSeconds: 1 })
    const order: string[] = []
    const { open, opened } = gate()
    const first = lane.run(() => opened).then(() => lane.run(async () => void order.push('newcomer')))
    const waiter = lane.run(async () => void order.push('waiter'))
    open()
    await Promise.all([first, waiter])
    expect(order).toEqual(['waiter', 'newcomer'])
  })

  it('refuses a width or queue that is no limit', () => {
    const base = { name: 'test', width: 1, queue: 1, retryAfterSeconds: 1 }
    expect(() => createLane({ ...base, width: 0 })).toThrow('width')
    expect(() => createLane({ ...base, width: Number.POSITIVE_INFINITY })).toThrow('width')
    expect(() => createLane({ ...base, queue: -1 })).toThrow('queue')
    expect(() => createLane({ ...base, queue: Number.POSITIVE_INFINITY })).toThrow('queue')
  })
})
