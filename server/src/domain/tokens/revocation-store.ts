import { sql } from 'kysely'
import { type Executor, prepareStatement } from '../../platform/db/index.ts'

export interface Revocation {
  realmId: string
  /** jti:<id>, client:<clientId>, user:<id> or realm. */
  subject: string
  /** Tokens issued before this moment are void. */
  beforeAt: number
  expiresAt: number
}

export async function upsertRevocation(db: Executor, revocation: Revocation): Promise<void> {
  const { realmId, subject, beforeAt, expiresAt } = revocation
  await db
    .insertInto('token_revocations')
    .values({ realm_id: realmId, subject, before_at: beforeAt, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict.columns(['realm_id', 'subject']).doUpdateSet((eb) => ({
        before_at: eb.fn<number>('greatest', ['token_revocations.before_at', 'excluded.before_at']),
        expires_at: eb.fn<number>('greatest', ['token_revocations.expires_at', 'excluded.expires_at']),
      })),
    )
    .execute()
}

/**
 * Everything that can void a token which carries its own proof, in one round trip: named revocations, its grant with the person
 * behind it, and its client.
 */
const tokenState = prepareStatement(
  'token_state',
  (db, realmId: string, subjects: string[], grantId: Buffer | null, clientId: string) =>
    db
      .selectFrom('realms as r')
      .leftJoin('oidc_models as g', (join) => join.onRef('g.realm_id', '=', 'r.realm_id').on('g.id', '=', grantId))
      .leftJoin('sessions as s', (join) =>
        join.onRef('s.realm_id', '=', 'r.realm_id').onRef('s.id', '=', 'g.session_id'),
      )
      .leftJoin('clients as c', (join) => join.onRef('c.realm_id', '=', 'r.realm_id').on('c.client_id', '=', clientId))
      .leftJoin('users as u', (join) =>
        join
          .onRef('u.realm_id', '=', 'r.realm_id')
          .on('u.id', '=', sql<string>`coalesce(g.user_id, c.service_account_user_id)`),
      )
      .select([
        ...(['r.config_version', 'g.payload as grant_payload', 'g.expires_at as grant_expires_at'] as const),
        ...(['g.session_id as grant_session_id', 's.id as live_session_id', 's.impersonator_id'] as const),
        ...(['s.expires_at as session_expires_at', 's.last_access_at', 's.idle_seconds'] as const),
        ...([
          'c.enabled as client_enabled',
          'c.service_account_user_id',
          'u.id as user_id',
          'u.username',
          'u.email',
        ] as const),
        ...(['u.email_verified', 'u.phone', 'u.phone_verified', 'u.locale', 'u.attributes'] as const),
        ...([
          'u.enabled',
          'u.locked',
          'u.locked_until',
          'u.created_at as user_created_at',
          'u.updated_at as user_updated_at',
        ] as const),
      ])
      .select(
        sql<number | null>`(select max(before_at) from token_revocations t
          where t.realm_id = r.realm_id and t.subject = any(${subjects}::text[]))`.as('void_before'),
      )
      .where('r.realm_id', '=', realmId)
      .where('r.deleted_at', 'is', null),
)
export type TokenStateRow = Awaited<ReturnType<typeof tokenState>>[number]

export async function readTokenState(
  db: Executor,
  realmId: string,
  token: { subjects: string[]; grantId: Buffer | null; clientId: string },
): Promise<TokenStateRow | null> {
  const { subjects, grantId, clientId } = token
  const [row] = await tokenState(db, realmId, subjects, grantId, clientId)
  return row ?? null
}

export async function deleteRevocation(db: Executor, realmId: string, subject: string): Promise<void> {
  await db.deleteFrom('token_revocations').where('realm_id', '=', realmId).where('subject', '=', subject).execute()
}

/** Not bound to one realm: revocations no living token can need are removed in small bites. */
export async function deleteExpiredRevocations(db: Executor, now: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from token_revocations where (realm_id, subject) in
    (select realm_id, subject from token_revocations where expires_at < ${now} order by expires_at limit ${limit})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
