import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { pageResult } from '../../domain/admin-route/index.ts'
import { Consent, ConsentQuery, listConsents, revokeConsentFor } from '../../domain/consents/index.ts'
import { openContext, type Services } from '../../domain/context/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import { runRead, runTransaction } from '../../platform/db/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { originOf, refuseOtherMethods } from '../../platform/http/index.ts'
import { type AccountBearer, findAccountHolder } from './caller.ts'

const listDescription = {
  tags: ['account'],
  summary: 'List what you allowed applications',
  description: 'Page with `after`. Permission: your own session, or an access token of yours for the account.',
  params: z.object({ realm: z.string() }),
  querystring: z.object(ConsentQuery.shape),
  response: { 200: z.array(Consent), 401: z.null().describe('No session and no token.') },
  security: [{ session: [] }],
}

const revokeDescription = {
  tags: ['account'],
  summary: 'Take back what you allowed an application',
  description:
    'The application’s refresh tokens for you end with it. `clientId` is the client’s id or its clientId. ' +
    'Permission: your own session with X-XSRF-TOKEN, or an access token of yours for the account.',
  params: z.object({ realm: z.string(), clientId: z.string() }),
  response: {
    204: z.null().describe('No body.'),
    401: z.null().describe('No session and no token.'),
    403: z.null().describe('CSRF token missing or stale.'),
    404: z.null().describe('Nothing was allowed to such an application.'),
  },
  security: [{ session: [], csrf: [] }],
}

export interface AccountOptions {
  /** Access with access tokens; the issuer of the tokens provides it. */
  bearer?: AccountBearer
}

/** /account/gdpr/consents: errors are problem+json, since programs call it. */
export function registerConsents(
  app: FastifyInstance,
  services: Services,
  kit: PageKit,
  options: AccountOptions = {},
): void {
  const url = '/realms/:realm/account/gdpr/consents'
  const bearer = options.bearer ?? null
  app.get(url, { schema: listDescription }, async (request, reply) => {
    const realm = await kit.findOpenRealm(request)
    const { userId } = await findAccountHolder(services, realm, request, reply, bearer)
    return sendConsents(services, realm.realmId, userId, request, reply)
  })
  refuseOtherMethods(app, url, ['GET'])

  app.delete(`${url}/:clientId`, { schema: revokeDescription }, async (request, reply) => {
    const realm = await kit.findOpenRealm(request)
    const actor = await findAccountHolder(services, realm, request, reply, bearer)
    const { clientId } = request.params as { clientId: string }
    await runTransaction(services.db, async (work) => {
      const ctx = openContext(services, work, { realmId: realm.realmId, actor, origin: originOf(request) })
      await revokeConsentFor(ctx, actor.userId, clientId)
    })
    return reply.code(204).send()
  })
  refuseOtherMethods(app, `${url}/:clientId`, ['DELETE'])
}

async function sendConsents(
  services: Services,
  realmId: string,
  userId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = readQuery(request)
  const { rows, page } = await runRead(() => listConsents(services.db, realmId, userId, query))
  const { headers = {} } = pageResult({ rows, paging: page, cursorOf: ({ cursor }) => cursor, query })
  const path = request.url.split('?')[0]!
  if (headers.link) reply.header('link', headers.link.replace('<?', `<${path}?`))
  return reply
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(rows.slice(0, page.limit).map(({ consent }) => consent)))
}

function readQuery(request: FastifyRequest): ConsentQuery {
  const result = ConsentQuery.safeParse(request.query)
  if (result.success) return result.data
  const fields = result.error.issues.flatMap((issue) => {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')]
    return names.map((field) => ({ field, code: 'invalid', message: issue.message }))
  })
  throw new DomainError('validation_failed', 'Some of the parameters are not valid.', { fields })
}
