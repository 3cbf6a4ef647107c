import type { Client } from './schema.ts'
import { resolveSettings } from './settings.ts'
import type { ClientRow } from './store.ts'

/** A row as the API shows it. It has no secret to show. */
export function toClient(realmId: string, row: ClientRow): Client {
  return {
    id: row.id,
    clientId: row.client_id,
    name: row.name,
    publicClient: row.public_client,
    grantTypes: row.grant_types as Client['grantTypes'],
    redirectUris: row.redirect_uris,
    webOrigins: row.web_origins,
    scopes: row.scopes,
    realmId,
    enabled: row.enabled,
    ...resolveSettings(row.settings, row.public_client),
    serviceAccountUserId: row.service_account_user_id,
    allowedResources: row.allowed_resources,
    secretSet: row.secret_set,
    createdAt: row.created_at,
    createdBy: row.created_by as Client['createdBy'],
  }
}
