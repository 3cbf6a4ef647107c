// A load generator in a process of its own, so that measuring takes nothing from the event loop of whoever measures.
// It sends bytes over plain connections and knows no product: the same one drives every contender.
// Called by bench/tokens and bench/peers.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Job, Outcome, Reply } from './jobs.ts'

export type { Chain, Job, Load, Outcome } from './jobs.ts'

export interface Generator {
  /** Any wrong answer ends the run: a rate of failures measures nothing. */
  run(job: Job): Promise<Outcome>
  stop(): void
}

export function startGenerator(): Generator {
  const child = fork(fileURLToPath(new URL('process.ts', import.meta.url)))
  const ended = once(child, 'exit').then(() => [])
  return {
    async run(job) {
      child.send(job)
      const [reply] = (await Promise.race([once(child, 'message'), ended])) as [Reply?]
      if (!reply) throw new Error('the load generator ended')
      if ('failure' in reply) throw new Error(`a request of the load failed: ${reply.failure}`)
      return reply.outcome
    },
    stop: () => void child.kill(),
  }
}
