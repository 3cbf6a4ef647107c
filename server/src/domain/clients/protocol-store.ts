import { sql } from 'kysely'
import { type Executor, prepareStatement } from '../../platform/db/index.ts'

export interface StoredMapper {
  name: string
  protocol: string
  type: string
  config: Record<string, unknown>
}

/** Everything about a client that a protocol request needs, in one round trip. Read on every request: nothing of it is cached. */
const protocolClient = prepareStatement('protocol_client', (db, realmId: string, clientId: string) =>
  db
    .selectFrom('clients')
    .leftJoin('users as account', (join) =>
      join
        .onRef('account.realm_id', '=', 'clients.realm_id')
        .onRef('account.id', '=', 'clients.service_account_user_id'),
    )
    .select([
      ...(['clients.id', 'client_id', 'name', 'clients.enabled', 'public_client', 'grant_types'] as const),
      ...(['redirect_uris', 'web_origins', 'scopes', 'allowed_resources', 'settings'] as const),
      ...(['service_account_user_id', 'clients.version', 'created_by'] as const),
      ...(['secret_sealed', 'previous_secret_sealed', 'previous_secret_expires_at'] as const),
      // The machine's own account comes along: every token of its own needs it.
      ...(['account.id as user_id', 'account.username', 'account.email', 'account.email_verified'] as const),
      ...(['account.phone', 'account.phone_verified', 'account.locale', 'account.attributes'] as const),
      ...(['account.enabled as account_enabled', 'account.locked', 'account.locked_until'] as const),
      ...(['account.created_at as user_created_at', 'account.updated_at as user_updated_at'] as const),
    ])
    .select(
      sql<StoredMapper[] | null>`(select jsonb_agg(jsonb_build_object('name', mapper.name, 'protocol', mapper.protocol,
        'type', mapper.type, 'config', mapper.config) order by mapper.name) from client_mappers mapper
        where mapper.realm_id = clients.realm_id and mapper.client_uuid = clients.id)`.as('mappers'),
    )
    .where('clients.realm_id', '=', realmId)
    .where('clients.client_id', '=', clientId),
)

export async function selectProtocolClient(db: Executor, realmId: string, clientId: string) {
  const [row] = await protocolClient(db, realmId, clientId)
  return row ?? null
}

/** What tells whether a client that was read before is still the same: few columns, because it is read on every request. */
const clientStamp = prepareStatement('client_stamp', (db, realmId: string, clientId: string) =>
  db
    .selectFrom('clients')
    .leftJoin('users as account', (join) =>
      join
        .onRef('account.realm_id', '=', 'clients.realm_id')
        .onRef('account.id', '=', 'clients.service_account_user_id'),
    )
    .select(['clients.enabled', 'clients.version', 'account.version as account_version'])
    .where('clients.realm_id', '=', realmId)
    .where('clients.client_id', '=', clientId),
)

export interface ClientStamp {
  enabled: boolean
  version: number
  /** The version of the service account; null without one. */
  account_version: number | null
}

export async function readClientStamp(db: Executor, realmId: string, clientId: string): Promise<ClientStamp | null> {
  const [row] = await clientStamp(db, realmId, clientId)
  return row ?? null
}

/** Whether some client of the realm has its tokens signed with another algorithm than the usual one. */
export async function hasOtherAlgorithm(db: Executor, realmId: string): Promise<boolean> {
  const row = await db
    .selectFrom('clients')
    .select('id')
    .where('realm_id', '=', realmId)
    // Clients of FAPI 2.0 have theirs signed with PS256.
    .where(sql<boolean>`(settings ? 'tokenSigningAlg' or settings ? 'securityProfile')`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
