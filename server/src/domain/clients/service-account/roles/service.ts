import { isForeignKeyBroken } from '../../../../platform/db/index.ts'
import { DomainError, fieldError, notFound } from '../../../../platform/errors/index.ts'
import { isUuid } from '../../../../platform/ids/index.ts'
import { paging } from '../../../admin-route/index.ts'
import { type Context, react } from '../../../context/index.ts'
import { findRoleByName } from '../../../roles/index.ts'
import { loadUser, type User } from '../../../users/index.ts'
import { assignRole, type RoleMapping, unassignRole } from '../../../users/roles/index.ts'
import { type ClientRole, findClientRole } from '../../roles/index.ts'
import { loadNamedClient } from '../../service.ts'
import type { RoleToTake, ServiceAccountRole, ServiceAccountRoleQuery, TakeQuery } from './schema.ts'
import * as store from './store.ts'

/** A client without a service account holds nothing. */
export async function listRoles(ctx: Context, clientId: string | undefined, query: ServiceAccountRoleQuery) {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is the id of a role')
  const { serviceAccountUserId: userId } = (await loadNamedClient(ctx, clientId, false)).record
  if (userId === null) return { mappings: [], page, total: query.count === 'true' ? 0 : null }
  const rows = await store.selectHeldRoles(ctx.tx, ctx.realmId, userId, page)
  const total = query.count === 'true' ? await store.countHeldRoles(ctx.tx, ctx.realmId, userId) : null
  const mappings = rows.map(
    (row): RoleMapping => ({
      roleId: row.id,
      name: row.name,
      description: row.description,
      clientId: row.client_id,
      source: 'DIRECT',
    }),
  )
  return { mappings, page, total }
}

/** Realm roles go the way of every user's, so nobody gives more than they hold (contract 5.2). Client roles permit nothing here. */
export async function giveRole(
  ctx: Context,
  clientId: string | undefined,
  wanted: ServiceAccountRole,
): Promise<{ mapping: RoleMapping; created: boolean }> {
  const user = await loadServiceAccount(ctx, clientId)
  if ((wanted.clientId ?? null) === null) return assignRole(ctx, user, wanted.name)
  const role = await requireClientRole(ctx, wanted)
  try {
    const created = await store.insertUserClientRole(ctx.tx, ctx.realmId, user.userId, role.roleId, ctx.now)
    return { mapping: { ...role, source: 'DIRECT' }, created }
  } catch (error) {
    // The role was deleted between the look-up and this statement.
    if (isForeignKeyBroken(error)) throw notFound()
    throw error
  }
}

/** Returns what was taken, for the audit trail. */
export async function takeRole(
  ctx: Context,
  clientId: string | undefined,
  taken: ServiceAccountRole,
): Promise<Record<string, unknown>> {
  const user = await loadServiceAccount(ctx, clientId)
  if ((taken.clientId ?? null) === null) {
    const role = await findRoleByName(ctx, taken.name)
    if (!role) throw notFound()
    return { roleUnassigned: await unassignRole(ctx, user, role.roleId) }
  }
  const role = await requireClientRole(ctx, taken)
  if (!(await store.deleteUserClientRole(ctx.tx, ctx.realmId, user.userId, role.roleId))) throw notFound()
  await react(ctx, 'userLostRole', user.userId)
  return { roleUnassigned: role.name, clientId: role.clientId }
}

/** From the body or from the query, but not one thing here and another there. */
export function roleToTake(body: RoleToTake, query: TakeQuery): ServiceAccountRole {
  const inBody = body.name !== undefined
  if (inBody && query.name !== undefined)
    throw fieldError('name', 'Name the role in the body or in the query, not in both.')
  const chosen = inBody ? body : query
  if (chosen.name === undefined) throw fieldError('name', 'This member is required.', 'required')
  return { name: chosen.name, clientId: chosen.clientId ?? null }
}

async function loadServiceAccount(ctx: Context, clientId: string | undefined): Promise<User> {
  const { record: client } = await loadNamedClient(ctx, clientId, false)
  if (client.serviceAccountUserId === null)
    throw new DomainError('conflict', 'The client has no service account: enable serviceAccountEnabled first.')
  return (await loadUser(ctx, client.serviceAccountUserId, true)).record
}

async function requireClientRole(ctx: Context, wanted: ServiceAccountRole): Promise<ClientRole> {
  const { record: owner } = await loadNamedClient(ctx, wanted.clientId ?? undefined, false)
  const role = await findClientRole(ctx, owner, wanted.name)
  if (!role) throw notFound()
  return role
}
