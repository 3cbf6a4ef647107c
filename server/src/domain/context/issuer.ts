import type { Services } from './index.ts'

/** The name of a realm as an issuer (RFC 8414), and who signatures for it are meant for. */
export function issuerOf({ config }: Pick<Services, 'config'>, realmId: string): string {
  return `${config.baseUrl}/realms/${realmId}`
}

/** Where a realm's own places, its account above all, say which tokens open them (RFC 9728). */
export function resourceMetadataUrl({ config }: Pick<Services, 'config'>, realmId: string): string {
  return `${config.baseUrl}/.well-known/oauth-protected-resource/realms/${realmId}`
}
