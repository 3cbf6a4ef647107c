import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Executor } from '../../../platform/db/index.ts'
import type { Services } from '../../context/index.ts'
import { insertKeyRow, readKeyRow } from './key-store.ts'
import { keyIdOf, type PublicJwk, readPublicJwk, signText, type TrustedKeys } from './proof/index.ts'

/** The keys seals are signed with. All of it, the public halves too, lies in one sealed value: nobody can slip in a key. */
export interface AuditKeys {
  keyId: string
  sign(text: string): string
  trusted: TrustedKeys
  /** As they are shown. */
  published: PublicJwk[]
}

interface StoredKey {
  x: string
  /** Only the first key of the ring signs. */
  d?: string
}

export const auditSigningKeyPlace = 'server_settings:audit-key:keys'

type KeySources = Pick<Services, 'db' | 'sealer'>

/** The server's audit key, made when it is missing. */
export async function useAuditKeys(sources: KeySources): Promise<AuditKeys> {
  const known = await readAuditKeys(sources, sources.db)
  if (known) return known
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const ring = [{ x, d }]
  await insertKeyRow(sources.db, sources.sealer.seal(JSON.stringify(ring), auditSigningKeyPlace))
  const made = await readAuditKeys(sources, sources.db)
  if (!made) throw new Error('the audit key vanished')
  return made
}

/** Null before the first event was ever chained. */
export async function readAuditKeys({ sealer }: Pick<Services, 'sealer'>, db: Executor): Promise<AuditKeys | null> {
  const sealed = await readKeyRow(db)
  if (!sealed) return null
  const ring = JSON.parse(sealer.open(sealed, auditSigningKeyPlace).toString('utf8')) as StoredKey[]
  const [signer] = ring
  if (!signer?.d) throw new Error('the audit keys hold none to sign with')
  const privateKey = createPrivateKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: signer.x, d: signer.d },
    format: 'jwk',
  })
  const published = ring.map(({ x }): PublicJwk => ({ kty: 'OKP', crv: 'Ed25519', x, kid: keyIdOf(x) }))
  const trusted = new Map<string, KeyObject>()
  for (const jwk of published) {
    const read = readPublicJwk(jwk)
    if (read) trusted.set(read.keyId, read.key)
  }
  return { keyId: keyIdOf(signer.x), sign: (text) => signText(text, privateKey), trusted, published }
}
