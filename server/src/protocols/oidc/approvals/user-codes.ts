import { openContext } from '../../../domain/context/index.ts'
import { recordEvent } from '../../../domain/events/index.ts'
import { ledgerSubject, recordFailedAttempt, reserveAttempt, returnAttempt } from '../../../domain/lockout/index.ts'
import { sessionActor } from '../../../domain/sessions/index.ts'
import { addressLimit, addressOf } from '../../../domain/sign-in/index.ts'
import { runTogether, runTransaction } from '../../../platform/db/index.ts'
import { originOf } from '../../../platform/http/index.ts'
import type { Visitor } from './visitor.ts'
import { findByUserCode, type Found } from './waiting-request.ts'

/** Too many codes were wrong. */
export interface Limited {
  retryAfterSeconds: number
}

/**
 * The request behind a code that somebody typed. Every try is counted before it is looked up, in the one ledger, so that any
 * number of tries at once on any number of nodes are no more than are allowed (S40, RFC 8628 section 5.1).
 */
export async function tryUserCode(visitor: Visitor, typed: string): Promise<Found | Limited> {
  const { services, issuer, session, visit } = visitor
  const { realmId, settings } = issuer
  const origin = originOf(visit.request)
  // Beside the person's own counter: somebody with many accounts still has few addresses.
  const address = addressOf(origin)
  const points = settings.bruteForce.perIpMaxPerMinute
  const limit = await addressLimit(services).peek(realmId, address, { points })
  if (!limit.allowed) return { retryAfterSeconds: limit.retryAfterSeconds }
  const reservation = await reserveAttempt(services, settings, realmId, ledgerSubject(session.userId, ''), 'USER_CODE')
  if (!reservation.allowed) return { retryAfterSeconds: reservation.retryAfterSeconds }
  const found = await findByUserCode(services, issuer, typed)
  if (typeof found === 'string') await addressLimit(services).penalty(realmId, address, { points })
  await runTransaction(services.db, async (work) => {
    const ctx = openContext(services, work, { realmId, actor: sessionActor(session), origin })
    // Anybody has a right code at hand, that of a device of their own: it must not wipe out the wrong ones before it.
    if (typeof found === 'object') return void (await runTogether(ctx.tx, [returnAttempt(reservation)]))
    // Wrong codes close this page to the person for a while; their sign-in has nothing to do with it.
    await recordFailedAttempt(ctx, settings, reservation, null)
    const detail = `the code was ${found.toLowerCase()}`
    await recordEvent(ctx, { type: 'DEVICE_AUTHORIZED', outcome: 'FAILURE', sessionId: session.sessionId, detail })
  })
  return found
}
