import { hashToken } from '../../../platform/crypto/index.ts'
import { DomainError } from '../../../platform/errors/index.ts'
import { asUser, type Context, jobActor } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'
import { addressSubject, issueToken, useToken } from '../../one-time-secrets/index.ts'
import { setPassword } from '../password/index.ts'
import { createUser } from '../service.ts'
import { mailPlace, sendRegistrationJob } from './mail.ts'
import { markTermsAccepted } from './store.ts'

export interface Registration {
  email: string
  firstName: string
  lastName: string
  passwordHash: string
  locale: string | null
  termsAccepted: boolean
  /** The secret cookie of the browser where the password was chosen. */
  browserSecret: string
}

type Kept = Omit<Registration, 'browserSecret'> & { browserHash: string }

const linkMs = 24 * 3_600_000
// Used by the very request that made the account.
const firstPasswordMs = 60_000

/**
 * Keeps what was typed, sealed, until the link of the mail comes back. The mail is written by a job, which finds out whether the
 * address is taken: the person at the form never learns that.
 */
export async function requestRegistration(ctx: Context, { browserSecret, ...entries }: Registration): Promise<void> {
  const registration: Kept = { ...entries, browserHash: hashToken(browserSecret).toString('hex') }
  const subject = addressSubject(registration.email)
  const sealed = JSON.stringify(registration)
  const token = await issueToken(ctx, { purpose: 'REGISTER', subject, boundTo: null, ttlMs: linkMs, sealed })
  const { email, locale, firstName } = registration
  const mail = JSON.stringify({ email, locale, firstName, token })
  const mailSealed = ctx.services.sealer.seal(mail, mailPlace(ctx.realmId)).toString('base64url')
  const { realmId } = ctx
  await ctx.services.jobs.enqueue(ctx.tx, sendRegistrationJob, { realmId, mailSealed }, { group: realmId })
}

export interface Registered {
  username: string
  /** Leads to a first password, where the one of the form is not taken. */
  passwordToken: string | null
}

/**
 * The link came back: now there is an account. Null when the link is used, too old, or somebody has the address by now. The
 * password of the form counts only in the browser it was typed in: whoever fills in somebody else's address and waits for them
 * to follow the link must not have chosen their password (S13).
 */
export async function completeRegistration(
  ctx: Context,
  token: string,
  browserSecret: string,
): Promise<Registered | null> {
  const secret = await useToken(ctx, 'REGISTER', token)
  if (!secret?.sealed) return null
  const kept = JSON.parse(secret.sealed) as Kept
  const creating = { ...ctx, actor: jobActor }
  try {
    const { userId, username } = await createAccount(creating, kept)
    if (kept.termsAccepted) await markTermsAccepted(ctx.tx, ctx.realmId, userId, ctx.now)
    const acting = { ...ctx, actor: asUser(ctx.realmId, { id: userId, username }) }
    await recordEvent(acting, { type: 'REGISTER', outcome: 'SUCCESS', resourceType: 'users', resourceId: userId })
    const isSameBrowser = hashToken(browserSecret).toString('hex') === kept.browserHash
    if (!isSameBrowser) return { username, passwordToken: await issueFirstPassword(ctx, userId, kept.email) }
    await setPassword(creating, userId, { hash: kept.passwordHash, temporary: false })
    return { username, passwordToken: null }
  } catch (error) {
    if (error instanceof DomainError && error.code === 'conflict') return null
    throw error
  }
}

function createAccount(ctx: Context, { email, firstName, lastName, locale }: Kept) {
  const attributes = { firstName, lastName }
  const known = { username: email, email, emailVerified: true, enabled: true, locale, attributes }
  return createUser(ctx, { ...known, requiredActions: [] })
}

function issueFirstPassword(ctx: Context, subject: string, email: string): Promise<string> {
  const issue = { purpose: 'RESET_PASSWORD', subject, boundTo: null, ttlMs: firstPasswordMs, sealed: email } as const
  return issueToken(ctx, issue)
}
