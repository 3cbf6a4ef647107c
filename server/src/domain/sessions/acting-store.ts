import { type Executor, prepareStatement } from '../../platform/db/index.ts'

const impersonatorById = prepareStatement('impersonator_by_id', (db, realmId: string, userId: string, now: number) =>
  db
    .selectFrom('users')
    .select(['username', 'enabled', 'locked', 'locked_until'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('sessions')
            .select('sessions.id')
            .where('sessions.realm_id', '=', realmId)
            .whereRef('sessions.user_id', '=', 'users.id')
            .where('sessions.impersonator_id', 'is', null)
            .where('sessions.expires_at', '>', now),
        )
        .as('signed_in'),
    )
    .where('users.realm_id', '=', realmId)
    .where('users.id', '=', userId),
)

/** An administrator as they are now, and whether a session of their own is left. */
export async function readImpersonator(db: Executor, realmId: string, userId: string, now: number) {
  const [row] = await impersonatorById(db, realmId, userId, now)
  return row ? { ...row, signed_in: Boolean(row.signed_in) } : null
}
