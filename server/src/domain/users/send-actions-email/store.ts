import type { Executor } from '../../../platform/db/index.ts'

/** Null when there is no such client, or it is switched off. */
export async function selectRedirectUris(db: Executor, realmId: string, clientId: string): Promise<string[] | null> {
  const row = await db
    .selectFrom('clients')
    .select('redirect_uris')
    .where('realm_id', '=', realmId)
    .where('client_id', '=', clientId)
    .where('enabled', '=', true)
    .executeTakeFirst()
  return row?.redirect_uris ?? null
}
