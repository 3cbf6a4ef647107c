import { scopesSection } from '../client-scopes/index.ts'
import type { Client } from '../clients/index.ts'
import type { Services } from '../context/index.ts'
import { provisioningSection } from '../provisioning/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'
import type { RegistrationRules } from './metadata.ts'

/** What the realm allows who registers. The scopes of an initial access token take the place of the realm's (contract 4.16). */
export async function readRegistrationRules(
  services: Pick<Services, 'egress'>,
  realm: RealmSnapshot,
  scopeLimit: readonly string[] | null = null,
): Promise<RegistrationRules> {
  const [provisioning, realmScopes] = await Promise.all([
    realm.section(provisioningSection),
    realm.section(scopesSection),
  ])
  return {
    allowedGrantTypes: provisioning.dcrAllowedGrantTypes,
    allowedScopes: scopeLimit ?? provisioning.dcrAllowedScopes,
    allowedRedirectHosts: provisioning.dcrAllowedRedirectHosts,
    realmScopes,
    egress: services.egress,
  }
}

/** What a client has already it may keep: an administrator may have given it more than others get. */
export function keepingOwn(rules: RegistrationRules, client: Client): RegistrationRules {
  return {
    ...rules,
    allowedGrantTypes: [...new Set([...rules.allowedGrantTypes, ...client.grantTypes])],
    allowedScopes: [...new Set([...rules.allowedScopes, ...client.scopes])],
  }
}
