import { sql } from 'kysely'
import { definePart, type Executor, prepareStatement, type Tx } from '../../platform/db/index.ts'

/** A row of what the engine keeps. */
export interface ModelInsert {
  realmId: string
  id: Buffer
  model: string
  payload: string
  grantId: Buffer | null
  userId: string | null
  clientId: string | null
  sessionId: string | null
  offline: boolean
  createdAt: number
  expiresAt: number
}

const modelFields = [
  ...(['realmId', 'id', 'model', 'payload', 'grantId', 'userId', 'clientId', 'sessionId'] as const),
  ...(['offline', 'createdAt', 'expiresAt'] as const),
]

/** Writes a row; one that is there already takes the new payload and end. */
export const modelPart = definePart('oidc_model', modelFields, (db, row: ModelInsert) =>
  db
    .insertInto('oidc_models')
    .values({
      realm_id: row.realmId,
      id: row.id,
      model: row.model,
      payload: row.payload,
      grant_id: row.grantId,
      user_id: row.userId,
      client_id: row.clientId,
      session_id: row.sessionId,
      offline: row.offline,
      created_at: row.createdAt,
      expires_at: row.expiresAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['realm_id', 'id']).doUpdateSet((eb) => ({
        payload: eb.ref('excluded.payload'),
        expires_at: eb.ref('excluded.expires_at'),
        offline: eb.ref('excluded.offline'),
      })),
    ),
)

export interface Consumption {
  realmId: string
  id: Buffer
  consumedAt: number
  successorId: Buffer | null
  successorSealed: Buffer | null
}

const consumptionFields = ['realmId', 'id', 'consumedAt', 'successorId', 'successorSealed'] as const

/** Breaks the primary key when somebody was first, and the foreign key when the row is gone: then nothing at all is written. */
export const consumptionPart = definePart('oidc_consumption', consumptionFields, (db, use: Consumption) =>
  db.insertInto('oidc_consumptions').values({
    realm_id: use.realmId,
    id: use.id,
    consumed_at: use.consumedAt,
    successor_id: use.successorId,
    successor_sealed: use.successorSealed,
  }),
)

/** Removes a row and, where it is a grant, everything made under it. */
export const removalPart = definePart('oidc_removal', ['realmId', 'id'], (db, row: { realmId: string; id: Buffer }) =>
  db.deleteFrom('oidc_models').where('realm_id', '=', row.realmId).where('id', '=', row.id),
)

/** Moves the end of a grant that is used without a session. */
export const grantEndPart = definePart(
  'oidc_grant_end',
  ['realmId', 'id', 'expiresAt'],
  (db, row: { realmId: string; id: Buffer; expiresAt: number }) =>
    db
      .updateTable('oidc_models')
      .set((eb) => ({ expires_at: eb.fn<number>('greatest', ['expires_at', sql`${row.expiresAt}::bigint`]) }))
      .where('realm_id', '=', row.realmId)
      .where('id', '=', row.id),
)

const modelById = prepareStatement('oidc_model_by_id', (db, realmId: string, id: Buffer) =>
  db
    .selectFrom('oidc_models as m')
    .leftJoin('oidc_consumptions as c', (join) =>
      join.onRef('c.realm_id', '=', 'm.realm_id').onRef('c.id', '=', 'm.id'),
    )
    .select(['m.model', 'm.payload', 'm.expires_at', 'c.consumed_at'])
    .where('m.realm_id', '=', realmId)
    .where('m.id', '=', id),
)

export async function readModel(db: Executor, realmId: string, id: Buffer) {
  const [row] = await modelById(db, realmId, id)
  return row ?? null
}

/**
 * A code or refresh token with everything its use needs, in one round trip: its grant, the session it hangs on with the client's
 * place in it, the person, whether it was used, what became of its successor, and whether its client is what it was.
 */
