import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RealmSnapshot } from '../domain/snapshot/index.ts'
import type { DomainError } from '../platform/errors/index.ts'

/** What surfaces with pages share; made by app/. */
export interface PageKit {
  /** The realm of the path, if it exists and is enabled. */
  findOpenRealm(request: FastifyRequest): Promise<RealmSnapshot>
  /** A page for people, problem+json for programs. */
  renderError(request: FastifyRequest, reply: FastifyReply, error: DomainError): Promise<FastifyReply>
}
