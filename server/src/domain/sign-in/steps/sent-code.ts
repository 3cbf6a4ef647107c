import { queueMessage } from '../../messaging/index.ts'
import { issueCode, useCode } from '../../one-time-secrets/index.ts'
import type { Context } from '../../context/index.ts'
import type { Reservation } from '../../lockout/index.ts'
import type { StepError } from '../pages.ts'
import { allowSending, maskAddress, noteSent, secondsUntilResend, wasSentTo } from '../sending.ts'
import type { LoginUser } from '../store.ts'
import type { Step, StepOutcome, StepWork } from '../types.ts'
import { factorPage, noteChallenge, reserveTry, settleFactor } from './second-factor.ts'

interface Way {
  id: 'otp-email' | 'otp-sms'
  channel: 'EMAIL' | 'SMS'
  purpose: 'OTP_EMAIL' | 'OTP_SMS'
  templateKey: 'otp-email' | 'otp-sms'
  addressOf(user: LoginUser): string | null
}

interface Tried {
  reservation: Reservation
  outcome: 'OK' | 'WRONG' | 'GONE'
}

/** What was asked of this request: a code to look at, or another one to be sent. */
type Prepared = { kind: 'TRIED'; tried: Tried } | { kind: 'SEND'; allowed: boolean } | { kind: 'NOTHING' }

const defaultLifetimeSeconds = 300

/** A code sent to an address that the person has proved before. */
function createSentCodeStep(way: Way): Step<Prepared> {
  const show = (work: StepWork, user: LoginUser, error: StepError | null): StepOutcome => ({
    kind: 'PAGE',
    failed: error !== null,
    page: {
      page: 'OTP',
      method: way.id,
      sentTo: maskAddress(way.addressOf(user) ?? ''),
      resendSeconds: secondsUntilResend(work, way.id),
      ...factorPage(work, error),
    },
  })

  return {
    id: way.id,
    async prepare(work) {
      const { input, services, realm, state, signInId } = work
      if (input.code) {
        const reservation = await reserveTry(work, 'OTP')
        const asked = { realmId: realm.realmId, purpose: way.purpose, subject: state.userId!, boundTo: signInId }
        const isTheirs = wasSentTo(work, way.id, way.addressOf(work.user!))
        const use = () => (isTheirs ? useCode(services, { ...asked, code: input.code! }) : 'GONE')
        return { kind: 'TRIED', tried: { reservation, outcome: reservation.allowed ? await use() : 'WRONG' } }
      }
      if (input.resend === undefined || secondsUntilResend(work, way.id) > 0) return { kind: 'NOTHING' }
      return { kind: 'SEND', allowed: await allowSending(work, way.channel, way.addressOf(work.user!)!) }
    },
    async decide(ctx, work, prepared) {
      const user = work.user!
      if (prepared?.kind === 'TRIED') {
        const { reservation, outcome } = prepared.tried
        const check = async () => outcome === 'OK'
        return settleFactor(ctx, work, { method: way.id, reservation, check }, (error) =>
          show(work, user, outcome === 'GONE' ? 'codeExpired' : error),
        )
      }
      // Chosen again while the one before is on its way: another would only make that one worthless.
      if (!prepared && secondsUntilResend(work, way.id) > 0) return show(work, user, null)
      if (prepared?.kind === 'NOTHING') return show(work, user, work.input.code === '' ? 'codeMissing' : null)
      // Reached by the step before, or chosen: the first code of a sign-in is sent unasked, within the limits of the address.
      const allowed = prepared ? prepared.allowed : await allowSending(work, way.channel, way.addressOf(user)!)
      if (!allowed || !(await send(ctx, work, user))) return show(work, user, 'notSent')
      await noteChallenge(ctx, work, way.id)
      return show(work, user, null)
    },
  }

  async function send(ctx: Context, work: StepWork, user: LoginUser): Promise<boolean> {
    const seconds = Number(work.flowStep?.config.codeLifetimeSeconds ?? defaultLifetimeSeconds)
    const code = await issueCode(ctx, {
      purpose: way.purpose,
      subject: user.id,
      boundTo: work.signInId,
      ttlMs: seconds * 1000,
    })
    const to = way.addressOf(user)!
    noteSent(work, way.id, to, ctx.now)
    return queueMessage(ctx, {
      templateKey: way.templateKey,
      channel: way.channel,
      to,
      userId: user.id,
      locale: user.locale ?? work.state.locale ?? null,
      values: { code, ttl: String(Math.ceil(seconds / 60)), user: user.username },
      expiresAt: ctx.now + seconds * 1000,
    })
  }
}

export const emailCodeStep = createSentCodeStep({
  id: 'otp-email',
  channel: 'EMAIL',
  purpose: 'OTP_EMAIL',
  templateKey: 'otp-email',
  addressOf: (user) => (user.emailVerified ? user.email : null),
})

export const smsCodeStep = createSentCodeStep({
  id: 'otp-sms',
  channel: 'SMS',
  purpose: 'OTP_SMS',
  templateKey: 'otp-sms',
  addressOf: (user) => (user.phoneVerified ? user.phone : null),
})
