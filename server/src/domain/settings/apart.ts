// What is kept in the row of the settings without being one of them: members with a route of their own, and the secrets.
import type { Sealer } from '../../platform/crypto/index.ts'
import type { SettingsRow } from './store.ts'

/** What `sealed` holds, so that a further secret needs no further column. */
export interface Secrets {
  captcha?: string
  /** Base64. */
  pairwiseSalt?: string
}

export interface StoredSubjectClaim {
  strategy: string
  attribute: string | null
}

export interface KeptApart {
  subjectClaim?: StoredSubjectClaim
  /** Which secrets `sealed` holds: the settings are shown without opening it. */
  secrets?: (keyof Secrets)[]
}

/** The members of the stored object that a change of settings must carry over. */
export function readApart({ settings, sealed }: Pick<SettingsRow, 'settings' | 'sealed'>): KeptApart {
  const { subjectClaim, secrets } = (settings ?? {}) as KeptApart
  return {
    ...(subjectClaim ? { subjectClaim } : {}),
    // Rows of the first release sealed nothing but the captcha's secret and did not say so.
    ...(sealed === null ? {} : { secrets: secrets ?? ['captcha'] }),
  }
}

export function secretPlace(realmId: string): string {
  return `realm_settings:${realmId}:${realmId}:sealed`
}

export function openSecrets(sealer: Sealer, realmId: string, sealed: Buffer | null): Secrets {
  return sealed ? (JSON.parse(sealer.open(sealed, secretPlace(realmId)).toString()) as Secrets) : {}
}

/** The column and the list beside it, which always change together. */
export function sealSecrets(
  sealer: Sealer,
  realmId: string,
  secrets: Secrets,
): { sealed: Buffer | null; names: (keyof Secrets)[] } {
  const names = (Object.keys(secrets) as (keyof Secrets)[]).filter((name) => secrets[name] !== undefined)
  const sealed = names.length === 0 ? null : sealer.seal(JSON.stringify(secrets), secretPlace(realmId))
  return { sealed, names }
}
