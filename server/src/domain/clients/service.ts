import { brokenUnique } from '../../platform/db/index.ts'
import { conflictError, type DomainError, fieldError, notFound } from '../../platform/errors/index.ts'
import { isUuid, newId } from '../../platform/ids/index.ts'
import { idParameter, type Loaded, paging } from '../admin-route/index.ts'
import { type Context, react } from '../context/index.ts'
import { adjustCounter } from '../counters/index.ts'
import { ensurePairwiseSalt } from '../settings/index.ts'
import { raiseRealmVersion } from '../snapshot/index.ts'
import { checkClient } from './checks.ts'
import { assertMayControl, assertMayReach } from './control.ts'
import { type ClientPlan, planClient, toColumns } from './plan.ts'
import { toClient } from './record.ts'
import {
  type Client,
  ClientId,
  type ClientInput,
  type ClientQuery,
  type ClientReplacement,
  type CreatedClient,
} from './schema.ts'
import { makeSecret, secretPlace } from './secrets.ts'
import { createServiceAccount, deleteServiceAccount } from './service-accounts.ts'
import { needsSecret } from './settings.ts'
import * as store from './store.ts'

// Contract 8.6.
export const maxClients = 10_000
// A count beyond this would have to read on and on.
const maxCounted = 100_000
const everyClient: store.ClientFilter = { search: null, enabled: null }

export async function loadClient(ctx: Context, id: string | undefined, forUpdate: boolean): Promise<Loaded<Client>> {
  const row = await store.selectClient(ctx.tx, ctx.realmId, { id: idParameter(id) }, forUpdate)
  if (!row) throw notFound()
  return { record: toClient(ctx.realmId, row), version: row.version }
}

/** By what a path of a sub-resource carries: the id first, then the clientId (contract 4.8). */
export async function loadNamedClient(
  ctx: Context,
  idOrClientId: string | undefined,
  forUpdate: boolean,
): Promise<Loaded<Client>> {
  const row = await findRow(ctx, idOrClientId ?? '', forUpdate)
  if (!row) throw notFound()
  return { record: toClient(ctx.realmId, row), version: row.version }
}

async function findRow(ctx: Pick<Context, 'tx' | 'realmId'>, key: string, forUpdate: boolean) {
  const byId = isUuid(key) ? await store.selectClient(ctx.tx, ctx.realmId, { id: key }, forUpdate) : null
  // What cannot be a clientId is not asked for: the database would stumble over a NUL.
  if (byId || !ClientId.safeParse(key).success) return byId
  return store.selectClient(ctx.tx, ctx.realmId, { clientId: key }, forUpdate)
}

/** The same for other folders; null when there is none. */
export async function findClient(tx: Context['tx'], realmId: string, idOrClientId: string): Promise<Client | null> {
  const row = await findRow({ tx, realmId }, idOrClientId, false)
  return row ? toClient(realmId, row) : null
}

export async function listClients(ctx: Context, query: ClientQuery) {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is the id of a client')
  const enabled = query.enabled === undefined ? null : query.enabled === 'true'
  const filter = { search: query.search ?? null, enabled }
  const rows = await store.selectClients(ctx.tx, ctx.realmId, filter, page)
  const total = query.count === 'true' ? await store.countClients(ctx.tx, ctx.realmId, filter, maxCounted) : null
  return { clients: rows.map((row) => toClient(ctx.realmId, row)), page, total }
}

export async function countClients(ctx: Context, upTo: number): Promise<number> {
  return store.countClients(ctx.tx, ctx.realmId, everyClient, upTo)
}

