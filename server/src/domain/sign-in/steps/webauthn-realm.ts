import type { Services } from '../../context/index.ts'
import type { RealmSettings } from '../../settings/index.ts'
import type { RealmSnapshot } from '../../snapshot/index.ts'
import type { WebauthnRealm } from '../../users/credentials/webauthn/index.ts'

export function webauthnRealm(services: Services, realm: RealmSnapshot, settings: RealmSettings): WebauthnRealm {
  return {
    baseUrl: services.config.baseUrl,
    displayName: realm.displayName ?? realm.realmId,
    policy: settings.webauthnPolicy,
  }
}

// A registration with a chain of certificates is a few kilobytes.
const maxLength = 32_768

/** What the browser's authenticator answered; null for anything that is not an object. */
export function readAssertion(text: string | undefined): object | null {
  if (!text || text.length > maxLength) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
