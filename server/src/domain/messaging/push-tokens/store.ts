import type { Executor, Tx } from '../../../platform/db/index.ts'

export interface TokenRow {
  id: string
  user_id: string
  device_id: string | null
  driver: string
  token_hint: string
  enabled: boolean
  created_at: number
  last_used_at: number | null
  version: number
}

// Neither the hash nor the sealed token is among them, so that no record can show one by mistake.
const shownColumns = [
  ...(['id', 'user_id', 'device_id', 'driver', 'token_hint', 'enabled'] as const),
  ...(['created_at', 'last_used_at', 'version'] as const),
] as const

/** Newest first, one row more than asked for. */
export async function selectTokens(
  db: Executor,
  realmId: string,
  page: { offset: number; limit: number; after: string | null; userId: string | null },
): Promise<TokenRow[]> {
  let query = db.selectFrom('push_tokens').select(shownColumns).where('realm_id', '=', realmId)
  if (page.userId !== null) query = query.where('user_id', '=', page.userId)
  if (page.after !== null) query = query.where('id', '<', page.after)
  return query
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .offset(page.after === null ? page.offset : 0)
    .execute()
}

export async function countTokens(
  db: Executor,
  realmId: string,
  { userId, upTo }: { userId: string | null; upTo: number },
): Promise<number> {
  let rows = db.selectFrom('push_tokens').select('id').where('realm_id', '=', realmId).limit(upTo)
  if (userId !== null) rows = rows.where('user_id', '=', userId)
  const row = await db
    .selectFrom(rows.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}

export async function selectToken(db: Executor, realmId: string, id: string): Promise<TokenRow | null> {
  const row = await db
    .selectFrom('push_tokens')
    .select(shownColumns)
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** What a message is sent to: only of devices that are there, and of people who may sign in. */
export async function selectTarget(db: Executor, realmId: string, id: string) {
  const row = await db
    .selectFrom('push_tokens')
    .select(['driver', 'token_sealed'])
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .where('enabled', '=', true)
    .executeTakeFirst()
  return row ?? null
}

export async function selectIdByToken(
  db: Executor,
  realmId: string,
  place: { driver: string; hash: Buffer },
): Promise<string | null> {
  const row = await db
    .selectFrom('push_tokens')
    .select('id')
    .where('realm_id', '=', realmId)
    .where('driver', '=', place.driver)
    .where('token_hash', '=', place.hash)
    .forUpdate()
    .executeTakeFirst()
  return row?.id ?? null
}

export async function selectUserId(db: Executor, realmId: string, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .forKeyShare()
    .executeTakeFirst()
  return row?.id ?? null
}

export interface TokenValues {
  user_id: string
  device_id: string | null
  token_sealed: Buffer
  token_hint: string
}

export async function insertToken(
  tx: Tx,
  realmId: string,
  token: TokenValues & { id: string; driver: string; token_hash: Buffer; created_at: number },
): Promise<void> {
  await tx
    .insertInto('push_tokens')
    .values({ ...token, realm_id: realmId })
    .execute()
}

/** The device may belong to another person by now. */
export async function renewToken(tx: Tx, realmId: string, id: string, values: TokenValues): Promise<void> {
  await tx
    .updateTable('push_tokens')
    .set((eb) => ({ ...values, enabled: true, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

export async function deleteToken(tx: Tx, realmId: string, id: string): Promise<void> {
  await tx.deleteFrom('push_tokens').where('realm_id', '=', realmId).where('id', '=', id).execute()
}

export async function deleteTokensOf(tx: Tx, realmId: string, userId: string): Promise<void> {
  await tx.deleteFrom('push_tokens').where('realm_id', '=', realmId).where('user_id', '=', userId).execute()
}

export async function deleteTokensOfDevice(tx: Tx, realmId: string, userId: string, deviceId: string): Promise<void> {
  await tx
    .deleteFrom('push_tokens')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .execute()
}

/** Whose token it is, while the push service takes it. */
export async function selectOwnerByToken(
  db: Executor,
  realmId: string,
  place: { driver: string; hash: Buffer },
): Promise<string | null> {
  const row = await db
    .selectFrom('push_tokens')
    .select('user_id')
    .where('realm_id', '=', realmId)
    .where('driver', '=', place.driver)
    .where('token_hash', '=', place.hash)
    .where('enabled', '=', true)
    .forUpdate()
    .executeTakeFirst()
  return row?.user_id ?? null
}

export async function markUsed(db: Executor, realmId: string, id: string, now: number): Promise<void> {
  await db
    .updateTable('push_tokens')
    .set({ last_used_at: now })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

export async function markGone(db: Executor, realmId: string, id: string): Promise<void> {
  await db
    .updateTable('push_tokens')
    .set((eb) => ({ enabled: false, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}
