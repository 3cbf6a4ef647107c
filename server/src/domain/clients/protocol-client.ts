import type { Services } from '../context/index.ts'
import type { toTokenUser } from '../tokens/index.ts'
import { selectProtocolClient, type StoredMapper } from './protocol-store.ts'
import { type Client, ClientId } from './schema.ts'
import { openSecret, secretPlace } from './secrets.ts'
import { resolveSettings } from './settings.ts'
import type { ClientSettings } from './settings-schema.ts'

/** A client as the protocols see it, with its secrets open. */
export interface ProtocolClient {
  id: string
  clientId: string
  name: string | null
  enabled: boolean
  publicClient: boolean
  /** In the specification's spellings. */
  grantTypes: string[]
  redirectUris: string[]
  /** As written: `+` stands for the origins of the redirect URIs. */
  webOrigins: string[]
  scopes: string[]
  allowedResources: string[]
  settings: ClientSettings
  serviceAccountUserId: string | null
  /** The row of the service account, as domain/tokens reads it. */
  serviceAccount: Parameters<typeof toTokenUser>[0]
  secret: string | null
  /** The secret before the last regeneration, while it is still accepted. */
  previousSecret: { secret: string; expiresAt: number } | null
  mappers: StoredMapper[]
  /** Who brought it here: an administrator looked at their own, nobody at those that came by themselves. */
  createdBy: Client['createdBy']
  version: number
}

/** Null when there is none. Disabled ones are returned, too: the caller decides what that means. */
export async function readProtocolClient(
  services: Pick<Services, 'db' | 'sealer' | 'clock'>,
  realmId: string,
  clientId: string,
): Promise<ProtocolClient | null> {
  // Comes straight from a request: the database would stumble over a NUL.
  if (!ClientId.safeParse(clientId).success) return null
  const row = await selectProtocolClient(services.db, realmId, clientId)
  if (!row) return null
  const open = (sealed: Buffer, column: 'secret' | 'previous_secret') =>
    openSecret(services.sealer, sealed, secretPlace(realmId, row.id, column))
  const { previous_secret_sealed: previous, previous_secret_expires_at: expiresAt } = row
  const isAccepted = previous !== null && expiresAt !== null && expiresAt > services.clock.now()
  return {
    id: row.id,
    clientId: row.client_id,
    name: row.name,
    enabled: row.enabled,
    publicClient: row.public_client,
    grantTypes: row.grant_types,
    redirectUris: row.redirect_uris,
    webOrigins: row.web_origins,
    scopes: row.scopes,
    allowedResources: row.allowed_resources,
    settings: resolveSettings(row.settings, row.public_client),
    serviceAccountUserId: row.service_account_user_id,
    serviceAccount: readAccount(row),
    secret: row.secret_sealed && open(row.secret_sealed, 'secret'),
    previousSecret: isAccepted ? { secret: open(previous, 'previous_secret'), expiresAt } : null,
    mappers: row.mappers ?? [],
    createdBy: row.created_by as Client['createdBy'],
    version: row.version,
  }
}

type ClientRow = NonNullable<Awaited<ReturnType<typeof selectProtocolClient>>>

function readAccount(row: ClientRow): ProtocolClient['serviceAccount'] {
  const { user_id, username, email, email_verified, phone, phone_verified, locale, attributes } = row
  const { account_enabled: enabled, locked, locked_until, user_created_at, user_updated_at } = row
  return {
    ...{ user_id, username, email, email_verified, phone, phone_verified, locale, attributes },
    ...{ enabled, locked, locked_until, user_created_at, user_updated_at },
  }
}
