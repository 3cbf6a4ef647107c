import { asUser } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'
import { issueCode, issueToken, useCode } from '../../one-time-secrets/index.ts'
import { queueMessage } from '../../messaging/index.ts'
import type { StepError } from '../pages.ts'
import { allowSending, noteSent, secondsUntilResend, wasSentTo } from '../sending.ts'
import { markEmailVerified } from '../actions-store.ts'
import type { LoginUser } from '../store.ts'
import type { Step, StepOutcome, StepWork } from '../types.ts'

type Ctx = Parameters<Step['decide']>[0]
type Prepared = { outcome: 'OK' | 'WRONG' | 'GONE' } | { send: boolean } | null

const codeMs = 15 * 60_000
const linkMs = 24 * 3_600_000

/** Proves the person's e-mail address: the code of the mail here, or its link anywhere. */
export const verifyEmailAction: Step<Prepared> = {
  id: 'VERIFY_EMAIL',
  async prepare(work) {
    const { services, realm, state, input, signInId, user } = work
    if (input.code) {
      if (!wasSentTo(work, 'verify-email', user?.email ?? null)) return { outcome: 'GONE' }
      const asked = { purpose: 'VERIFY_EMAIL_CODE' as const, subject: state.userId!, boundTo: signInId }
      return { outcome: await useCode(services, { realmId: realm.realmId, ...asked, code: input.code }) }
    }
    if (input.resend === undefined || secondsUntilResend(work, 'verify-email') > 0) return null
    return { send: user?.email ? await allowSending(work, 'EMAIL', user.email) : false }
  },
  async decide(ctx, work, prepared) {
    const user = work.user!
    // Proved by the link meanwhile, or the address was taken away: nothing is left to prove.
    if (user.email === null || user.emailVerified) return (await passed(ctx, work, user, false))!
    if (prepared && 'outcome' in prepared) {
      const proved = prepared.outcome === 'OK' ? await passed(ctx, work, user, true) : null
      return proved ?? show(work, user, prepared.outcome === 'WRONG' ? 'codeWrong' : 'codeExpired')
    }
    const isFirst = work.state.sentAt?.['verify-email'] === undefined
    if (!isFirst && !(prepared && prepared.send)) return show(work, user, work.input.code === '' ? 'codeMissing' : null)
    const allowed = prepared ? prepared.send : await allowSending(work, 'EMAIL', user.email)
    if (!allowed || !(await sendProof(ctx, work, user))) return show(work, user, 'notSent')
    return show(work, user, null)
  },
}

/** Null when the address was changed in this very moment. */
async function passed(ctx: Ctx, { state }: StepWork, user: LoginUser, proved: boolean): Promise<StepOutcome | null> {
  const acting = { ...ctx, actor: asUser(ctx.realmId, { id: user.id, username: state.username! }) }
  const marked = await markEmailVerified(ctx.tx, ctx.realmId, user.id, proved ? user.email : null, ctx.now)
  if (!marked) return null
  if (proved) {
    const event = { outcome: 'SUCCESS', resourceType: 'users', resourceId: user.id } as const
    await recordEvent(acting, { type: 'EMAIL_VERIFIED', ...event })
  }
  return { kind: 'PASSED' }
}

async function sendProof(ctx: Ctx, work: StepWork, user: LoginUser): Promise<boolean> {
  const subject = user.id
  const code = await issueCode(ctx, { purpose: 'VERIFY_EMAIL_CODE', subject, boundTo: work.signInId, ttlMs: codeMs })
  const token = await issueToken(ctx, {
    purpose: 'VERIFY_EMAIL',
    subject,
    boundTo: null,
    ttlMs: linkMs,
    // The link proves the address it was sent to and no other.
    sealed: user.email!,
  })
  noteSent(work, 'verify-email', user.email!, ctx.now)
  const link = `${ctx.services.config.baseUrl}/realms/${ctx.realmId}/verify-email?token=${token}`
  return queueMessage(ctx, {
    templateKey: 'verify-email',
    channel: 'EMAIL',
    to: user.email!,
    userId: user.id,
    locale: user.locale ?? work.state.locale ?? null,
    values: { code, link, user: user.username, ttl: String(codeMs / 60_000) },
    expiresAt: ctx.now + linkMs,
  })
}

function show(work: StepWork, user: LoginUser, error: StepError | null): StepOutcome {
  const resendSeconds = secondsUntilResend(work, 'verify-email')
  return {
    kind: 'PAGE',
    failed: error !== null,
    page: { page: 'VERIFY_EMAIL', username: user.username, email: user.email!, error, resendSeconds },
  }
}
