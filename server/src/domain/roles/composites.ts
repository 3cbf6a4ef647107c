import { DomainError, fieldError } from '../../platform/errors/index.ts'
import type { Context } from '../context/index.ts'
import { assertMayGrantRoles, readRoleClosure } from '../permissions/index.ts'
import { deleteChildren, insertChildren, selectIdsByName } from './store.ts'

export interface CompositeChange {
  added: string[]
  removed: string[]
}

/**
 * Works out which roles join and leave a composite role and refuses what must not be: a name that is not there, a circle, and
 * anything that carries permissions the caller does not hold. Taking such a role out is refused like putting it in.
 */
export async function planComposites(
  ctx: Context,
  roleId: string | null,
  before: string[],
  after: string[],
): Promise<CompositeChange> {
  const wanted = [...new Set(after)]
  const ids = await selectIdsByName(ctx.tx, ctx.realmId, [...new Set([...before, ...wanted])])
  assertNamesExist(after, ids)
  const added = wanted.filter((name) => !before.includes(name)).map((name) => ids.get(name)!)
  const removed = before.filter((name) => !wanted.includes(name)).flatMap((name) => ids.get(name) ?? [])
  if (roleId !== null && (await readRoleClosure(ctx.tx, ctx.realmId, added)).has(roleId)) {
    throw fieldError('compositeRoleNames', 'A role cannot contain itself, directly or through another role.', 'cycle')
  }
  await assertMayGrantRoles(ctx, [...added, ...removed])
  return { added, removed }
}

export async function applyComposites(ctx: Context, roleId: string, change: CompositeChange): Promise<void> {
  await deleteChildren(ctx.tx, ctx.realmId, roleId, change.removed)
  await insertChildren(ctx.tx, ctx.realmId, roleId, change.added)
}

function assertNamesExist(names: string[], ids: Map<string, string>): void {
  const fields = names.flatMap((name, at) =>
    ids.has(name)
      ? []
      : [{ field: `compositeRoleNames[${at}]`, code: 'not_found', message: 'There is no role of this name.' }],
  )
  if (fields.length > 0) throw new DomainError('validation_failed', 'Some of the roles do not exist.', { fields })
}
