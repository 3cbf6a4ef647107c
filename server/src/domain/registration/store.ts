import { sql } from 'kysely'
import type { Executor, Tx } from '../../platform/db/index.ts'

export interface RegistrationRow {
  token_hash: Buffer | null
  metadata: unknown
  created_at: number
}

export async function selectRegistration(
  db: Executor,
  realmId: string,
  clientUuid: string,
  forUpdate = false,
): Promise<RegistrationRow | null> {
  const query = db
    .selectFrom('client_registrations')
    .select(['token_hash', 'metadata', 'created_at'])
    .where('realm_id', '=', realmId)
    .where('client_uuid', '=', clientUuid)
  return (await (forUpdate ? query.forUpdate() : query).executeTakeFirst()) ?? null
}

export async function insertRegistration(
  tx: Tx,
  registration: {
    realm_id: string
    client_uuid: string
    token_hash: Buffer
    initial_access_token_id: string | null
    metadata: string
    created_at: number
    last_used_at: number
  },
): Promise<void> {
  await tx.insertInto('client_registrations').values(registration).execute()
}

export async function updateRegistration(
  tx: Tx,
  realmId: string,
  clientUuid: string,
  values: { token_hash: Buffer; metadata: string },
): Promise<void> {
  await tx
    .updateTable('client_registrations')
    .set(values)
    .where('realm_id', '=', realmId)
    .where('client_uuid', '=', clientUuid)
    .execute()
}

/** Makes those who come at the same moment wait for one another, so that none of them overlooks the others. */
export async function lockRealm(tx: Tx, realmId: string): Promise<void> {
  await tx.selectFrom('realms').select('realm_id').where('realm_id', '=', realmId).forNoKeyUpdate().execute()
}

/** Those of documents among them (contract 4.15). */
export async function countRegistrations(db: Executor, realmId: string, upTo: number): Promise<number> {
  const rows = db.selectFrom('client_registrations').select('client_uuid').where('realm_id', '=', realmId).limit(upTo)
  const row = await db
    .selectFrom(rows.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}

export async function moveLastUse(
  db: Executor,
  realmId: string,
  clientUuid: string,
  { now, before }: { now: number; before: number },
): Promise<void> {
  await db
    .updateTable('client_registrations')
    .set({ last_used_at: now })
    .where('realm_id', '=', realmId)
    .where('client_uuid', '=', clientUuid)
    .where('last_used_at', '<', before)
    .execute()
}

/** Not bound to one realm: the job walks only the realms whose registrations end, over an index of just those. */
export async function readRealmsWithTtl(
  db: Executor,
  afterRealmId: string,
  limit: number,
): Promise<{ realmId: string; days: number }[]> {
  const result = await sql<{ realmId: string; days: number }>`
    select realm_id as "realmId", (settings ->> 'dcrClientTtlDays')::integer as days
    from provisioning
    where settings ? 'dcrClientTtlDays' and settings ->> 'dcrClientTtlDays' is not null and realm_id > ${afterRealmId}
    order by realm_id
    limit ${limit}`.execute(db)
  return result.rows
}

/** The longest unused first. */
export async function selectUnused(
  db: Executor,
  realmId: string,
  { before, limit }: { before: number; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('client_registrations')
    .select('client_uuid')
    .where('realm_id', '=', realmId)
    .where('last_used_at', '<', before)
    .orderBy('last_used_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.client_uuid)
}

/** True while it is still unused; locked until the end of the transaction. */
export async function lockUnused(tx: Tx, realmId: string, clientUuid: string, before: number): Promise<boolean> {
  const row = await tx
    .selectFrom('client_registrations')
    .select('client_uuid')
    .where('realm_id', '=', realmId)
    .where('client_uuid', '=', clientUuid)
    .where('last_used_at', '<', before)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}
