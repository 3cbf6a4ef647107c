import { hashToken } from '../../../platform/crypto/index.ts'
import { fieldError, notFound } from '../../../platform/errors/index.ts'
import { isUuid, newId } from '../../../platform/ids/index.ts'
import { idParameter, type Loaded, paging } from '../../admin-route/index.ts'
import type { Context, Services } from '../../context/index.ts'
import type { PushDriver } from '../channels.ts'
import type { PushToken, PushTokenInput, PushTokenQuery } from './schema.ts'
import * as store from './store.ts'

// A count over more is never worth its time (contract 2.5).
const maxCounted = 1_000_000
const maxPerUser = 20
const hintLength = 4

/** Where a sealed token belongs; moved to another row it does not open. */
export function tokenPlace(realmId: string, id: string): string {
  return `push_tokens:${realmId}:${id}:token`
}

export async function listTokens(ctx: Context, query: PushTokenQuery) {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is the id of a push token')
  const userId = query.userId ?? null
  const rows = await store.selectTokens(ctx.tx, ctx.realmId, { ...page, userId })
  const total =
    query.count === 'true' ? await store.countTokens(ctx.tx, ctx.realmId, { userId, upTo: maxCounted }) : null
  return { tokens: rows.map((row) => toPushToken(ctx.realmId, row)), page, total }
}

export async function loadToken(ctx: Context, tokenId: string | undefined): Promise<Loaded<PushToken>> {
  const row = await store.selectToken(ctx.tx, ctx.realmId, idParameter(tokenId))
  if (!row) throw notFound()
  return { record: toPushToken(ctx.realmId, row), version: row.version }
}

/** A token that is known keeps its record: applications send theirs again at every start. */
export async function registerToken(ctx: Context, input: PushTokenInput): Promise<Loaded<PushToken>> {
  const userId = await findOwner(ctx, input.userId)
  const hash = hashToken(input.token)
  const known = await store.selectIdByToken(ctx.tx, ctx.realmId, { driver: input.driver, hash })
  const id = known ?? newId(ctx.now)
  const values: store.TokenValues = {
    user_id: userId,
    device_id: input.deviceId,
    token_sealed: ctx.services.sealer.seal(input.token, tokenPlace(ctx.realmId, id)),
    token_hint: `…${input.token.slice(-hintLength)}`,
  }
  if (known) await store.renewToken(ctx.tx, ctx.realmId, id, values)
  else {
    const rest = { id, driver: input.driver, token_hash: hash, created_at: ctx.now }
    await store.insertToken(ctx.tx, ctx.realmId, { ...values, ...rest })
  }
  return loadToken(ctx, id)
}

async function findOwner(ctx: Context, userId: string | undefined): Promise<string> {
  const own = ctx.actor.kind === 'USER' && ctx.actor.realmId === ctx.realmId ? ctx.actor.userId : null
  const wanted = userId ?? own
  if (wanted === null) throw fieldError('userId', 'This member is required.', 'required')
  if (!(await store.selectUserId(ctx.tx, ctx.realmId, wanted))) throw fieldError('userId', 'There is no such user.')
  const count = await store.countTokens(ctx.tx, ctx.realmId, { userId: wanted, upTo: maxPerUser })
  if (count >= maxPerUser) throw fieldError('userId', `A user has at most ${maxPerUser} devices.`)
  return wanted
}

export async function deleteToken(ctx: Context, token: PushToken): Promise<void> {
  await store.deleteToken(ctx.tx, ctx.realmId, token.id)
}

/** The address of a registered device; null when it is gone. */
export async function openPushTarget(
  services: Services,
  realmId: string,
  id: string,
): Promise<{ address: string; driver: PushDriver } | null> {
  const row = isUuid(id) ? await store.selectTarget(services.db, realmId, id) : null
  if (!row) return null
  const address = services.sealer.open(row.token_sealed, tokenPlace(realmId, id)).toString('utf8')
  return { address, driver: row.driver as PushDriver }
}

/** The ids of a person's devices that messages can be sent to: what `to` of a push message is. */
export async function findPushTargets(ctx: Context, userId: string): Promise<string[]> {
  const page = { offset: 0, limit: maxPerUser, after: null, userId }
  return (await store.selectTokens(ctx.tx, ctx.realmId, page)).filter((row) => row.enabled).map((row) => row.id)
}

export async function markTarget(services: Services, realmId: string, id: string, how: 'used' | 'gone'): Promise<void> {
  if (how === 'used') await store.markUsed(services.db, realmId, id, services.clock.now())
  else await store.markGone(services.db, realmId, id)
}

export async function exportTokensOf(ctx: Context, userId: string): Promise<PushToken[]> {
  const page = { offset: 0, limit: maxPerUser, after: null, userId }
  return (await store.selectTokens(ctx.tx, ctx.realmId, page)).map((row) => toPushToken(ctx.realmId, row))
}

export async function eraseTokensOf(ctx: Context, userId: string): Promise<void> {
  await store.deleteTokensOf(ctx.tx, ctx.realmId, userId)
}

function toPushToken(realmId: string, row: store.TokenRow): PushToken {
  return {
    id: row.id,
    realmId,
    userId: row.user_id,
    deviceId: row.device_id,
    driver: row.driver as PushDriver,
    tokenHint: row.token_hint,
    enabled: row.enabled,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}
