import { createPrivateKey, type KeyObject } from 'node:crypto'
import { DomainError } from '../../platform/errors/index.ts'
import type { Services } from '../context/index.ts'
import type { Section } from '../snapshot/index.ts'
import { maxKeys, privateKeyPlace } from './service.ts'
import { selectActiveKey, selectKeys } from './store.ts'

/** What verifiers need of a key; no private half is in here. */
export interface PublicSigningKey {
  keyId: string
  active: boolean
  size: number
  /** Base64 of the SubjectPublicKeyInfo DER. */
  publicKey: string
  /** Base64 of the certificate's DER. */
  certificate: string
}

export interface OpenSigningKey extends PublicSigningKey {
  privateKey: KeyObject
}

// The object around the texts, and the parsed private key with what OpenSSL keeps for it.
const entryBytes = 200
const privateKeyBytes = 4096

/** All keys of the realm, the ACTIVE one first (contract 0.5), then the newest: `await snapshot.section(keysSection)`. */
export const keysSection: Section<PublicSigningKey[]> = {
  name: 'keys',
  async load({ db }, realmId) {
    const rows = await selectKeys(db, realmId, { offset: 0, limit: maxKeys, after: null })
    const keys = rows.map((row) => toPublicKey(row))
    return [...keys.filter((key) => key.active), ...keys.filter((key) => !key.active)]
  },
  sizeOf: (keys) =>
    keys.reduce((sum, key) => sum + entryBytes + (key.publicKey.length + key.certificate.length) * 2, 0),
}

/** Opened only where something is signed; replaced with the snapshot when the key is rotated. */
const signingKeySection: Section<OpenSigningKey | null> = {
  name: 'signingKey',
  async load({ db, sealer }, realmId) {
    const row = await selectActiveKey(db, realmId)
    if (!row) return null
    const der = sealer.open(row.private_key_sealed, privateKeyPlace(realmId, row.id))
    return { ...toPublicKey(row), privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) }
  },
  sizeOf: (key) => (key ? entryBytes + privateKeyBytes + (key.publicKey.length + key.certificate.length) * 2 : 0),
}

/** The key that signs for the realm. Kept open with the realm's snapshot, so that a signature costs no decryption. */
export async function openSigningKey(services: Services, realmId: string): Promise<OpenSigningKey> {
  const realm = await services.snapshots.find(realmId)
  const key = await realm?.section(signingKeySection)
  if (!key) throw new DomainError('unavailable', 'The realm has no signing key.')
  return key
}

function toPublicKey(row: {
  id: string
  size: number
  public_key: string
  certificate: string
  rotated_at: number | null
}): PublicSigningKey {
  return {
    keyId: row.id,
    active: row.rotated_at === null,
    size: row.size,
    publicKey: row.public_key,
    certificate: row.certificate,
  }
}
