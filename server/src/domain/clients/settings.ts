import { isDeepStrictEqual } from 'node:util'
import { type ClientSettings, defaultSettings } from './settings-schema.ts'

/** A public client has nothing to authenticate with (contract 2.16). */
export function defaultAuthMethod(publicClient: boolean): ClientSettings['tokenEndpointAuthMethod'] {
  return publicClient ? 'none' : 'client_secret_basic'
}

/** What is stored, with every default filled in. */
export function resolveSettings(stored: unknown, publicClient: boolean): ClientSettings {
  return applyProfile({
    ...defaultSettings,
    tokenEndpointAuthMethod: defaultAuthMethod(publicClient),
    ...(stored as Partial<ClientSettings>),
  })
}

/** What FAPI 2.0 says of a client is so, whatever else was written (contract 2.16, 2.21). */
export function applyProfile(settings: ClientSettings): ClientSettings {
  if (settings.securityProfile !== 'FAPI2') return settings
  return {
    ...settings,
    tokenSigningAlg: 'PS256',
    requirePkce: true,
    requirePushedAuthorizationRequests: true,
    dpopBoundAccessTokens: true,
    refreshTokenGraceSeconds: 0,
  }
}

/** Only what differs from its default is stored, so that a later release may move a default. */
export function compactSettings(settings: ClientSettings, publicClient: boolean): string {
  const defaults = resolveSettings({}, publicClient)
  const kept = Object.entries(settings).filter(
    ([name, value]) => !isDeepStrictEqual(value, defaults[name as keyof ClientSettings]),
  )
  return JSON.stringify(Object.fromEntries(kept))
}

/** Clients that prove who they are with their own key, or not at all, have no secret. */
export function needsSecret({ tokenEndpointAuthMethod }: Pick<ClientSettings, 'tokenEndpointAuthMethod'>): boolean {
  return tokenEndpointAuthMethod === 'client_secret_basic' || tokenEndpointAuthMethod === 'client_secret_post'
}
