import { sql } from 'kysely'
import type { Executor, Tx } from '../../../platform/db/index.ts'

export interface ProviderRow {
  id: string
  channel: string
  driver: string
  enabled: boolean
  priority: number
  from_address: string | null
  from_name: string | null
  config: unknown
  secret_set: boolean
  last_success_at: number | null
  last_failure_at: number | null
  last_error: string | null
  created_at: number
  version: number
}

// The sealed secret is not among them, so that no record can show it by mistake.
const shownColumns = [
  ...(['id', 'channel', 'driver', 'enabled', 'priority', 'from_address', 'from_name', 'config'] as const),
  ...(['last_success_at', 'last_failure_at', 'last_error', 'created_at', 'version'] as const),
] as const
const secretSet = sql<boolean>`secret_sealed is not null`

/** There are as many as there are drivers. In the order in which they are tried. */
export async function selectProviders(db: Executor, realmId: string): Promise<ProviderRow[]> {
  return db
    .selectFrom('messaging_providers')
    .select([...shownColumns, secretSet.as('secret_set')])
    .where('realm_id', '=', realmId)
    .orderBy('priority', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function selectProvider(
  db: Executor,
  realmId: string,
  place: { channel: string; driver: string },
): Promise<ProviderRow | null> {
  const row = await db
    .selectFrom('messaging_providers')
    .select([...shownColumns, secretSet.as('secret_set')])
    .where('realm_id', '=', realmId)
    .where('channel', '=', place.channel)
    .where('driver', '=', place.driver)
    .executeTakeFirst()
  return row ?? null
}

/** The providers of a channel that may be used, with their secrets, in the order in which they are tried. */
export async function selectUsable(db: Executor, realmId: string, channel: string) {
  return db
    .selectFrom('messaging_providers')
    .select(['id', 'channel', 'driver', 'from_address', 'from_name', 'config', 'secret_sealed'])
    .where('realm_id', '=', realmId)
    .where('channel', '=', channel)
    .where('enabled', '=', true)
    .orderBy('priority', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Makes writers of the realm's configuration wait for one another. */
export async function lockRealm(tx: Tx, realmId: string): Promise<void> {
  await tx.selectFrom('realms').select('realm_id').where('realm_id', '=', realmId).forNoKeyUpdate().execute()
}

export interface ProviderValues {
  enabled: boolean
  priority: number
  from_address: string | null
  from_name: string | null
  config: string
  /** Undefined keeps the secret. */
  secret_sealed: Buffer | null | undefined
}

export async function insertProvider(
  tx: Tx,
  realmId: string,
  provider: ProviderValues & { id: string; channel: string; driver: string; created_at: number },
): Promise<void> {
  await tx
    .insertInto('messaging_providers')
    .values({ ...provider, secret_sealed: provider.secret_sealed ?? null, realm_id: realmId })
    .execute()
}

/** A provider that was changed starts afresh: what failed before says nothing about it now. */
export async function updateProvider(tx: Tx, realmId: string, id: string, values: ProviderValues): Promise<void> {
  const { secret_sealed, ...rest } = values
  await tx
    .updateTable('messaging_providers')
    .set((eb) => ({
      ...rest,
      ...(secret_sealed === undefined ? {} : { secret_sealed }),
      last_failure_at: null,
      last_error: null,
      version: eb('version', '+', 1),
    }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

export async function deleteProvider(tx: Tx, realmId: string, id: string): Promise<void> {
  await tx.deleteFrom('messaging_providers').where('realm_id', '=', realmId).where('id', '=', id).execute()
}

/** At most one write in `quietMs` while all is well: a busy realm must not queue up at this row. */
export async function writeSuccess(
  db: Executor,
  realmId: string,
  id: string,
  { now, quietMs }: { now: number; quietMs: number },
): Promise<void> {
  await db
    .updateTable('messaging_providers')
    .set({ last_success_at: now })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('last_success_at', 'is', null),
        eb('last_success_at', '<', now - quietMs),
        eb('last_failure_at', '>=', eb.ref('last_success_at')),
      ]),
    )
    .execute()
}

export async function writeFailure(
  db: Executor,
  realmId: string,
  id: string,
  { now, error }: { now: number; error: string },
): Promise<void> {
  await db
    .updateTable('messaging_providers')
    .set({ last_failure_at: now, last_error: error })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}
