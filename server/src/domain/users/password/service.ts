import { DomainError, type FieldError, notFound } from '../../../platform/errors/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { idParameter } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'
import { endApprovals } from '../../device-approvals/index.ts'
import { endEnrollments } from '../../devices/index.ts'
import { revokeSecrets } from '../../one-time-secrets/index.ts'
import { assertMayActOn } from '../../permissions/index.ts'
import { endSessions } from '../../sessions/index.ts'
import { revokeUserGrants } from '../../tokens/index.ts'
import { readSettings } from '../../settings/index.ts'
import { forgetDevices } from '../../trusted-devices/index.ts'
import { checkNewPassword, passwordRefused } from './check.ts'
import { tellOfChange } from '../notices/index.ts'
import { raiseUserVersion } from '../store.ts'
import * as store from './store.ts'

/** A password that was checked and hashed before the transaction. */
export interface PreparedPassword {
  /** Null when there are errors: nothing is hashed in vain. */
  hash: string | null
  errors: FieldError[]
  warnings: string[]
  breachUnavailable: boolean
  historyCount: number
}

/**
 * The part of an administrator's reset that needs no transaction. Whether the caller may act on the user comes first: the
 * check of the history would otherwise tell a lesser administrator which passwords a greater one has used.
 * Faults are thrown later, in the transaction, where a repeated request is recognised first.
 */
export async function prepareReset(
  ctx: Context,
  userId: string | undefined,
  { password, field }: { password: string; field: string },
): Promise<PreparedPassword> {
  const id = idParameter(userId)
  const owner = await store.selectOwner(ctx.tx, ctx.realmId, id)
  if (!owner) throw notFound()
  await assertMayActOn(ctx, id)
  if (owner.service_account_client_id !== null) {
    throw new DomainError('protected', 'A service account has no password; nobody signs in as one.')
  }
  const settings = await readSettings(ctx)
  const policy = settings.passwordPolicy
  const check = await checkNewPassword(ctx.services, { realmId: ctx.realmId, userId: id, password, field, settings })
  const hash = check.errors.length === 0 ? await ctx.services.passwords.hash(password, policy) : null
  return { ...check, hash, historyCount: policy.historyCount }
}

export interface Reset {
  temporary: boolean
  revokeSessions: boolean
  label?: string | null
}

/** An administrator's reset, inside the transaction. Returns the new credential's id and what the audit trail shall say. */
export async function resetPassword(ctx: Context, userId: string, prepared: PreparedPassword, reset: Reset) {
  await assertMayActOn(ctx, userId)
  if (prepared.hash === null) throw passwordRefused(prepared.errors)
  const credentialId = await setPassword(ctx, userId, {
    hash: prepared.hash,
    temporary: reset.temporary,
    historyCount: prepared.historyCount,
    label: reset.label ?? null,
  })
  const unlocked = await store.unlockUser(ctx.tx, ctx.realmId, userId)
  const sessionsEnded = reset.revokeSessions ? await endOtherSessions(ctx, userId) : 0
  const resource = { resourceType: 'users', resourceId: userId }
  await recordEvent(ctx, {
    type: 'CREDENTIAL_RESET',
    outcome: 'SUCCESS',
    ...resource,
    detail: 'password',
    detailSubject: userId,
  })
  if (unlocked) await recordEvent(ctx, { type: 'USER_UNLOCKED', outcome: 'SUCCESS', ...resource })
  if (prepared.breachUnavailable)
    await recordEvent(ctx, { type: 'BREACH_CHECK_UNAVAILABLE', outcome: 'FAILURE', ...resource })
  const changes = {
    passwordSet: true,
    temporary: reset.temporary,
    sessionsEnded,
    ...(unlocked ? { locked: false } : {}),
    ...(prepared.warnings.length > 0 ? { warnings: prepared.warnings } : {}),
  }
  return { credentialId, changes }
}

/** A forgotten password was replaced: the lock that guessing at it led to is over (contract 3.7). */
export async function liftLock(ctx: Context, userId: string): Promise<void> {
  if (!(await store.unlockUser(ctx.tx, ctx.realmId, userId))) return
  await recordEvent(ctx, { type: 'USER_UNLOCKED', outcome: 'SUCCESS', resourceType: 'users', resourceId: userId })
}

/**
 * Puts a hashed password in place and the one before into the history. Whoever had one is told by mail that it is another now,
 * whichever way it came; a first one is news to nobody. Returns the credential's id.
 */
export async function setPassword(
  ctx: Context,
  userId: string,
  password: { hash: string; temporary: boolean; historyCount?: number; label?: string | null },
): Promise<string> {
  const historyCount = password.historyCount ?? (await readSettings(ctx)).passwordPolicy.historyCount
  const isOther = await retirePassword(ctx, userId, historyCount)
  const id = newId(ctx.now)
  await store.insertPassword(ctx.tx, {
    realmId: ctx.realmId,
    id,
    userId,
    hash: password.hash,
    label: password.label ?? null,
    now: ctx.now,
  })
  await store.markPasswordSet(ctx.tx, ctx.realmId, userId, password.temporary)
  if (isOther) await tellOfChange(ctx, userId, 'PASSWORD')
  return id
}

/** Takes the password away; it stays in the history, so that it cannot simply be set again. */
export async function removePassword(ctx: Context, userId: string): Promise<void> {
  const { passwordPolicy } = await readSettings(ctx)
  await retirePassword(ctx, userId, passwordPolicy.historyCount)
  await raiseUserVersion(ctx.tx, ctx.realmId, userId)
}

/** Whether there was one. */
async function retirePassword(ctx: Context, userId: string, historyCount: number): Promise<boolean> {
  const old = await store.takePassword(ctx.tx, ctx.realmId, userId)
  if (old !== null) await endWhatItOpened(ctx, userId)
  if (old !== null && historyCount > 0) {
    await store.insertHistory(ctx.tx, { realmId: ctx.realmId, id: newId(ctx.now), userId, hash: old, now: ctx.now })
  }
  await store.trimHistory(ctx.tx, ctx.realmId, userId, historyCount)
  return old !== null
}

/**
 * Links that lead to a new password, browsers trusted, devices to be enrolled and answers that wait under the old one end with it
 * (S41).
 */
async function endWhatItOpened(ctx: Context, userId: string): Promise<void> {
  await revokeSecrets(ctx, userId)
  await forgetDevices(ctx, userId)
  await endEnrollments(ctx, userId)
  await endApprovals(ctx, userId)
}

/** Whoever changes their own password stays signed in where they did it. Offline access, which needs no session, ends as well. */
async function endOtherSessions(ctx: Context, userId: string): Promise<number> {
  const ownId = ctx.actor.kind === 'USER' ? ctx.actor.sessionId : null
  await revokeUserGrants(ctx, userId, ownId)
  return endSessions(ctx, { userId, exceptId: ownId })
}
