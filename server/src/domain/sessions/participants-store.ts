import { definePart, type Executor, prepareStatement } from '../../platform/db/index.ts'
import type { SessionParticipant } from '../context/index.ts'

export interface ParticipantInsert {
  realmId: string
  id: string
  sessionId: string
  protocol: string
  clientId: string
  sessionKey: string
  createdAt: number
}

const participantFields = ['realmId', 'id', 'sessionId', 'protocol', 'clientId', 'sessionKey', 'createdAt'] as const

/** An application that signs people in with a session; there once, with its latest key. */
export const participantPart = definePart('session_participant', participantFields, (db, value: ParticipantInsert) =>
  db
    .insertInto('session_participants')
    .values({
      realm_id: value.realmId,
      id: value.id,
      session_id: value.sessionId,
      protocol: value.protocol,
      client_id: value.clientId,
      session_key: value.sessionKey,
      created_at: value.createdAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['realm_id', 'session_id', 'protocol', 'client_id'])
        .doUpdateSet((eb) => ({ session_key: eb.ref('excluded.session_key') })),
    ),
)

// More applications than anybody signs in to with one session; a bound all the same.
const maxParticipants = 1000

const participantsOfSession = prepareStatement('session_participants', (db, realmId: string, sessionId: string) =>
  db
    .selectFrom('session_participants')
    .select(['protocol', 'client_id', 'session_key'])
    .where('realm_id', '=', realmId)
    .where('session_id', '=', sessionId)
    .limit(maxParticipants),
)

export async function readParticipants(
  db: Executor,
  realmId: string,
  sessionId: string,
): Promise<SessionParticipant[]> {
  const rows = await participantsOfSession(db, realmId, sessionId)
  return rows.map((row) => ({
    protocol: row.protocol,
    clientId: row.client_id,
    sessionKey: row.session_key as Record<string, unknown>,
  }))
}

/** Takes an application out of a session that goes on. */
export async function deleteParticipant(
  db: Executor,
  realmId: string,
  participant: { sessionId: string; protocol: string; clientId: string },
): Promise<void> {
  await db
    .deleteFrom('session_participants')
    .where('realm_id', '=', realmId)
    .where('session_id', '=', participant.sessionId)
    .where('protocol', '=', participant.protocol)
    .where('client_id', '=', participant.clientId)
    .execute()
}

const sessionById = prepareStatement('session_by_id', (db, realmId: string, sessionId: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.realm_id', '=', 'sessions.realm_id').onRef('users.id', '=', 'sessions.user_id'),
    )
    .select([
      ...(['sessions.id', 'sessions.user_id', 'sessions.proofs', 'sessions.expires_at'] as const),
      ...(['sessions.last_access_at', 'sessions.idle_seconds', 'sessions.remember_me'] as const),
      'sessions.impersonator_id',
      ...(['users.enabled', 'users.locked', 'users.locked_until'] as const),
    ])
    .where('sessions.realm_id', '=', realmId)
    .where('sessions.id', '=', sessionId),
)

export async function readSessionById(db: Executor, realmId: string, sessionId: string) {
  const [row] = await sessionById(db, realmId, sessionId)
  return row ?? null
}
