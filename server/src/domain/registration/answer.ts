import { scopesSection } from '../client-scopes/index.ts'
import type { Services } from '../context/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'
import type { Registration } from './register.ts'
import { toMetadata } from './shown-metadata.ts'

/** The client information response of RFC 7591 section 3.2.1 and RFC 7592 section 3. */
export async function describeRegistration(
  services: Pick<Services, 'config'>,
  realm: RealmSnapshot,
  { client, secret, said, token }: Registration,
): Promise<Record<string, unknown>> {
  const { secretExpiresAt } = client
  return {
    client_id: client.clientId,
    client_id_issued_at: Math.floor(client.createdAt / 1000),
    ...(secret === null
      ? {}
      : // 0 = never.
        { client_secret: secret, client_secret_expires_at: Math.floor((secretExpiresAt ?? 0) / 1000) }),
    registration_access_token: token,
    registration_client_uri: `${services.config.baseUrl}/realms/${realm.realmId}/connect/register/${client.id}`,
    ...toMetadata(client, said, await realm.section(scopesSection)),
  }
}
