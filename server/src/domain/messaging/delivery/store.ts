import { sql } from 'kysely'
import type { Executor, Tx } from '../../../platform/db/index.ts'

export interface MessageRow {
  id: string
  channel: string
  template_key: string
  user_id: string | null
  sealed: Buffer | null
  status: string
  tries: number
  handed_over_at: number | null
  created_at: number
  expires_at: number
}

export interface NewMessage {
  id: string
  channel: string
  template_key: string
  user_id: string | null
  sealed: Buffer
  created_at: number
  expires_at: number
}

/**
 * False when it is about somebody who is not there (any more). The person is kept from being removed until the end of the
 * transaction, so that no message is left behind of whoever is erased at this moment. One statement, whoever it is about: nobody
 * can tell by the time it takes.
 */
export async function insertMessage(tx: Tx, realmId: string, message: NewMessage): Promise<boolean> {
  const { id, channel, template_key, user_id, sealed, created_at, expires_at } = message
  const result = await sql`
    insert into messages (realm_id, id, channel, template_key, user_id, sealed, created_at, expires_at)
    select ${realmId}, ${id}::uuid, ${channel}, ${template_key}, ${user_id}::uuid, ${sealed}::bytea, ${created_at}::bigint,
      ${expires_at}::bigint
    where ${user_id}::uuid is null
      or exists (select from users where realm_id = ${realmId} and id = ${user_id}::uuid for key share)`.execute(tx)
  return (result.numAffectedRows ?? 0n) > 0n
}

export async function selectMessage(db: Executor, realmId: string, id: string): Promise<MessageRow | null> {
  const row = await db
    .selectFrom('messages')
    .select([
      ...(['id', 'channel', 'template_key', 'user_id', 'sealed', 'status', 'tries'] as const),
      ...(['handed_over_at', 'created_at', 'expires_at'] as const),
    ])
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** False when another worker was first: then nothing may be sent. */
export async function markHandedOver(
  db: Executor,
  realmId: string,
  id: string,
  { now, driver }: { now: number; driver: string },
): Promise<boolean> {
  const result = await db
    .updateTable('messages')
    .set({ handed_over_at: now, driver })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .where('status', '=', 'QUEUED')
    .where('handed_over_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The provider clearly did not take it. */
export async function clearHandOver(db: Executor, realmId: string, id: string): Promise<void> {
  await db
    .updateTable('messages')
    .set({ handed_over_at: null, driver: null })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .where('status', '=', 'QUEUED')
    .execute()
}

/** Also a message that was given up as unconfirmed meanwhile: the answer that came late is the truth. */
export async function markSent(
  db: Executor,
  realmId: string,
  id: string,
  { now, providerId }: { now: number; providerId: string | null },
): Promise<void> {
  await db
    .updateTable('messages')
    .set({ status: 'SENT', sealed: null, sent_at: now, provider_id: providerId, error: null })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .where('status', 'in', ['QUEUED', 'UNCONFIRMED'])
    .execute()
}

/** False when it was over already. The address goes with the end. */
export async function markOver(
  tx: Tx,
  realmId: string,
  id: string,
  { status, error }: { status: 'FAILED' | 'UNCONFIRMED'; error: string },
): Promise<boolean> {
  const result = await tx
    .updateTable('messages')
    .set({ status, error, sealed: null })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .where('status', '=', 'QUEUED')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function countTry(tx: Tx, realmId: string, id: string, error: string): Promise<void> {
  await tx
    .updateTable('messages')
    .set((eb) => ({ tries: eb('tries', '+', 1), error }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

/** What a template may say about a person. */
export async function selectPerson(db: Executor, realmId: string, userId: string) {
  const row = await db
    .selectFrom('users')
    .select(['username', 'email', 'phone', 'locale', 'attributes'])
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

export async function selectMessagesOf(db: Executor, realmId: string, userId: string, limit: number) {
  return db
    .selectFrom('messages')
    .select(['id', 'channel', 'template_key', 'status', 'created_at', 'sent_at'])
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function deleteMessagesOf(tx: Tx, realmId: string, userId: string): Promise<void> {
  await tx.deleteFrom('messages').where('realm_id', '=', realmId).where('user_id', '=', userId).execute()
}

/** Not bound to one realm: retention over the index by age, in small bites. Returns how many went. */
export async function deleteOldMessages(db: Executor, before: number, limit: number): Promise<number> {
  const result = await sql`
    delete from messages where (realm_id, id) in (
      select realm_id, id from messages where created_at < ${before} order by created_at limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
