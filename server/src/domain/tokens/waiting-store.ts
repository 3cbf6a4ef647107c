import { sql } from 'kysely'
import { type Executor, prepareStatement, type Tx } from '../../platform/db/index.ts'

const waitingById = prepareStatement('oidc_waiting', (db, realmId: string, id: Buffer) =>
  db
    .selectFrom('oidc_models')
    .select(['id', 'model', 'payload', 'client_id', 'user_id', 'grant_id', 'created_at'])
    .where('realm_id', '=', realmId)
    .where('id', '=', id),
)

/** A request that waits for a person, as they are asked about it. */
export async function readWaiting(db: Executor, realmId: string, id: Buffer) {
  const [row] = await waitingById(db, realmId, id)
  return row ?? null
}

const pollById = prepareStatement('oidc_poll', (db, realmId: string, id: Buffer) =>
  db
    .selectFrom('oidc_models as m')
    .leftJoin('clients as k', (join) =>
      join.onRef('k.realm_id', '=', 'm.realm_id').onRef('k.client_id', '=', 'm.client_id'),
    )
    .leftJoin('users as account', (join) =>
      join.onRef('account.realm_id', '=', 'm.realm_id').onRef('account.id', '=', 'k.service_account_user_id'),
    )
    .select([
      ...(['m.model', 'm.client_id', 'k.enabled as client_enabled', 'k.version as client_version'] as const),
      ...(['account.version as account_version', sql<number>`(m.payload ->> 'exp')::float8`.as('exp')] as const),
      sql<boolean>`m.grant_id is null and not m.payload ? 'error'`.as('is_pending'),
    ])
    .where('m.realm_id', '=', realmId)
    .where('m.id', '=', id),
)

/** The few columns that thousands of devices ask for every second: is there an answer, and is the client what it was. */
export async function readPoll(db: Executor, realmId: string, id: Buffer) {
  const [row] = await pollById(db, realmId, id)
  return row ?? null
}

export interface WaitingAnswer {
  id: Buffer
  /** Members to add to what the engine keeps of the request. */
  payload: Record<string, unknown>
  grantId: Buffer | null
  userId: string
  sessionId: string
  offline: boolean
}

/** False when somebody answered before: of any number of answers at once, one counts. */
export async function answerWaiting(tx: Tx, realmId: string, answer: WaitingAnswer): Promise<boolean> {
  const updated = await tx
    .updateTable('oidc_models')
    .set((eb) => ({
      payload: eb('payload', '||', eb.cast<object>(eb.val(JSON.stringify(answer.payload)), 'jsonb')),
      grant_id: answer.grantId,
      user_id: answer.userId,
      session_id: answer.sessionId,
      offline: answer.offline,
    }))
    .where('realm_id', '=', realmId)
    .where('id', '=', answer.id)
    .where('grant_id', 'is', null)
    .where((eb) => eb.not(eb('payload', '?', eb.val('error'))))
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}
