import type { AdapterPayload } from 'oidc-provider'
import { acrReasons } from './authentication-classes.ts'
import { engineContext } from './internals.ts'
import { currentUnit, type Payload } from './unit.ts'

const presenceReasons = ['no_session', 'no_single_sign_on']

/**
 * A request that waited for somebody to sign in goes on with whoever did. The proof is the session itself: it was proved after
 * the request began, in the browser that holds both. Nothing is handed over, so nothing can be forged on the way.
 */
export function resumeWith(interaction: Payload): AdapterPayload {
  const ctx = engineContext()
  const session = ctx?.oidc.session
  if (ctx?.oidc.route !== 'resume' || !session?.accountId) return interaction as AdapterPayload
  const beganAt = (interaction.beganAt as number | undefined) ?? Number.POSITIVE_INFINITY
  const { provedAt = 0, signedInAt = 0, vouchedAt = 0 } = currentUnit() ?? {}
  // Where only strength was missing, what was added is enough; everything else asked for the whole sign-in again (S39).
  const reasons = (interaction.prompt as { reasons?: string[] } | undefined)?.reasons ?? []
  const isAddition = reasons.length > 0 && reasons.every((reason) => acrReasons.includes(reason))
  // Another screen lets somebody in who is not; it is no answer to the question for a sign-in of now.
  const mayBeVouched = reasons.every((reason) => presenceReasons.includes(reason) || acrReasons.includes(reason))
  const latest = isAddition ? provedAt : Math.max(signedInAt ?? 0, mayBeVouched ? (vouchedAt ?? 0) : 0)
  const isFresh = (latest ?? 0) > beganAt
  if (!isFresh) return interaction as AdapterPayload
  const previous = (interaction.session ?? {}) as { uid?: string; accountId?: string }
  const login = {
    accountId: session.accountId,
    ts: session.loginTs,
    acr: session.acr,
    amr: session.amr,
    remember: !session.transient,
  }
  return {
    ...interaction,
    // Signing in as somebody else makes another session; the request now belongs to that one.
    session: { ...previous, uid: session.uid, accountId: session.accountId },
    result: {
      ...(interaction.lastSubmission as object | undefined),
      ...(interaction.result as object | undefined),
      login,
      select_account: {},
    },
  } as AdapterPayload
}
