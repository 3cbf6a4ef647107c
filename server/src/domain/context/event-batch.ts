import type { Actor } from './actor.ts'
import type { Origin } from './index.ts'

/** An event that waits for a moment to be written with others. */
export interface BatchedEvent {
  realmId: string
  actor: Actor
  origin: Origin
  /** When it happened. */
  at: number
  event: {
    type: string
    outcome: 'SUCCESS' | 'FAILURE'
    clientId?: string | null
    sessionId?: string | null
    detail?: string | null
  }
}

export interface EventBatch {
  add(event: BatchedEvent): void
  /** Counts a token handed to a service account, by client and minute. */
  countToken(realmId: string, clientId: string, expiresAt: number): void
  flush(): Promise<void>
}
