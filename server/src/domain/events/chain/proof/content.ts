/**
 * The row of an event as it is hashed: every column, what is sealed as ciphertext. So the hash says nothing about a person, and
 * still holds when the key of one is destroyed (contract 0.4). Bytes are base64url. A column that a later release adds becomes a
 * member only where it is set, because the hashes of what is there already cannot change.
 */
export interface EventContent {
  realmId: string
  id: string
  category: string
  type: string
  outcome: string
  actor: string
  resourceType: string | null
  resourceId: string | null
  clientId: string | null
  sessionId: string | null
  impersonatorId: string | null
  agentId: string | null
  traceId: string | null
  ipHash: string | null
  actorKeyId: string | null
  actorSealed: string | null
  detailKeyId: string | null
  detailSealed: string | null
}
