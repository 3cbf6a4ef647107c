import { DomainError, notFound } from '../../../platform/errors/index.ts'
import { isUuid } from '../../../platform/ids/index.ts'
import { asUser, type Context, jobActor } from '../../context/index.ts'
import { destroyAuditKey, hasAuditKey, recordEvent } from '../../events/index.ts'
import { tellOfChange } from '../notices/index.ts'
import type { User } from '../schema.ts'
import { assertMayDelete, deleteUser, findUser } from '../service.ts'
import { selectLoginNames } from './store.ts'

/**
 * Removes a person with everything that is kept of them, in the caller's transaction. What stays is the audit trail, whose rows
 * name the opaque id; what was personal in them is sealed under a key that is destroyed here (contract 0.4).
 */
export async function eraseUser(ctx: Context, userId: string): Promise<void> {
  const user = await findUser(ctx, userId, true)
  const acting = isOneself(ctx, userId) ? withoutPerson(ctx, userId) : ctx
  if (user) {
    // While the account is there. It belongs to nobody, so that it outlives the messages of the person.
    await tellOfChange(ctx, userId, 'ACCOUNT_DELETED', user.email === null ? {} : { to: user.email })
    await endAccount(acting, user)
  }
  // Whoever was only deleted left a readable trail, which can still be closed.
  else if (!isPersonId(userId) || !(await hasAuditKey(ctx, userId))) throw notFound()
  else await eraseTraces(acting, userId, [])
  await recordEvent(acting, { type: 'USER_ERASED', outcome: 'SUCCESS', resourceType: 'users', resourceId: userId })
  // Last, so that it takes along what this transaction itself sealed under the key.
  await destroyAuditKey(ctx, userId)
}

async function endAccount(ctx: Context, user: User): Promise<void> {
  if (user.serviceAccountClientId !== null) {
    throw new DomainError('protected', 'This is the user of a service account, which goes with its client.')
  }
  // Nobody needs a permission over themselves; the last administrator and a legal hold stop them all the same.
  const deleting = isOneself(ctx, user.userId) ? { ...ctx, actor: jobActor } : ctx
  await assertMayDelete(deleting, user)
  await eraseTraces(ctx, user.userId, [user.username, user.email ?? ''])
  await deleteUser(deleting, user)
}

async function eraseTraces(ctx: Context, userId: string, known: string[]): Promise<void> {
  const folded = await selectLoginNames(ctx.tx, ctx.realmId, userId)
  // The database folds what was typed with fewer rules than we do (ß, ς), so names are also looked for in small letters.
  const plain = known.map((name) => name.normalize('NFKC').toLowerCase().trim())
  const names = [...new Set([...folded, ...plain.filter(Boolean)])]
  for (const { dataSubject = [], traces = [] } of ctx.services.contributions) {
    for (const { eraseFor } of dataSubject) await eraseFor(ctx, userId)
    for (const { eraseFor } of traces) await eraseFor(ctx, userId, names)
  }
}

/** Keys of the audit trail that are nobody's have ids that are derived, not made at a time (version 8 instead of 7). */
function isPersonId(id: string): boolean {
  return isUuid(id) && id[14] === '7'
}

function isOneself({ actor, realmId }: Context, userId: string): boolean {
  return actor.kind === 'USER' && actor.userId === userId && actor.realmId === realmId
}

/** Events also go to standard output, where no key protects them: of whoever erases themself they say the id and nothing else. */
function withoutPerson(ctx: Context, userId: string): Context {
  const actor = asUser(ctx.realmId, { id: userId, username: `erased:${userId}` })
  return { ...ctx, actor, origin: { ...ctx.origin, sourceIp: null, userAgent: null } }
}
