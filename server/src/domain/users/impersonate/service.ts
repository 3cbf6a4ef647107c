import { DomainError } from '../../../platform/errors/index.ts'
import { defineLimiter } from '../../../platform/limits/index.ts'
import type { Context, UserActor } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'
import { queueMessage } from '../../messaging/index.ts'
import { assertMayActOn } from '../../permissions/index.ts'
import { createSession, endSessions } from '../../sessions/index.ts'
import { readSettings } from '../../settings/index.ts'
import type { User } from '../schema.ts'
import { chooseDestination } from './destination.ts'
import type { Impersonation, ImpersonationInput } from './schema.ts'

// Contract 2.49: long enough to see what is wrong, too short to live in.
const maxSeconds = 1800

// More people than anybody helps in ten minutes; each of them is mailed.
const limiterOf = defineLimiter({ name: 'impersonation', points: 30, durationSeconds: 600 })

export interface Started {
  impersonation: Impersonation
  /** The value of the cookie. */
  token: string
  lifetimeSeconds: number
}

/** Starts a session as somebody. The administrator's own session stays as it is (contract 2.49). */
export async function startImpersonation(ctx: Context, user: User, input: ImpersonationInput): Promise<Started> {
  const administrator = await admitAdministrator(ctx)
  await assertMayActOn(ctx, user.userId)
  refuseUnfit(administrator, user)
  const redirectUrl = await chooseDestination(ctx, input)
  await spendTurn(ctx, administrator)
  // One person at a time: a browser has one such cookie in a realm, and nobody could end what it lost.
  await endSessions(ctx, { impersonatorId: administrator.userId })
  const settings = await readSettings(ctx)
  const lifetimeSeconds = Math.min(maxSeconds, settings.ssoSessionMaxSeconds)
  const session = await createSession(ctx, {
    userId: user.userId,
    proofs: [{ method: 'impersonation', at: ctx.now }],
    rememberMe: false,
    idleSeconds: Math.min(lifetimeSeconds, settings.ssoSessionIdleSeconds),
    maxSeconds: lifetimeSeconds,
    impersonatorId: administrator.userId,
  })
  await recordEvent(ctx, {
    type: 'IMPERSONATION_START',
    outcome: 'SUCCESS',
    resourceType: 'users',
    resourceId: user.userId,
    detail: input.reason || null,
    detailSubject: user.userId,
    clientId: input.clientId ?? null,
    sessionId: session.id,
    impersonatorId: administrator.userId,
  })
  await tellPerson(ctx, user)
  const { id: sessionId, expiresAt, token } = session
  const impersonatorId = administrator.userId
  return {
    impersonation: { sessionId, userId: user.userId, impersonatorId, redirectUrl, expiresAt },
    token,
    lifetimeSeconds,
  }
}

/** A person at a browser with a session of their own: a program has nobody who could be asked why. */
async function admitAdministrator(ctx: Context): Promise<UserActor> {
  const { impersonationEnabled } = await readSettings(ctx)
  if (!impersonationEnabled) throw new DomainError('forbidden', 'This realm does not let administrators act as users.')
  const { actor } = ctx
  if (actor.kind !== 'USER' || actor.sessionId === null || actor.impersonatorId !== null) {
    throw new DomainError(
      'forbidden',
      'Only somebody who is signed in can act as a user; an access token is not enough.',
    )
  }
  return actor
}

function refuseUnfit(administrator: UserActor, user: User): void {
  if (user.userId === administrator.userId) throw new DomainError('conflict', 'You are this user already.')
  if (user.serviceAccountClientId !== null) throw new DomainError('conflict', 'Nobody signs in as a service account.')
  if (!user.enabled) throw new DomainError('conflict', 'The user is disabled.')
  // A lock with an end only stops new sign-ins; see domain/sessions.
  const isLockedOut = user.locked && user.lockedUntil === null
  if (isLockedOut) throw new DomainError('conflict', 'The user is locked.')
}

async function spendTurn(ctx: Context, { userId }: UserActor): Promise<void> {
  if (ctx.dryRun) return
  const { allowed, retryAfterSeconds } = await limiterOf(ctx.services).consume(ctx.realmId, userId)
  if (allowed) return
  throw new DomainError('rate_limited', 'You acted as too many users. Wait a little.', { retryAfterSeconds })
}

/** Once, in the same transaction: nobody is acted for without a word, as far as there is an address. */
async function tellPerson(ctx: Context, { userId, email, locale }: User): Promise<void> {
  if (email === null) return
  const templateKey = 'impersonation-notice-email'
  await queueMessage(ctx, { templateKey, channel: 'EMAIL', to: email, userId, locale, values: {} })
}
