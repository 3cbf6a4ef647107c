import { DomainError } from '../../../platform/errors/index.ts'
import { foldName } from '../../../platform/text/index.ts'
import { asUser, type Context, jobActor } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'
import { allowMessage, hasProvider, queueMessage } from '../../messaging/index.ts'
import { issueToken, useToken } from '../../one-time-secrets/index.ts'
import { tellOfChange } from '../notices/index.ts'
import type { User, UserReplacement } from '../schema.ts'
import { loadUser, replaceUser } from '../service.ts'
import { selectTakenNames } from '../store.ts'

const linkMs = 24 * 3_600_000

/** Whether a new address is confirmed before it counts: where the realm can send mail at all. */
export async function canConfirmEmail({ services, realmId }: Context): Promise<boolean> {
  const realm = await services.snapshots.find(realmId)
  return realm ? hasProvider(realm, 'EMAIL') : false
}

/**
 * Mails the new address: a link to confirm it, or, where somebody has it already, that they have an account. Whoever asks is told
 * the same in both cases, so the form tells nobody who has an account here (S42). Nothing changes until the link is used.
 */
export async function requestNewEmail(ctx: Context, user: User, email: string): Promise<void> {
  const { allowed, retryAfterSeconds } = await allowMessage(ctx.services, ctx.realmId, 'EMAIL', email)
  if (!allowed) throw new DomainError('rate_limited', 'This address was sent too many messages.', { retryAfterSeconds })
  const taken = await selectTakenNames(ctx.tx, ctx.realmId, [foldName(email)], user.userId)
  // Made in both cases, so that both take the same; the one that is not sent is worth nothing to anybody.
  const token = await issueToken(ctx, {
    purpose: 'CHANGE_EMAIL',
    subject: user.userId,
    boundTo: null,
    ttlMs: linkMs,
    sealed: email,
  })
  const base = `${ctx.services.config.baseUrl}/realms/${ctx.realmId}`
  const isTaken = taken.size > 0
  await queueMessage(ctx, {
    templateKey: isTaken ? 'account-exists-email' : 'confirm-address-email',
    channel: 'EMAIL',
    to: email,
    // Who asked is nothing to the reader of somebody else's address.
    userId: isTaken ? null : user.userId,
    locale: user.locale,
    values: isTaken
      ? { user: email, link: `${base}/login` }
      : { user: user.username, link: `${base}/verify-email?token=${token}` },
    expiresAt: ctx.now + linkMs,
  })
  // Whoever looks into what became of an account later sees that it was asked for, not only that it was done.
  await recordEvent(ctx, {
    type: 'ADMIN_UPDATE',
    outcome: 'SUCCESS',
    resourceType: 'users',
    resourceId: user.userId,
    detail: JSON.stringify({ email: 'asked for by the person' }),
    detailSubject: user.userId,
  })
}

/** The link came back: the address is the person's and proved. False when the link is over, or somebody has the address by now. */
export async function confirmNewEmail(ctx: Context, token: string): Promise<boolean> {
  const secret = await useToken(ctx, 'CHANGE_EMAIL', token)
  if (!secret?.sealed) return false
  const { record: before } = await loadUser(ctx, secret.subject, true)
  // Nobody needs a permission over themselves.
  const changing = { ...ctx, actor: jobActor }
  try {
    const replacement = { ...before, email: secret.sealed, emailVerified: true, roles: undefined }
    await replaceUser(changing, before, replacement as UserReplacement)
  } catch (error) {
    if (error instanceof DomainError && error.code === 'conflict') return false
    throw error
  }
  const acting = { ...ctx, actor: asUser(ctx.realmId, { id: before.userId, username: before.username }) }
  const resource = { outcome: 'SUCCESS', resourceType: 'users', resourceId: before.userId } as const
  await recordEvent(acting, { type: 'EMAIL_VERIFIED', ...resource })
  await recordEvent(acting, {
    type: 'ADMIN_UPDATE',
    ...resource,
    detail: JSON.stringify({ email: 'changed by the person' }),
    detailSubject: before.userId,
  })
  if (before.email !== null) await tellOfChange(acting, before.userId, 'EMAIL', { to: before.email })
  return true
}
