import { brokenUnique } from '../../../platform/db/index.ts'
import { conflictError, DomainError, fieldError, notFound } from '../../../platform/errors/index.ts'
import { isUuid, newId } from '../../../platform/ids/index.ts'
import { paging } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { RoleName } from '../../roles/index.ts'
import type { Client } from '../schema.ts'
import { loadNamedClient } from '../service.ts'
import type { ClientRole, ClientRoleInput, ClientRoleQuery } from './schema.ts'
import * as store from './store.ts'

// Far beyond what people can oversee; the tokens of whoever holds them all would not fit into a header.
const maxRoles = 1000

export async function listClientRoles(ctx: Context, clientId: string | undefined, query: ClientRoleQuery) {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is the id of a role')
  const { record: client } = await loadNamedClient(ctx, clientId, false)
  const rows = await store.selectClientRoles(ctx.tx, ctx.realmId, client.id, page)
  const total = query.count === 'true' ? await store.countClientRoles(ctx.tx, ctx.realmId, client.id) : null
  return { roles: rows.map((row) => toClientRole(client, row)), page, total }
}

export async function findClientRole(ctx: Context, client: Client, name: string): Promise<ClientRole | null> {
  // What cannot be a name is not asked for: the database would stumble over a NUL.
  if (!RoleName.safeParse(name).success) return null
  const row = await store.selectClientRole(ctx.tx, ctx.realmId, client.id, name)
  return row ? toClientRole(client, row) : null
}

export async function createClientRole(ctx: Context, client: Client, input: ClientRoleInput): Promise<ClientRole> {
  if (await store.selectClientRole(ctx.tx, ctx.realmId, client.id, input.name)) throw nameTaken()
  if ((await store.countClientRoles(ctx.tx, ctx.realmId, client.id)) >= maxRoles)
    throw new DomainError('limit_reached', `The client already has ${maxRoles} roles.`)
  const row = { id: newId(ctx.now), name: input.name, description: input.description }
  try {
    await store.insertClientRole(ctx.tx, {
      ...row,
      realm_id: ctx.realmId,
      client_uuid: client.id,
      created_at: ctx.now,
    })
  } catch (error) {
    if (brokenUnique(error) !== null) throw nameTaken()
    throw error
  }
  return toClientRole(client, row)
}

/** Whoever holds the role loses it; the next token no longer carries it. */
export async function deleteClientRole(
  ctx: Context,
  clientId: string | undefined,
  name: string | undefined,
): Promise<void> {
  const { record: client } = await loadNamedClient(ctx, clientId, false)
  const role = await findClientRole(ctx, client, name ?? '')
  if (!role) throw notFound()
  await store.deleteClientRoleRow(ctx.tx, ctx.realmId, role.roleId)
}

function toClientRole({ clientId }: Client, row: store.ClientRoleRow): ClientRole {
  return { roleId: row.id, name: row.name, description: row.description, clientId }
}

function nameTaken(): DomainError {
  return conflictError('name', 'Another role of the client has this name.')
}
