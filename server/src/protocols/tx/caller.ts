import type { FastifyReply, FastifyRequest } from 'fastify'
import { resourceMetadataUrl, type Services } from '../../domain/context/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import type { TransactionCaller } from '../../domain/transactions/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { challengeBearer } from '../../platform/http/index.ts'

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

export function challenge(services: Services, realm: RealmSnapshot, reply: FastifyReply, isInvalid: boolean): void {
  challengeBearer(reply, resourceMetadataUrl(services, realm.realmId), isInvalid ? 'invalid_token' : undefined)
}
