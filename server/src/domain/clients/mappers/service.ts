import { brokenUnique } from '../../../platform/db/index.ts'
import { conflictError, DomainError, fieldError, notFound } from '../../../platform/errors/index.ts'
import { isUuid, newId } from '../../../platform/ids/index.ts'
import { idParameter, type Loaded, paging } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { assertMayControl } from '../control.ts'
import type { Client } from '../schema.ts'
import { loadNamedClient, raiseClientVersion } from '../service.ts'
import type { Mapper, MapperInput, MapperQuery } from './schema.ts'
import * as store from './store.ts'

// All of them are read and worked through for every token of the client.
const maxMappers = 100

/** A mapper with the client it belongs to, which the checks need and the record does not show. */
export interface OwnedMapper extends Mapper {
  client: Client
}

export async function listMappers(ctx: Context, clientId: string | undefined, query: MapperQuery) {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is the id of a mapper')
  const { record: client } = await loadNamedClient(ctx, clientId, false)
  const rows = await store.selectMappers(ctx.tx, ctx.realmId, client.id, page)
  const total = query.count === 'true' ? await store.countMappers(ctx.tx, ctx.realmId, client.id) : null
  return { mappers: rows.map(toMapper), page, total }
}

/** Locks the client, so that writers of its mappers wait for one another. */
export async function loadMapper(
  ctx: Context,
  params: Record<string, string>,
  forUpdate: boolean,
): Promise<Loaded<OwnedMapper>> {
  const { record: client } = await loadNamedClient(ctx, params.clientId, forUpdate)
  const row = await store.selectMapper(ctx.tx, ctx.realmId, client.id, idParameter(params.mapperId))
  if (!row) throw notFound()
  return { record: { ...toMapper(row), client }, version: row.version }
}

export async function createMapper(ctx: Context, client: Client, input: MapperInput): Promise<Mapper> {
  await assertMayControl(ctx, client)
  if ((await store.countMappers(ctx.tx, ctx.realmId, client.id)) >= maxMappers)
    throw new DomainError('limit_reached', `The client already has ${maxMappers} mappers.`)
  const id = newId(ctx.now)
  const origin = { realm_id: ctx.realmId, id, client_uuid: client.id, created_at: ctx.now }
  await keepNameUnique(() => store.insertMapper(ctx.tx, { ...toValues(input), ...origin }))
  await raiseClientVersion(ctx, client.id)
  return readMapper(ctx, client, id)
}

export async function replaceMapper(ctx: Context, before: OwnedMapper, input: MapperInput): Promise<Mapper> {
  await assertMayControl(ctx, before.client)
  await keepNameUnique(() => store.updateMapper(ctx.tx, ctx.realmId, before.mapperId, toValues(input)))
  await raiseClientVersion(ctx, before.client.id)
  return readMapper(ctx, before.client, before.mapperId)
}

export async function deleteMapper(ctx: Context, mapper: OwnedMapper): Promise<void> {
  await assertMayControl(ctx, mapper.client)
  await store.deleteMapperRow(ctx.tx, ctx.realmId, mapper.mapperId)
  await raiseClientVersion(ctx, mapper.client.id)
}

async function readMapper(ctx: Context, client: Client, id: string): Promise<Mapper> {
  return toMapper((await store.selectMapper(ctx.tx, ctx.realmId, client.id, id))!)
}

function toValues({ name, protocol, type, config }: MapperInput): store.MapperValues {
  return { name, protocol, type, config: JSON.stringify({ ...config, inSaml: config.inSaml ?? protocol === 'saml' }) }
}

function toMapper(row: store.MapperRow): Mapper {
  return {
    mapperId: row.id,
    name: row.name,
    protocol: row.protocol as Mapper['protocol'],
    type: row.type as Mapper['type'],
    config: row.config as Mapper['config'],
  }
}

async function keepNameUnique(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (brokenUnique(error) !== null) throw conflictError('name', 'Another mapper of the client has this name.')
    throw error
  }
}
