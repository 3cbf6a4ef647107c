import { type Executor, prepareStatement, type Tx } from '../../platform/db/index.ts'

const waitingById = prepareStatement('oidc_waiting', (db, realmId: string, id: Buffer) =>
  db
    .selectFrom('oidc_models as m')
    .leftJoin('clients as k', (join) =>
      join.onRef('k.realm_id', '=', 'm.realm_id').onRef('k.client_id', '=', 'm.client_id'),
    )
    .leftJoin('users as account', (join) =>
      join.onRef('account.realm_id', '=', 'm.realm_id').onRef('account.id', '=', 'k.service_account_user_id'),
    )
    .select([
      ...(['m.id', 'm.model', 'm.payload', 'm.client_id', 'm.user_id', 'm.grant_id', 'm.created_at'] as const),
      ...(['k.enabled as client_enabled', 'k.version as client_version'] as const),
      'account.version as account_version',
    ])
    .where('m.realm_id', '=', realmId)
    .where('m.id', '=', id),
)
export type WaitingRow = Awaited<ReturnType<typeof waitingById>>[number]

/** A request that waits for a person, with whether its client is what it was. */
export async function readWaiting(db: Executor, realmId: string, id: Buffer): Promise<WaitingRow | null> {
  const [row] = await waitingById(db, realmId, id)
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
