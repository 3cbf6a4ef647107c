import { runRead } from '../../../platform/db/index.ts'
import { asUser } from '../../context/index.ts'
import { describePolicy } from '../../passwords/index.ts'
import { recordEvent } from '../../events/index.ts'
import { checkNewPassword, liftLock, setPassword } from '../../users/password/index.ts'
import { endSessions } from '../../sessions/index.ts'
import { revokeUserGrants } from '../../tokens/index.ts'
import type { StepPage } from '../pages.ts'
import type { Step } from '../types.ts'

interface Checked {
  errors: { field: string; code: string; message: string }[]
  hash: string | null
  breachUnavailable: boolean
}

/** The required action UPDATE_PASSWORD: a new password before the door opens. */
export const updatePasswordStep: Step<Checked> = {
  id: 'UPDATE_PASSWORD',

  async prepare({ services, realm, settings, state, input }) {
    const newPassword = input.newPassword ?? ''
    if (newPassword === '')
      return {
        errors: [{ field: 'newPassword', code: 'required', message: 'Enter a new password.' }],
        hash: null,
        breachUnavailable: false,
      }
    if (newPassword !== (input.confirmPassword ?? newPassword)) {
      return {
        errors: [{ field: 'confirmPassword', code: 'mismatch', message: 'The two passwords are not the same.' }],
        hash: null,
        breachUnavailable: false,
      }
    }
    const checked = await runRead(() =>
      checkNewPassword(services, {
        realmId: realm.realmId,
        userId: state.userId!,
        password: newPassword,
        field: 'newPassword',
        settings,
      }),
    )
    const hash =
      checked.errors.length === 0 ? await services.passwords.hash(newPassword, settings.passwordPolicy) : null
    return { errors: checked.errors, hash, breachUnavailable: checked.breachUnavailable }
  },

  async decide(ctx, { settings, state }, checked) {
    const page: StepPage = {
      page: 'UPDATE_PASSWORD',
      username: state.username!,
      rules: describePolicy(settings.passwordPolicy),
      errors: checked?.errors ?? [],
    }
    if (!checked?.hash) return { kind: 'PAGE', failed: checked !== null, page }
    const acting = { ...ctx, actor: asUser(ctx.realmId, { id: state.userId!, username: state.username! }) }
    await setPassword(acting, state.userId!, {
      hash: checked.hash,
      temporary: false,
      historyCount: settings.passwordPolicy.historyCount,
    })
    await recordEvent(acting, {
      type: 'PASSWORD_CHANGED',
      outcome: 'SUCCESS',
      resourceType: 'users',
      resourceId: state.userId!,
    })
    if (checked.breachUnavailable) await recordEvent(acting, { type: 'BREACH_CHECK_UNAVAILABLE', outcome: 'FAILURE' })
    if (state.flowType === 'RESET_CREDENTIALS') {
      // Whoever had the old password may still be signed in somewhere.
      await endSessions(ctx, { userId: state.userId! })
      await revokeUserGrants(ctx, state.userId!)
      await liftLock(acting, state.userId!)
    }
    state.passwordSetAt = ctx.now
    // Choosing a password proves nothing; it only renews what the old one proved.
    const proved = state.proofs.some(({ method }) => method === 'password')
    return { kind: 'PASSED', ...(proved ? { proof: { method: 'password', at: ctx.now } } : {}) }
  },
}
