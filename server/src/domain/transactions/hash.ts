import { hash } from 'node:crypto'
import { canonicalJson } from '../../platform/text/index.ts'
import type { Details } from './details.ts'

/** What a person signs, and nothing else. */
export interface SignedContent {
  type: string
  title: string
  details: Details
  userId: string
  clientId: string
}

/** base64url SHA-256 over the canonical form (RFC 8785): whoever has the document can compute it (contract 4.36). */
export function hashContent({ type, title, details, userId, clientId }: SignedContent): string {
  return hash('sha256', canonicalJson({ type, title, details, userId, clientId }), 'base64url')
}

/** What a passkey answers for this transaction, and for no other. */
export function challengeOf({ id, hash: contentHash }: { id: string; hash: string }): string {
  return hash('sha256', `tx:${id}:${contentHash}`, 'base64url')
}
