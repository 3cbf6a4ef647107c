import type { Client, ClientInput, ClientReplacement } from './schema.ts'
import { type GrantType, normaliseGrantTypes } from './grant-types.ts'
import { applyProfile, defaultAuthMethod, needsSecret } from './settings.ts'
import { type ClientSettings, settingMembers } from './settings-schema.ts'
import type { ClientColumns } from './store.ts'
import { compactSettings } from './settings.ts'

/** What a client shall be: the input with aliases resolved and consequences drawn. */
export interface ClientPlan {
  name: string | null
  enabled: boolean
  publicClient: boolean
  grantTypes: GrantType[]
  redirectUris: string[]
  webOrigins: string[]
  scopes: string[]
  settings: ClientSettings
}

export function planClient(input: ClientInput | ClientReplacement, before: Client | null): ClientPlan {
  const grantTypes = normaliseGrantTypes(input.grantTypes)
  const tokenEndpointAuthMethod = authMethodOf(input, before)
  const given = Object.fromEntries(
    Object.keys(settingMembers).map((member) => [member, input[member as keyof typeof settingMembers]]),
  ) as Omit<ClientSettings, 'tokenEndpointAuthMethod' | 'agentId'>
  return {
    name: input.name,
    enabled: input.enabled,
    publicClient: input.publicClient,
    grantTypes,
    redirectUris: unique(input.redirectUris),
    webOrigins: unique(input.webOrigins),
    scopes: unique(input.scopes),
    settings: applyProfile({
      ...given,
      tokenSigningAlg: sentAlgorithm(input, before) ?? 'RS256',
      postLogoutRedirectUris: unique(given.postLogoutRedirectUris),
      audiences: unique(given.audiences),
      defaultAcrValues: unique(given.defaultAcrValues),
      tokenEndpointAuthMethod,
      // Whoever may use the grant needs somebody to be (contract 2.16).
      serviceAccountEnabled: given.serviceAccountEnabled || grantTypes.includes('client_credentials'),
      secretExpiresAt: needsSecret({ tokenEndpointAuthMethod }) ? given.secretExpiresAt : null,
      agentId: before?.agentId ?? null,
    }),
  }
}

/** A patch of the profile alone brings the old algorithm along with the rest of the record, which nobody meant to send. */
export function sentAlgorithm(input: ClientInput | ClientReplacement, before: Client | null) {
  const given = input.tokenSigningAlg
  const isLeftOver =
    before !== null && before.securityProfile !== input.securityProfile && given === before.tokenSigningAlg
  return isLeftOver && input.securityProfile === 'FAPI2' ? undefined : given
}

/** A patch of publicClient alone brings the old method along with the rest of the record; it then follows. */
function authMethodOf(input: ClientInput | ClientReplacement, before: Client | null) {
  const given = input.tokenEndpointAuthMethod
  const isLeftOver =
    before !== null && before.publicClient !== input.publicClient && given === before.tokenEndpointAuthMethod
  return given === undefined || isLeftOver ? defaultAuthMethod(input.publicClient) : given
}

export function toColumns(plan: ClientPlan): Omit<ClientColumns, 'service_account_user_id'> {
  return {
    name: plan.name,
    enabled: plan.enabled,
    public_client: plan.publicClient,
    grant_types: plan.grantTypes,
    redirect_uris: plan.redirectUris,
    web_origins: plan.webOrigins,
    scopes: plan.scopes,
    settings: compactSettings(plan.settings, plan.publicClient),
  }
}

function unique(list: string[]): string[] {
  return [...new Set(list)]
}
