import { addressLimit, addressOf } from '../address-limit.ts'
import { useToken } from '../../one-time-secrets/index.ts'
import { maySignIn } from '../may-sign-in.ts'
import { sendLinkJob } from '../link-mails.ts'
import { secondsUntilResend } from '../sending.ts'
import { readLoginUser } from '../store.ts'
import type { Step, StepWork } from '../types.ts'
import { loginPage } from './login-page.ts'
import { maxNameLength } from './verify-password.ts'

interface Asked {
  name: string
  /** Set when this address asked too often. */
  retryAfterSeconds: number | null
}

/**
 * A link by mail in place of a password, good in the browser that asked for it. Whether the name belongs to anybody is found out
 * by the job that sends the mail, so that asking looks and costs the same for every name (S42).
 */
export const magicLinkStep: Step<Asked> = {
  id: 'magic-link',
  // Whoever is known already gets the link themselves, whatever name is sent.
  async prepare({ services, realm, settings, origin, input, state }) {
    const name = (state.username ?? state.typedName ?? input.username ?? '').slice(0, maxNameLength)
    if (input.linkToken !== undefined) return { name, retryAfterSeconds: null }
    // Each link asked for counts like a failed try of the address: it costs a row and a mail.
    const points = settings.bruteForce.perIpMaxPerMinute
    const limit = await addressLimit(services).consume(realm.realmId, addressOf(origin), { points })
    return { name, retryAfterSeconds: limit.allowed ? null : limit.retryAfterSeconds }
  },
  async decide(ctx, work, prepared) {
    const { state, input } = work
    const name = prepared?.name ?? null
    if (prepared && prepared.retryAfterSeconds !== null) {
      const { retryAfterSeconds } = prepared
      return {
        kind: 'PAGE',
        failed: true,
        retryAfterSeconds,
        page: await loginPage(work, 'rateLimited', prepared.name),
      }
    }
    if (input.linkToken !== undefined) {
      const user = await useLink(ctx, work, input.linkToken)
      if (!user) return { kind: 'PAGE', failed: true, page: await loginPage(work, 'expired') }
      const proof = { method: 'magic-link', at: ctx.now }
      return { kind: 'PASSED', userId: user.id, username: user.username, proof, user }
    }
    const asked = name ?? state.username ?? state.typedName ?? ''
    if (asked.trim() === '')
      return {
        kind: 'PAGE',
        failed: name !== null,
        page: await loginPage(work, name === null ? null : 'usernameMissing'),
      }
    state.typedName = asked
    if (secondsUntilResend(work, 'magic-link') === 0) {
      state.sentAt = { ...state.sentAt, 'magic-link': ctx.now }
      const { realmId } = ctx
      const asking = { realmId, signInId: work.signInId }
      await ctx.services.jobs.enqueue(ctx.tx, sendLinkJob, asking, { group: realmId })
    }
    const resendSeconds = secondsUntilResend(work, 'magic-link')
    return { kind: 'PAGE', failed: false, page: { page: 'LINK_SENT', username: asked, error: null, resendSeconds } }
  },
}

async function useLink(ctx: Parameters<Step['decide']>[0], work: StepWork, token: string) {
  const secret = await useToken(ctx, 'MAGIC_LINK', token)
  if (!secret || secret.boundTo !== work.signInId) return null
  const user = await readLoginUser(ctx.tx, ctx.realmId, secret.subject)
  return user && user.email === secret.sealed && maySignIn(user, ctx.now) ? user : null
}
