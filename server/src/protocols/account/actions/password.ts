import { z } from 'zod'
import { type Context, openContext, type Origin, type Services, type UserActor } from '../../../domain/context/index.ts'
import { recordEvent } from '../../../domain/events/index.ts'
import { endSessions } from '../../../domain/sessions/index.ts'
import { settingsSection } from '../../../domain/settings/index.ts'
import { prepareConfirmation } from '../../../domain/sign-in/index.ts'
import type { RealmSnapshot } from '../../../domain/snapshot/index.ts'
import { revokeUserGrants } from '../../../domain/tokens/index.ts'
import { loadUser } from '../../../domain/users/index.ts'
import { tellOfChange } from '../../../domain/users/notices/index.ts'
import { checkNewPassword, passwordRefused, setPassword } from '../../../domain/users/password/index.ts'
import { runRead, runTransaction, workOnPool } from '../../../platform/db/index.ts'
import { DomainError, fieldError } from '../../../platform/errors/index.ts'
import { spend } from './limits.ts'

// What is longer is no password and is not hashed (S50).
const maxLength = 1024

export const PasswordChange = z
  .strictObject({
    currentPassword: z.string().min(1).max(maxLength).optional().describe('Left out by whoever has no password yet.'),
    newPassword: z.string().min(1).max(maxLength),
  })
  .meta({ id: 'AccountPasswordChange' })
export type PasswordChange = z.infer<typeof PasswordChange>

export interface PasswordCaller {
  services: Services
  realm: RealmSnapshot
  holder: UserActor
  origin: Origin
}

export interface PreparedChange {
  hash: string
  historyCount: number
  breachUnavailable: boolean
  /** When the password that was proved had been set; null for whoever had none. */
  replaces: number | null
}

/**
 * Proves the password of now, counted in the one ledger, and only then looks at the new one: what the history says of it is for
 * nobody else. Takes two hashes, so no transaction is open.
 */
export async function preparePassword(caller: PasswordCaller, input: PasswordChange): Promise<PreparedChange> {
  const { services, realm, holder } = caller
  const { realmId } = realm
  const from = { realmId, actor: holder, origin: caller.origin }
  const reading = openContext(services, workOnPool(services.db), from)
  const { record: user } = await runRead(() => loadUser(reading, holder.userId, false))
  if (user.federationAlias !== null) {
    throw new DomainError('protected', 'Your password is kept by the directory you come from: change it there.')
  }
  if (user.passwordSet) await proveCurrent(caller, input.currentPassword)
  const settings = await realm.section(settingsSection)
  const checked = await runRead(() =>
    checkNewPassword(services, {
      ...{ realmId, userId: holder.userId, settings },
      ...{ password: input.newPassword, field: 'newPassword' },
    }),
  )
  if (checked.errors.length > 0) throw passwordRefused(checked.errors)
  const { passwordPolicy } = settings
  return {
    hash: await services.passwords.hash(input.newPassword, passwordPolicy),
    historyCount: passwordPolicy.historyCount,
    breachUnavailable: checked.breachUnavailable,
    replaces: user.passwordChangedAt,
  }
}

async function proveCurrent(caller: PasswordCaller, currentPassword: string | undefined): Promise<void> {
  const { services, realm, holder, origin } = caller
  if (currentPassword === undefined) throw fieldError('currentPassword', 'Enter the password you have now.', 'required')
  const person = { id: holder.userId, username: holder.username }
  const shown = { method: 'password', password: currentPassword } as const
  const settle = await prepareConfirmation(services, { realm, origin, person }, shown)
  // A wrong one is counted in this transaction, which therefore ends before anything is refused.
  const outcome = await runTransaction(services.db, (work) =>
    settle(openContext(services, work, { realmId: realm.realmId, actor: holder, origin })),
  )
  if (outcome.kind === 'PROVED') return
  if (outcome.kind === 'WRONG') throw fieldError('currentPassword', 'This is not your password.')
  const { retryAfterSeconds } = outcome
  throw new DomainError('rate_limited', 'There were too many wrong passwords. Try again later.', { retryAfterSeconds })
}

/** Whoever else is in the account with the old password is put out; the person stays where they are. */
export async function changePassword(ctx: Context, holder: UserActor, prepared: PreparedChange): Promise<void> {
  const { userId, sessionId } = holder
  await spend(ctx, holder, 'changes')
  const { record: user } = await loadUser(ctx, userId, true)
  if (user.passwordChangedAt !== prepared.replaces) {
    throw new DomainError('conflict', 'Your password was changed at this moment, in another place.')
  }
  await setPassword(ctx, userId, { ...prepared, temporary: false })
  await endSessions(ctx, { userId, exceptId: sessionId })
  await revokeUserGrants(ctx, userId, sessionId)
  const resource = { resourceType: 'users', resourceId: userId }
  await recordEvent(ctx, { type: 'PASSWORD_CHANGED', outcome: 'SUCCESS', ...resource })
  if (prepared.breachUnavailable) {
    await recordEvent(ctx, { type: 'BREACH_CHECK_UNAVAILABLE', outcome: 'FAILURE', ...resource })
  }
  // A first one opens a new way in; of another than before they are told where it is set.
  if (prepared.replaces === null) await tellOfChange(ctx, userId, 'PASSWORD')
}
