// What a realm wants to know about the make of an authenticator, decided before the statement is verified.
// The statement's signature and the certificate's contents are verified; no list of makers' roots is kept, so it tells the make as
// the authenticator claims it. Nothing is fetched: a certificate may not choose an address for us to call.
import { SettingsService } from '@simplewebauthn/server'
import {
  type AttestationStatement,
  decodeAttestationObject,
  isoBase64URL,
  isoCBOR,
} from '@simplewebauthn/server/helpers'
import type { RealmSettings } from '../../../settings/index.ts'

// With roots, the library would fetch the revocation lists that certificates name.
for (const identifier of ['apple', 'android-key', 'android-safetynet', 'mds'] as const) {
  SettingsService.setRootCertificates({ identifier, certificates: [] })
}

// Those whose verification needs no outside call, with or without roots.
const formats = ['packed', 'fido-u2f', 'tpm', 'apple']

type Policy = RealmSettings['webauthnPolicy']

/** The attestation object to verify, or null when the policy refuses it. Throws on what cannot be decoded. */
export function selectAttestation(policy: Policy, attestationObject: string): string | null {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const format = decoded.get('fmt')
  if (policy.attestation === 'none') return withoutStatement(decoded.get('authData'))
  if (format === 'none') return policy.attestation === 'indirect' && !needsMake(policy) ? attestationObject : null
  if (!formats.includes(format)) return null
  return needsMake(policy) && !hasCertificate(decoded.get('attStmt')) ? null : attestationObject
}

export function isAllowedMake({ allowedAaguids }: Policy, aaguid: string): boolean {
  return allowedAaguids.length === 0 || allowedAaguids.some((allowed) => allowed.toLowerCase() === aaguid.toLowerCase())
}

const needsMake = ({ allowedAaguids }: Policy) => allowedAaguids.length > 0

/** Without one, an authenticator vouches for itself. */
function hasCertificate(statement: AttestationStatement): boolean {
  const chain = statement.get('x5c')
  return Array.isArray(chain) && chain.length > 0
}

/** A realm that does not ask for the make need not parse what was sent unasked. */
function withoutStatement(authData: Uint8Array): string {
  const bare = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare as never))
}
