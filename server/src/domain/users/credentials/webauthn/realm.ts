import { hash } from 'node:crypto'
import type { Services } from '../../../context/index.ts'
import type { RealmSettings } from '../../../settings/index.ts'

/** What a realm is to an authenticator. */
export interface WebauthnRealm {
  /** The public address of the service. */
  baseUrl: string
  displayName: string
  policy: RealmSettings['webauthnPolicy']
}

export function webauthnRealm(
  { config }: Pick<Services, 'config'>,
  { realmId, displayName }: { realmId: string; displayName: string | null },
  { webauthnPolicy }: Pick<RealmSettings, 'webauthnPolicy'>,
): WebauthnRealm {
  return { baseUrl: config.baseUrl, displayName: displayName ?? realmId, policy: webauthnPolicy }
}

/** The identity keys are bound to, and the only origin that may ask them. */
export function relyingPartyOf({ baseUrl, displayName, policy }: WebauthnRealm) {
  const { hostname, origin } = new URL(baseUrl)
  return { id: policy.rpId ?? hostname, name: policy.rpName ?? displayName, origin }
}

/**
 * What an authenticator keeps instead of a name: always the same for a person, different in every realm, and telling nobody who
 * it is. It has no key of ours in it, because passkeys must outlive the keys that are rotated.
 */
export function userHandleOf(realmId: string, userId: string): Buffer<ArrayBuffer> {
  return Buffer.from(hash('sha256', ['webauthn-user', realmId, userId].join('\0'), 'buffer'))
}
