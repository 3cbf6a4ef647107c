import { sql } from 'kysely'
import type { EndedSession } from '../context/index.ts'
import { definePart, type Executor, prepareStatement, runTogether, type Tx } from '../../platform/db/index.ts'

/**
 * Everything an authenticated request must know and may not cache, in one round trip: the realm's state, the session, its user
 * and what that user holds right now.
 */
const realmWithSession = prepareStatement('realm_with_session', (db, realmId: string, tokenHash: Buffer) =>
  db
    .selectFrom('realms')
    .leftJoin('sessions', (join) =>
      join.onRef('sessions.realm_id', '=', 'realms.realm_id').on('sessions.token_hash', '=', tokenHash),
    )
    .leftJoin('users', (join) =>
      join.onRef('users.realm_id', '=', 'sessions.realm_id').onRef('users.id', '=', 'sessions.user_id'),
    )
    .select([
      'realms.enabled as realm_enabled',
      'realms.config_version',
      'sessions.id as session_id',
      'sessions.user_id',
      'sessions.proofs',
      'sessions.remember_me',
      'sessions.impersonator_id',
      'sessions.last_access_at',
      'sessions.last_admin_at',
      'sessions.idle_seconds',
      'sessions.expires_at',
      'users.username',
      'users.enabled as user_enabled',
      'users.locked as user_locked',
      'users.locked_until as user_locked_until',
    ])
    .select(
      sql<string[] | null>`(
        with recursive held(role_id) as (
          select role_id from user_roles where realm_id = realms.realm_id and user_id = sessions.user_id
          union
          select c.child_role_id from role_composites c join held on held.role_id = c.role_id
          where c.realm_id = realms.realm_id
        )
        select array_agg(distinct permission)
        from held join roles on roles.realm_id = realms.realm_id and roles.id = held.role_id,
        unnest(roles.permissions) permission
      )`.as('permissions'),
    )
    .where('realms.realm_id', '=', realmId)
    .where('realms.deleted_at', 'is', null),
)

export async function readRealmWithSession(db: Executor, realmId: string, tokenHash: Buffer) {
  const [row] = await realmWithSession(db, realmId, tokenHash)
  return row ?? null
}

/** Written at most once a minute for each session. */
export async function touchSession(
  db: Executor,
  realmId: string,
  id: string,
  now: number,
  admin: boolean,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_access_at: now, ...(admin ? { last_admin_at: now } : {}) })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

export interface SessionInsert {
  realm_id: string
  id: string
  token_hash: Buffer
  user_id: string
  proofs: string
  remember_me: boolean
  impersonator_id: string | null
  source_ip: string | null
  user_agent: string | null
  started_at: number
  last_access_at: number
  last_admin_at: number
  idle_seconds: number
  expires_at: number
}

const sessionFields = [
  ...(['realm_id', 'id', 'token_hash', 'user_id', 'proofs', 'remember_me', 'impersonator_id', 'source_ip'] as const),
  ...(['user_agent', 'started_at', 'last_access_at', 'last_admin_at', 'idle_seconds', 'expires_at'] as const),
]

export const sessionPart = definePart('session', sessionFields, (db, session: SessionInsert) =>
  db.insertInto('sessions').values(session),
)

export type SessionRenewal = Omit<SessionInsert, 'user_id' | 'impersonator_id' | 'started_at'>

const renewalFields = sessionFields.filter(
  (field): field is keyof SessionRenewal => !['user_id', 'impersonator_id', 'started_at'].includes(field),
)

/** Signing in again in the same browser: a new secret and new proofs, and the applications in the session stay. */
export const renewalPart = definePart('session_renewal', renewalFields, (db, session: SessionRenewal) => {
  const { realm_id, id, ...values } = session
  return db
    .updateTable('sessions')
    .set(values)
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
})

export async function insertSession(tx: Tx, session: SessionInsert): Promise<void> {
  await runTogether(tx, [sessionPart(session)])
}

export interface SessionSelection {
  id?: string
  userId?: string
  impersonatorId?: string
  exceptId?: string | null
}

