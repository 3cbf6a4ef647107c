import { type Approval, askElsewhere, findApproval, takeApproval } from '../../device-approvals/index.ts'
import type { Context } from '../../context/index.ts'
import { addressLimit, addressOf } from '../address-limit.ts'
import { maySignIn } from '../may-sign-in.ts'
import type { StepError } from '../pages.ts'
import { readLoginUser } from '../store.ts'
import type { Step, StepOutcome, StepWork } from '../types.ts'
import { pollSeconds } from './device.ts'
import { loginPage } from './login-page.ts'

/** Set when this address asked for too many codes. */
interface Asked {
  retryAfterSeconds: number | null
}

/**
 * A code on the screen that somebody reads where they are signed in already: their yes there names the person and lets this
 * screen in. It is a row for anybody who asks, so it counts like a failed try of the address.
 */
export const qrStep: Step<Asked> = {
  id: 'qr',
  async prepare({ services, realm, settings, origin, state, input }) {
    const asks = state.approval === undefined || input.resend !== undefined
    if (!asks) return { retryAfterSeconds: null }
    const points = settings.bruteForce.perIpMaxPerMinute
    const limit = await addressLimit(services).consume(realm.realmId, addressOf(origin), { points })
    return { retryAfterSeconds: limit.allowed ? null : limit.retryAfterSeconds }
  },
  async decide(ctx, work, prepared) {
    const { state, input, signInId } = work
    // Nobody asked for a code yet: it is one of the doors of the first page.
    if (!prepared && !state.approval) return { kind: 'PAGE', failed: false, page: await loginPage(work, null) }
    if (prepared && prepared.retryAfterSeconds !== null) {
      const { retryAfterSeconds } = prepared
      return { kind: 'PAGE', failed: true, retryAfterSeconds, page: await loginPage(work, 'rateLimited') }
    }
    const asked = state.approval ? await findApproval(ctx.tx, ctx.realmId, state.approval, ctx.now) : null
    if (asked?.kind !== 'QR' || input.resend !== undefined) return wait(work, await ask(ctx, work))
    if (asked.status === 'PENDING' || asked.status === 'SCANNED') return wait(work, asked)
    const yes = asked.status === 'CONFIRMED' ? await takeApproval(ctx, { id: asked.id, signInId }) : null
    const user = yes ? await readLoginUser(ctx.tx, ctx.realmId, yes.userId) : null
    if (yes && user && maySignIn(user, ctx.now)) {
      // A code proves nothing anew: what it lends is as old as the session that read it.
      const proof = { method: 'qr', at: ctx.now, since: yes.provedAt }
      return { kind: 'PASSED', userId: user.id, username: user.username, proof, user }
    }
    return refuse(asked.status === 'DENIED' ? 'approvalDenied' : 'approvalExpired')
  },
}

async function ask(ctx: Context, work: StepWork): Promise<Approval> {
  const { state, signInId, clientId, flowStep } = work
  const approval = await askElsewhere(ctx, {
    kind: 'QR',
    userId: null,
    signInId,
    clientId,
    action: 'LOGIN',
    numberMatching: flowStep?.config.confirmCode === true,
    needsSignature: false,
  })
  state.approval = approval.id
  return approval
}

function wait({ services, realm }: StepWork, { id, number, status }: Approval): StepOutcome {
  const address = `${services.config.baseUrl}/realms/${realm.realmId}/qr/${id}`
  return {
    kind: 'WAIT',
    pollSeconds,
    page: { page: 'QR', error: null, address, number, scanned: status === 'SCANNED' },
  }
}

function refuse(error: StepError): StepOutcome {
  return { kind: 'PAGE', failed: true, page: { page: 'QR', error, address: null, number: null, scanned: false } }
}
