import type { Context } from '../../context/index.ts'
import { enrollmentUrlOf, findEnrolledDevice, isEnrollmentOpen, issueEnrollment } from '../../devices/index.ts'
import { completeAction } from '../actions-store.ts'
import type { Step, StepOutcome, StepWork } from '../types.ts'
import { pollSeconds } from './device.ts'

const place = ({ realm, signInId }: StepWork) => `device-enrollment:${realm.realmId}:${signInId}`

/** A device of the person's own, enrolled from there while this sign-in waits. */
export const registerDeviceAction: Step<{ renew: boolean }> = {
  id: 'REGISTER_DEVICE',
  prepare: async ({ input }) => ({ renew: input.renew === 'true' }),
  async decide(ctx, work, sent) {
    const { state, signInId } = work
    if (!(await findEnrolledDevice(ctx.tx, ctx.realmId, signInId))) {
      if (!state.enrollment?.asked || isAsked(work)) return show(ctx, work, sent?.renew === true)
      // Done in another sign-in, or taken back by an administrator.
      delete state.enrollment
      return { kind: 'PASSED' }
    }
    delete state.enrollment
    await completeAction(ctx.tx, ctx.realmId, state.userId!, 'REGISTER_DEVICE')
    // Its key signed a challenge that only this sign-in showed.
    return { kind: 'PASSED', proof: { method: 'device-key', at: ctx.now } }
  },
}

const isAsked = ({ user, state }: StepWork) =>
  Boolean(user?.requiredActions.includes('REGISTER_DEVICE') || state.actions?.includes('REGISTER_DEVICE'))

/** The same code until it is over, so that a page that is loaded again still fits the one that was scanned. */
async function show(ctx: Context, work: StepWork, renew: boolean): Promise<StepOutcome> {
  const token = renew ? null : readToken(work, ctx.now)
  const enrollmentUrl = token === null ? await issue(ctx, work) : await findUrl(ctx, token)
  return {
    kind: 'WAIT',
    pollSeconds,
    page: { page: 'REGISTER_DEVICE', username: work.state.username!, error: null, enrollmentUrl },
  }
}

function readToken(work: StepWork, now: number): string | null {
  const { enrollment } = work.state
  if (!enrollment || enrollment.expiresAt <= now) return null
  return work.services.sealer.open(Buffer.from(enrollment.token, 'base64url'), place(work)).toString()
}

async function issue(ctx: Context, work: StepWork): Promise<string> {
  const { enrollmentToken, enrollmentUrl, expiresAt } = await issueEnrollment(ctx, work.state.userId!, {
    signInId: work.signInId,
  })
  const token = work.services.sealer.seal(enrollmentToken, place(work)).toString('base64url')
  work.state.enrollment = { token, expiresAt, asked: isAsked(work) }
  return enrollmentUrl
}

/** Null when a newer one was asked for elsewhere. Two pages that each took the code back by themselves would never stop. */
async function findUrl(ctx: Context, token: string): Promise<string | null> {
  return (await isEnrollmentOpen(ctx, token)) ? enrollmentUrlOf(ctx, token) : null
}
