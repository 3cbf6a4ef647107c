import { type Executor, runRead } from '../../platform/db/index.ts'
import { hashToken, newToken } from '../../platform/crypto/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { newId } from '../../platform/ids/index.ts'
import { type Context, issuerOf, type Services } from '../context/index.ts'
import * as enrollments from './enrollments-store.ts'
import { maxDevices } from './limits.ts'
import type { Platform } from './schema.ts'
import { mayEnroll } from './standing.ts'
import { countDevices, lockPerson } from './store.ts'

const prefix = 'enr_'
// 256 bits in base64url.
const tokenPattern = /^enr_[A-Za-z0-9_-]{43}$/
// Contract 4.33.
const lifetimeMs = 10 * 60_000

export interface IssuedEnrollment {
  enrollmentToken: string
  enrollmentUrl: string
  expiresAt: number
}

/** A new one ends the person's earlier ones that nobody used (S41). The token is shown this once; only its hash is kept. */
export async function issueEnrollment(
  ctx: Context,
  userId: string,
  { signInId = null }: { signInId?: string | null } = {},
): Promise<IssuedEnrollment> {
  const person = await lockPerson(ctx.tx, ctx.realmId, userId)
  if (!person || person.service_account_client_id !== null) {
    throw new DomainError('protected', 'Only a person has devices; nobody signs in as a service account.')
  }
  await assertRoom(ctx, userId)
  await enrollments.deleteUnused(ctx.tx, ctx.realmId, userId)
  const enrollmentToken = newToken(prefix)
  const expiresAt = ctx.now + lifetimeMs
  await enrollments.insertEnrollment(ctx.tx, {
    realm_id: ctx.realmId,
    id: newId(ctx.now),
    token_hash: hashToken(enrollmentToken),
    user_id: userId,
    sign_in_id: signInId,
    created_at: ctx.now,
    expires_at: expiresAt,
  })
  return { enrollmentToken, enrollmentUrl: enrollmentUrlOf(ctx, enrollmentToken), expiresAt }
}

/** The token is in the fragment, which browsers send nowhere: it is in no log on the way. */
export function enrollmentUrlOf({ services, realmId }: Context, token: string): string {
  return `${issuerOf(services, realmId)}/device/enroll#${token}`
}

export async function assertRoom(ctx: Context, userId: string): Promise<void> {
  if ((await countDevices(ctx.tx, ctx.realmId, userId)) >= maxDevices) {
    throw new DomainError('limit_reached', `A user has at most ${maxDevices} devices.`)
  }
}

/** Tokens that were given out are worth nothing from now on. */
export async function endEnrollments(ctx: Context, userId: string): Promise<void> {
  await enrollments.deleteUnused(ctx.tx, ctx.realmId, userId)
}

/** The device that came of a sign-in's enrolment. */
export async function findEnrolledDevice(db: Executor, realmId: string, signInId: string): Promise<string | null> {
  return enrollments.selectEnrolled(db, realmId, signInId)
}

/** False once it is used, over, or ended by a newer one. */
export async function isEnrollmentOpen(ctx: Context, token: string): Promise<boolean> {
  const row = await enrollments.selectByToken(ctx.tx, ctx.realmId, hashToken(token))
  return row !== null && row.used_at === null && row.expires_at > ctx.now
}

const invalidToken = () => new DomainError('unauthenticated', 'The enrollment token is unknown or over.')
const usedToken = () => new DomainError('conflict', 'The enrollment token was used; ask for a new one.')

/** The enrolment that a token opens, as long as it does. */
export async function findEnrollment(
  services: Services,
  realmId: string,
  token: string | null,
): Promise<enrollments.EnrollmentRow> {
  if (token === null || !tokenPattern.test(token)) throw invalidToken()
  const row = await runRead(() => enrollments.selectByToken(services.db, realmId, hashToken(token)))
  if (!row) throw invalidToken()
  if (row.used_at !== null) throw usedToken()
  if (row.expires_at <= services.clock.now()) throw invalidToken()
  return row
}

/** Says what the device is and gets a challenge for its key. Begun anew, the challenge before counts no more. */
export async function startEnrollment(
  ctx: Context,
  enrollment: enrollments.EnrollmentRow,
  { deviceName, platform }: { deviceName: string; platform: Platform },
): Promise<{ enrollmentId: string; challenge: string; expiresAt: number }> {
  const person = await lockPerson(ctx.tx, ctx.realmId, enrollment.user_id)
  if (!person || !mayEnroll(person)) throw invalidToken()
  const challenge = newToken()
  const started = { deviceName, platform, challenge, now: ctx.now }
  if (!(await enrollments.updateStarted(ctx.tx, ctx.realmId, enrollment.id, started))) throw usedToken()
  return { enrollmentId: enrollment.id, challenge, expiresAt: enrollment.expires_at }
}

export { invalidToken, usedToken }
