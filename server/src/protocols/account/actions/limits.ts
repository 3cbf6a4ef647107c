import type { Context, Services, UserActor } from '../../../domain/context/index.ts'
import { DomainError } from '../../../platform/errors/index.ts'
import { defineLimiter, type Limiter } from '../../../platform/limits/index.ts'

// Each sends a mail to an address that the person chose: enough to correct a typing error, too few to bother strangers (5.7).
const emailChanges = defineLimiter({ name: 'account-email', points: 5, durationSeconds: 3600 })
// Every one reads all that is kept of the person.
const exports = defineLimiter({ name: 'account-export', points: 5, durationSeconds: 3600 })
// Each tells the person by mail; more than this in an hour is no person, and their mailbox is spared.
const changes = defineLimiter({ name: 'account-changes', points: 60, durationSeconds: 3600 })
// Tries at the code of an app that waits for its first one.
const confirmations = defineLimiter({ name: 'account-confirmations', points: 10, durationSeconds: 300 })

const limiters = { emailChanges, exports, changes, confirmations } satisfies Record<
  string,
  (services: Services) => Limiter
>

/** Counts against what one person may do in their account, whichever way they come. */
export async function spend(
  ctx: Pick<Context, 'services' | 'realmId'>,
  holder: UserActor,
  what: keyof typeof limiters,
): Promise<void> {
  const { allowed, retryAfterSeconds } = await limiters[what](ctx.services).consume(ctx.realmId, holder.userId)
  if (!allowed) throw new DomainError('rate_limited', 'You did this too often. Try again later.', { retryAfterSeconds })
}
