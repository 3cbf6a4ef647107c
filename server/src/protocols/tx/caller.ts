import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import type { TransactionCaller } from '../../domain/transactions/index.ts'
import { DomainError } from '../../platform/errors/index.ts'

/** Finds who is behind `Authorization: Bearer` or `DPoP`; the issuer of such tokens provides it. */
export type TransactionBearer = (
  request: FastifyRequest,
  realm: RealmSnapshot,
  reply: FastifyReply,
) => Promise<TransactionCaller | null>

export async function findCaller(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
  bearer: TransactionBearer,
): Promise<TransactionCaller> {
  reply.header('cache-control', 'no-store')
  const isSent = request.headers.authorization !== undefined
  const caller = isSent ? await bearer(request, realm, reply) : null
  if (caller) return caller
  challenge(services, realm, reply, isSent)
  throw new DomainError('unauthenticated', isSent ? 'The access token is not valid here.' : 'Send an access token.')
}

/** RFC 9728 section 5.1: whoever is refused learns where tokens for this come from (contract 4.28). */
export function challenge(services: Services, realm: RealmSnapshot, reply: FastifyReply, isInvalid: boolean): void {
  const metadata = `resource_metadata="${services.config.baseUrl}/.well-known/oauth-protected-resource/realms/${realm.realmId}"`
  const said = reply.getHeader('www-authenticate')
  const own = `Bearer ${metadata}${isInvalid ? ', error="invalid_token"' : ''}`
  reply.header('www-authenticate', typeof said === 'string' ? `${said}, ${metadata}` : own)
}