const grantSourceById = prepareStatement('oidc_grant_source', (db, realmId: string, id: Buffer) =>
  db
    .selectFrom('oidc_models as m')
    .leftJoin('oidc_models as g', (join) =>
      join.onRef('g.realm_id', '=', 'm.realm_id').onRef('g.id', '=', 'm.grant_id'),
    )
    .leftJoin('oidc_consumptions as c', (join) =>
      join.onRef('c.realm_id', '=', 'm.realm_id').onRef('c.id', '=', 'm.id'),
    )
    .leftJoin('oidc_models as next', (join) =>
      join.onRef('next.realm_id', '=', 'm.realm_id').onRef('next.id', '=', 'c.successor_id'),
    )
    .leftJoin('oidc_consumptions as next_use', (join) =>
      join.onRef('next_use.realm_id', '=', 'm.realm_id').onRef('next_use.id', '=', 'c.successor_id'),
    )
    .leftJoin('sessions as s', (join) => join.onRef('s.realm_id', '=', 'm.realm_id').onRef('s.id', '=', 'm.session_id'))
    .leftJoin('session_participants as p', (join) =>
      join
        .onRef('p.realm_id', '=', 'm.realm_id')
        .onRef('p.session_id', '=', 'm.session_id')
        .onRef('p.client_id', '=', 'm.client_id')
        .on('p.protocol', '=', 'oidc'),
    )
    .leftJoin('users as u', (join) => join.onRef('u.realm_id', '=', 'm.realm_id').onRef('u.id', '=', 'm.user_id'))
    .leftJoin('clients as k', (join) =>
      join.onRef('k.realm_id', '=', 'm.realm_id').onRef('k.client_id', '=', 'm.client_id'),
    )
    .leftJoin('users as account', (join) =>
      join.onRef('account.realm_id', '=', 'm.realm_id').onRef('account.id', '=', 'k.service_account_user_id'),
    )
    .select([
      ...(['m.client_id', 'k.enabled as client_enabled', 'k.version as client_version'] as const),
      ...(['account.version as account_version'] as const),
      ...(['m.model', 'm.payload', 'm.grant_id', 'm.user_id', 'm.session_id', 'm.offline', 'm.expires_at'] as const),
      ...([
        'c.consumed_at',
        'c.successor_sealed',
        'next.id as successor_id',
        'next_use.consumed_at as successor_used_at',
      ] as const),
      ...(['g.payload as grant_payload', 'g.expires_at as grant_expires_at'] as const),
      ...(['s.id as live_session_id', 's.proofs', 's.expires_at as session_expires_at', 's.last_access_at'] as const),
      ...(['s.idle_seconds', 'p.session_key', 's.remember_me', 's.impersonator_id'] as const),
      ...(['u.username', 'u.email', 'u.email_verified', 'u.phone', 'u.phone_verified', 'u.locale'] as const),
      ...([
        'u.attributes',
        'u.enabled',
        'u.locked',
        'u.locked_until',
        'u.created_at as user_created_at',
        'u.updated_at as user_updated_at',
      ] as const),
    ])
    .where('m.realm_id', '=', realmId)
    .where('m.id', '=', id),
)
export type GrantSourceRow = Awaited<ReturnType<typeof grantSourceById>>[number]

export async function readGrantSource(db: Executor, realmId: string, id: Buffer): Promise<GrantSourceRow | null> {
  const [row] = await grantSourceById(db, realmId, id)
  return row ?? null
}

/** True when the value was not seen before; of any number of askers at once, one hears so. */
export async function insertOnce(db: Executor, row: ModelInsert): Promise<boolean> {
  const inserted = await db
    .insertInto('oidc_models')
    .values({
      realm_id: row.realmId,
      id: row.id,
      model: row.model,
      payload: row.payload,
      client_id: row.clientId,
      created_at: row.createdAt,
      expires_at: row.expiresAt,
    })
    .onConflict((conflict) => conflict.columns(['realm_id', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export interface GrantSelection {
  userId?: string
  clientId?: string
  sessionIds?: string[]
  /** Those that no session stands behind, and that are not meant to outlive one. */
  withoutSession?: true
  /** All but those of this session; null spares none. */
  exceptSessionId?: string | null
}

// A person's or session's grants are few; a client's or realm's may be many, and are taken in bites of this size.
const grantsAtOnce = 10_000

/** Removes grants with all tokens made under them. Those with offline access outlive a session, nothing else. */
export async function deleteGrants(tx: Tx, realmId: string, selection: GrantSelection): Promise<number> {
  let deleted = 0
  for (;;) {
    const bite = await deleteSomeGrants(tx, realmId, selection)
    deleted += bite
    if (bite < grantsAtOnce) return deleted
  }
}

async function deleteSomeGrants(tx: Tx, realmId: string, selection: GrantSelection): Promise<number> {
  let chosen = tx
    .selectFrom('oidc_models')
    .select('id')
    .where('realm_id', '=', realmId)
    .where('model', '=', 'Grant')
    .limit(grantsAtOnce)
  if (selection.userId) chosen = chosen.where('user_id', '=', selection.userId)
  if (selection.clientId) chosen = chosen.where('client_id', '=', selection.clientId)
  if (selection.sessionIds) {
    chosen = chosen
      .where('session_id', '=', sql<string>`any(${selection.sessionIds}::uuid[])`)
      .where('offline', '=', false)
  }
  if (selection.withoutSession) chosen = chosen.where('session_id', 'is', null).where('offline', '=', false)
  if (selection.exceptSessionId) {
    chosen = chosen.where('session_id', 'is distinct from', selection.exceptSessionId)
  }
  const deleted = await tx
    .deleteFrom('oidc_models')
    .where('realm_id', '=', realmId)
    .where('id', 'in', chosen)
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** Not bound to one realm: rows past their end are removed in small bites. Returns how many there were. */
export async function deleteExpiredModels(db: Executor, now: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from oidc_models where (realm_id, id) in
    (select realm_id, id from oidc_models where expires_at < ${now} order by expires_at limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
