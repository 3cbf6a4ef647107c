import { type Approval, askElsewhere, findApproval, takeApproval } from '../../device-approvals/index.ts'
import type { Context } from '../../context/index.ts'
import { ledgerSubject, reserveWithin } from '../../lockout/index.ts'
import { queuePush } from '../../messaging/index.ts'
import type { StepError } from '../pages.ts'
import { noteSent, secondsUntilResend, wasSentTo } from '../sending.ts'
import type { Step, StepOutcome, StepWork } from '../types.ts'
import { factorPage, noteChallenge } from './second-factor.ts'

type Method = 'push' | 'device-key'

// Often enough that nobody waits for the screen, seldom enough for a thousand screens.
export const pollSeconds = 2

/** A question on a device of the person: sent by push, or found by the device itself and answered with its key. */
function createDeviceStep(method: Method): Step<true> {
  return {
    id: method,
    prepare: async () => true,
    async decide(ctx, work, prepared) {
      const { state, input, signInId } = work
      const asked = state.approval ? await findApproval(ctx.tx, ctx.realmId, state.approval, ctx.now) : null
      const mayResend = prepared && input.resend !== undefined && secondsUntilResend(work, method) === 0
      if (!asked || asked.kind !== kinds[method] || mayResend) return ask(ctx, work, method)
      if (asked.status === 'PENDING') return wait(work, method, asked)
      if (asked.status === 'APPROVED') {
        const yes = await takeApproval(ctx, { id: asked.id, signInId })
        // Somebody else's yes proves nothing about this person.
        if (yes?.userId === state.userId) {
          if (input.trustDevice === 'true') state.trustDevice = true
          return { kind: 'PASSED', proof: { method, at: ctx.now } }
        }
      }
      return refuse(work, method, asked.status === 'DENIED' ? 'approvalDenied' : 'approvalExpired')
    },
  }
}

const kinds = { push: 'PUSH', 'device-key': 'KEY' } as const

/**
 * Counted before anybody is bothered: whoever does not answer, or says no, is left in peace after as many questions as somebody
 * may guess a password, because a person who is asked often enough says yes by mistake (S40).
 */
async function ask(ctx: Context, work: StepWork, method: Method): Promise<StepOutcome> {
  const { state, settings, flowStep, signInId, clientId } = work
  const { allowed } = await reserveWithin(ctx, settings, ledgerSubject(state.userId, ''), 'PUSH')
  if (!allowed) return refuse(work, method, 'approvalLimited')
  const approval = await askElsewhere(ctx, {
    kind: kinds[method],
    userId: state.userId,
    signInId,
    clientId,
    action: state.flowType === 'STEP_UP' ? 'STEP_UP' : 'LOGIN',
    numberMatching: flowStep?.config.numberMatching !== false,
    needsSignature: method === 'device-key' || flowStep?.config.requireDeviceKey === true,
  })
  state.approval = approval.id
  // Where no push reaches the person, their app finds the question by itself or reads it from the screen.
  const isSent = method === 'push' && (await sendPush(ctx, work, approval))
  noteSent(work, method, isSent ? 'device' : 'screen', ctx.now)
  await noteChallenge(ctx, work, method)
  return wait(work, method, approval)
}

function sendPush(ctx: Context, work: StepWork, approval: Approval): Promise<boolean> {
  const { state, user, realm, services } = work
  return queuePush(ctx, {
    templateKey: 'approval-push',
    userId: state.userId,
    locale: user?.locale ?? state.locale ?? null,
    values: {
      client: approval.clientName ?? approval.clientId ?? realm.realmId,
      message: '',
      link: addressOf(services.config.baseUrl, realm.realmId, approval.id),
      ttl: String(Math.round((approval.expiresAt - approval.createdAt) / 60_000)),
    },
    expiresAt: approval.expiresAt,
  })
}

const addressOf = (baseUrl: string, realmId: string, id: string) => `${baseUrl}/realms/${realmId}/push/${id}`

function wait(work: StepWork, method: Method, { id, number }: Approval): StepOutcome {
  const { services, realm } = work
  // A push brings the address.
  const isSent = wasSentTo(work, method, 'device')
  const address = isSent ? null : addressOf(services.config.baseUrl, realm.realmId, id)
  const resendSeconds = secondsUntilResend(work, method)
  const page = { page: 'DEVICE' as const, method, number, address, resendSeconds, ...factorPage(work, null) }
  return { kind: 'WAIT', page, pollSeconds }
}

function refuse(work: StepWork, method: Method, error: StepError): StepOutcome {
  const resendSeconds = secondsUntilResend(work, method)
  const nothing = { number: null, address: null, resendSeconds }
  return { kind: 'PAGE', failed: true, page: { page: 'DEVICE', method, ...nothing, ...factorPage(work, error) } }
}

export const pushStep = createDeviceStep('push')
export const deviceKeyStep = createDeviceStep('device-key')
