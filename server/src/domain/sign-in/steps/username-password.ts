import type { StepError } from '../pages.ts'
import type { Step, StepOutcome, StepWork } from '../types.ts'
import { loginPage } from './login-page.ts'
import { maxNameLength, settlePassword, type Verified, verifyPassword } from './verify-password.ts'

/** Username or e-mail with password on one page. */
export const usernamePasswordStep: Step<Verified> = {
  id: 'username-password',
  prepare: (work) => verifyPassword(work, (work.input.username ?? '').slice(0, maxNameLength)),
  decide: (ctx, work, verified) => decidePassword(ctx, work, verified),
}

/** The password of the person named in the step before. */
export const passwordStep: Step<Verified> = {
  id: 'password',
  prepare: (work) => verifyPassword(work, work.state.typedName ?? work.state.username ?? ''),
  decide: (ctx, work, verified) => decidePassword(ctx, work, verified),
}

async function decidePassword(
  ctx: Parameters<Step['decide']>[0],
  work: StepWork,
  verified: Verified | null,
): Promise<StepOutcome> {
  if (!verified) return { kind: 'PAGE', failed: false, page: await loginPage(work, null) }
  const refuse = async (error: StepError, retryAfterSeconds?: number): Promise<StepOutcome> => ({
    kind: 'PAGE',
    failed: true,
    page: await loginPage(work, error, verified.name),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
  if (verified.missing) return refuse(verified.missing)
  if (verified.retryAfterSeconds !== null) return refuse('rateLimited', verified.retryAfterSeconds)
  return (await settlePassword(ctx, work, verified)) ?? refuse('credentials')
}