/** The answer carries the secret, this once. */
export async function createClient(
  ctx: Context,
  input: ClientInput,
  createdBy: Client['createdBy'] = 'ADMIN',
): Promise<CreatedClient> {
  const plan = planClient(input, null)
  await checkClient(ctx, plan, input, null)
  assertMayReach(ctx, [input.clientId, ...plan.settings.audiences])
  if (await store.selectClient(ctx.tx, ctx.realmId, { clientId: input.clientId })) throw clientIdTaken()
  const id = newId(ctx.now)
  const secret = needsSecret(plan.settings) ? makeSecret() : null
  await keepClientIdUnique(() =>
    store.insertClient(ctx.tx, {
      ...toColumns(plan),
      realm_id: ctx.realmId,
      id,
      client_id: input.clientId,
      ...sealNew(ctx, id, secret),
      created_by: createdBy,
      created_at: ctx.now,
    }),
  )
  if (plan.settings.serviceAccountEnabled) {
    const userId = await createServiceAccount(ctx, { id, clientId: input.clientId })
    await store.attachServiceAccount(ctx.tx, ctx.realmId, id, userId)
  }
  await adjustCounter(ctx, 'clients', 1)
  if (plan.settings.subjectClaim?.strategy === 'PAIRWISE') await ensurePairwiseSalt(ctx)
  if (plan.settings.tokenSigningAlg !== 'RS256') await raiseRealmVersion(ctx)
  const { record } = await loadClient(ctx, id, false)
  return secret === null ? record : { ...record, secret }
}

export async function replaceClient(ctx: Context, before: Client, input: ClientReplacement): Promise<Client> {
  if (input.clientId !== undefined && input.clientId !== before.clientId)
    throw fieldError('clientId', 'The clientId of a client never changes.')
  const plan = planClient(input, before)
  await checkClient(ctx, plan, input, before)
  await assertMayControl(ctx, before)
  assertMayReach(ctx, plan.settings.audiences)
  await store.updateClient(ctx.tx, ctx.realmId, before.id, {
    ...toColumns(plan),
    ...secretAfter(ctx, before, plan),
    service_account_user_id: await serviceAccountAfter(ctx, before, plan),
  })
  if (plan.settings.subjectClaim?.strategy === 'PAIRWISE') await ensurePairwiseSalt(ctx)
  if (before.enabled && !plan.enabled) await react(ctx, 'clientEnded', before.clientId)
  // The published keys say which algorithms they are for (contract 2.62), and they are part of the snapshot.
  if (plan.settings.tokenSigningAlg !== before.tokenSigningAlg) await raiseRealmVersion(ctx)
  return (await loadClient(ctx, before.id, false)).record
}

/** Takes the service account along; roles, mappers and consents go with the row. */
export async function deleteClient(ctx: Context, client: Client): Promise<void> {
  await assertMayControl(ctx, client)
  await react(ctx, 'clientEnded', client.clientId)
  await store.deleteClientRow(ctx.tx, ctx.realmId, client.id)
  if (client.serviceAccountUserId !== null) await deleteServiceAccount(ctx, client.serviceAccountUserId)
  await adjustCounter(ctx, 'clients', -1)
  if (client.tokenSigningAlg !== 'RS256') await raiseRealmVersion(ctx)
}

/** For changes outside the row that a node must notice: mappers, roles. */
export async function raiseClientVersion(ctx: Context, id: string): Promise<void> {
  await store.updateClient(ctx.tx, ctx.realmId, id, {})
}

/** A client that now needs a secret gets one; one that no longer does must not keep an old one (contract 2.11). */
function secretAfter(ctx: Context, before: Client, plan: ClientPlan): Partial<store.SecretColumns> {
  if (needsSecret(plan.settings)) return before.secretSet ? {} : sealNew(ctx, before.id, makeSecret())
  return { ...sealNew(ctx, before.id, null), previous_secret_sealed: null, previous_secret_expires_at: null }
}

function sealNew(ctx: Context, id: string, secret: string | null) {
  if (secret === null) return { secret_sealed: null, secret_created_at: null }
  const sealed = ctx.services.sealer.seal(secret, secretPlace(ctx.realmId, id, 'secret'))
  return { secret_sealed: sealed, secret_created_at: ctx.now }
}

async function serviceAccountAfter(ctx: Context, before: Client, plan: ClientPlan): Promise<string | null> {
  const userId = before.serviceAccountUserId
  if (plan.settings.serviceAccountEnabled) return userId ?? (await createServiceAccount(ctx, before))
  if (userId !== null) await deleteServiceAccount(ctx, userId)
  return null
}

/** Two may ask for the same clientId at the same moment; the constraint has the last word. */
async function keepClientIdUnique(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (brokenUnique(error) === 'clients_client_id_key') throw clientIdTaken()
    throw error
  }
}

function clientIdTaken(): DomainError {
  return conflictError('clientId', 'Another client of the realm has this clientId.')
}