/** Ends sessions and returns those that existed, each with the applications in it. */
export async function deleteSessions(tx: Tx, realmId: string, selection: SessionSelection): Promise<EndedSession[]> {
  const rows = await tx
    .with('ended', (db) => {
      let query = db.deleteFrom('sessions').where('realm_id', '=', realmId)
      if (selection.id) query = query.where('id', '=', selection.id)
      if (selection.userId) query = query.where('user_id', '=', selection.userId)
      if (selection.impersonatorId) query = query.where('impersonator_id', '=', selection.impersonatorId)
      if (selection.exceptId) query = query.where('id', '!=', selection.exceptId)
      return query.returning(['id', 'user_id', 'impersonator_id'])
    })
    .selectFrom('ended')
    // Participants go with their session at the end of the statement; within it they are still there.
    .leftJoin('session_participants as p', (join) =>
      join.on('p.realm_id', '=', realmId).onRef('p.session_id', '=', 'ended.id'),
    )
    .select(['ended.id', 'ended.user_id', 'ended.impersonator_id', 'p.protocol', 'p.client_id', 'p.session_key'])
    .execute()
  const sessions = new Map<string, EndedSession>()
  for (const row of rows) {
    const { id, user_id: userId, impersonator_id: impersonatorId } = row
    const session = sessions.get(id) ?? { id, userId, impersonatorId, participants: [] }
    sessions.set(row.id, session)
    if (row.protocol === null || row.client_id === null) continue
    const sessionKey = row.session_key as Record<string, unknown>
    session.participants.push({ protocol: row.protocol, clientId: row.client_id, sessionKey })
  }
  return [...sessions.values()]
}

/** The session behind a cookie, whatever its state. */
export async function findSessionByToken(tx: Tx, realmId: string, tokenHash: Buffer) {
  return tx
    .selectFrom('sessions')
    .select(['id', 'user_id', 'impersonator_id'])
    .where('realm_id', '=', realmId)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
}

export interface SessionFilter {
  realmId: string
  id?: string
  userId?: string
  clientId?: string
  now: number
  offset: number
  limit: number
  after: string | null
}

/** Live sessions, newest first; one more than the page. */
export async function selectSessions(db: Executor, filter: SessionFilter) {
  let query = db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.realm_id', '=', 'sessions.realm_id').onRef('users.id', '=', 'sessions.user_id'),
    )
    .select([
      ...([
        'sessions.id',
        'sessions.user_id',
        'users.username',
        'sessions.type',
        'sessions.source_ip',
        'sessions.user_agent',
      ] as const),
      ...(['sessions.proofs', 'sessions.impersonator_id', 'sessions.started_at', 'sessions.last_access_at'] as const),
      ...(['sessions.expires_at', 'sessions.idle_seconds', 'sessions.version'] as const),
    ])
    .select(
      sql<{ clientId: string; name: string | null }[]>`coalesce((
        select jsonb_agg(distinct jsonb_build_object('clientId', p.client_id, 'name', c.name))
        from session_participants p
        left join clients c on c.realm_id = p.realm_id and c.client_id = p.client_id
        where p.realm_id = sessions.realm_id and p.session_id = sessions.id), '[]')`.as('clients'),
    )
    .where('sessions.realm_id', '=', filter.realmId)
    .where('sessions.expires_at', '>', filter.now)
    .where(sql<boolean>`sessions.last_access_at + sessions.idle_seconds::bigint * 1000 > ${filter.now}`)
  if (filter.id) query = query.where('sessions.id', '=', filter.id)
  if (filter.userId) query = query.where('sessions.user_id', '=', filter.userId)
  if (filter.after) query = query.where('sessions.id', '<', filter.after)
  if (filter.clientId) {
    const { realmId, clientId } = filter
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('session_participants')
          .select('session_participants.id')
          .where('session_participants.realm_id', '=', realmId)
          .where('session_participants.client_id', '=', clientId)
          .whereRef('session_participants.session_id', '=', 'sessions.id'),
      ),
    )
  }
  return query
    .orderBy('sessions.id', 'desc')
    .limit(filter.limit + 1)
    .offset(filter.after ? 0 : filter.offset)
    .execute()
}
export type SessionRow = Awaited<ReturnType<typeof selectSessions>>[number]

/**
 * Not bound to one realm: sessions past their end are removed in small bites; how many of each realm is returned. Those of
 * impersonation are not, because their end is an event of its own (domain/users/impersonate).
 */
export async function deleteExpiredSessions(
  db: Executor,
  now: number,
  limit: number,
): Promise<{ realmId: string; count: number }[]> {
  const { rows } = await sql<{ realm_id: string; count: number }>`with ended as (
      delete from sessions where (realm_id, id) in (select realm_id, id from sessions where expires_at < ${now} and impersonator_id is null order by expires_at limit ${limit})
      returning realm_id)
    select realm_id, count(*)::int as count from ended group by realm_id`.execute(db)
  return rows.map((row) => ({ realmId: row.realm_id, count: row.count }))
}
