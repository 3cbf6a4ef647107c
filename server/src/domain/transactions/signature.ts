import { CompactSign } from 'jose'
import { type OpenSigningKey } from '../keys/index.ts'
import { amr, type Proof } from '../sessions/index.ts'
import type { TransactionRow } from './store.ts'

/** One key set verifies tokens and signatures, so the type keeps them apart (RFC 8725 section 3.11). */
const type = 'tx+jwt'

interface Signing {
  issuer: string
  proof: Proof
  key: OpenSigningKey
  now: number
}

/** What the application keeps as evidence; it verifies against the realm’s JWKS, without us (contract 4.36). */
export async function makeSignature(row: TransactionRow, { issuer, proof, key, now }: Signing): Promise<string> {
  const claims = {
    iss: issuer,
    tx: row.id,
    hash: row.hash,
    sub: row.user_id,
    client_id: row.client_id,
    amr: amr([proof]),
    iat: Math.floor(now / 1000),
  }
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'RS256', kid: key.keyId, typ: type })
    .sign(key.privateKey)
}
