import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../domain/context/index.ts'
import { lookSection } from '../domain/settings/index.ts'
import type { RealmSnapshot } from '../domain/snapshot/index.ts'
import { pageHeaders, renderErrorPage } from '../pages/index.ts'
import { DomainError, errorKinds } from '../platform/errors/index.ts'
import { sendProblem } from '../platform/http/index.ts'
import type { PageKit } from '../pages/page-kit.ts'
import { realmNamePattern, realmNotFound } from './admin-surface/guard.ts'

export function createPageKit(services: Services): PageKit {
  const realmOf = (request: FastifyRequest) => (request.params as { realm?: string }).realm ?? ''

  async function findRealm(request: FastifyRequest): Promise<RealmSnapshot | null> {
    const realmId = realmOf(request)
    return realmNamePattern.test(realmId) ? services.snapshots.find(realmId) : null
  }

  return {
    async findOpenRealm(request) {
      const realm = await findRealm(request)
      if (!realm) throw realmNotFound()
      if (!realm.enabled) throw new DomainError('realm_disabled', 'This realm is disabled.')
      return realm
    },
    async renderError(request, reply, error): Promise<FastifyReply> {
      // Programs say what they want; everybody else is a person with a browser.
      if (!(request.headers.accept ?? '').includes('text/html'))
        return sendProblem(services.config.baseUrl, request, reply, error)
      const realm = await findRealm(request).catch(() => null)
      const look = realm ? await realm.section(lookSection).catch(() => null) : null
      const kind = errorKinds[error.code]
      return reply
        .code(error.status)
        .headers(pageHeaders())
        .send(
          renderErrorPage({
            realm: look && { ...look, acting: request.acting },
            status: error.status,
            title: kind.title,
            message: error.detail,
            reference: request.traceId,
            help: kind.remedy,
          }),
        )
    },
  }
}
