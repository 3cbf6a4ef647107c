import { sql } from 'kysely'
import { type Executor, prepareStatement } from '../../platform/db/index.ts'

export interface MintedShare {
  realmId: string
  clientId: string
  minute: number
  tokens: number
  expiresAt: number
}

const addShare = prepareStatement(
  'client_activity_add',
  (db, realmId: string, clientId: string, minute: number, tokens: number, expiresAt: number) =>
    db
      .insertInto('client_activity')
      .values({ realm_id: realmId, client_id: clientId, minute, tokens, expires_at: expiresAt })
      .onConflict((conflict) =>
        conflict.columns(['realm_id', 'client_id', 'minute']).doUpdateSet((eb) => ({
          tokens: eb('client_activity.tokens', '+', eb.ref('excluded.tokens')),
          expires_at: eb.fn<number>('greatest', ['client_activity.expires_at', 'excluded.expires_at']),
        })),
      ),
)

export async function addClientActivity(db: Executor, share: MintedShare): Promise<void> {
  await addShare(db, share.realmId, share.clientId, share.minute, share.tokens, share.expiresAt)
}

/** Clients whose service accounts hold living tokens, by clientId; one more than the page. */
export async function selectServiceAccounts(
  db: Executor,
  realmId: string,
  page: { now: number; after: string | null; offset: number; limit: number },
) {
  let query = db
    .selectFrom('client_activity as a')
    .leftJoin('clients as c', (join) =>
      join.onRef('c.realm_id', '=', 'a.realm_id').onRef('c.client_id', '=', 'a.client_id'),
    )
    .select(['a.client_id', 'c.name', 'c.settings'])
    .select((eb) => [
      eb.fn.sum<number>('a.tokens').as('active_tokens'),
      // The minute is the finest that is kept.
      eb.fn.max<number>('a.minute').as('last_minute'),
    ])
    .where('a.realm_id', '=', realmId)
    .where('a.expires_at', '>', page.now)
    .groupBy(['a.client_id', 'c.name', 'c.settings'])
    .orderBy('a.client_id')
    .limit(page.limit + 1)
    .offset(page.after ? 0 : page.offset)
  if (page.after) query = query.where('a.client_id', '>', page.after)
  return query.execute()
}

/** Not bound to one realm: minutes whose tokens have all ended. */
export async function deleteExpiredActivity(db: Executor, now: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from client_activity where (realm_id, client_id, minute) in
    (select realm_id, client_id, minute from client_activity where expires_at < ${now} order by expires_at limit ${limit})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
