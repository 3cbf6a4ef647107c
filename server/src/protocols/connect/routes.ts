import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import {
  type Asked,
  deleteRegistration,
  describeRegistration,
  faultOf,
  type Manager,
  readRegistration,
  recordRejection,
  registerClient,
  type Registration,
  replaceRegistration,
} from '../../domain/registration/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { originOf, refuseOtherMethods } from '../../platform/http/index.ts'
import { renderConnectError, sendError, sendFault } from './answers.ts'
import { deleteDescription, readDescription, registerDescription, replaceDescription } from './describe.ts'
import { admitTry, countFailure } from './limit.ts'

// Twenty keys and a hundred addresses fit in; nothing that an application says of itself is longer.
const bodyLimitBytes = 64 * 1024
// Applications in browsers register too. No cookie is looked at here, so any page may ask (contract 2.24; MCP).
const openCors = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After',
}
const preflight = {
  ...openCors,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'Authorization, Content-Type',
  'access-control-max-age': '3600',
}

/** /connect/register: what an application may do about itself. */
export function registerConnect(app: FastifyInstance, services: Services, kit: PageKit): void {
  const url = '/realms/:realm/connect/register'
  const options = { config: { renderError: renderConnectError(kit) }, bodyLimit: bodyLimitBytes }
  const answer = (work: Work) => (request: FastifyRequest, reply: FastifyReply) =>
    answerTry(services, kit, request, reply, work)

  const open = async (_request: FastifyRequest, reply: FastifyReply) => void reply.headers(openCors)
  const register = answer(async ({ asked, request, token }) => ({
    status: 201,
    registration: await registerClient(services, asked, { document: readBody(request), token }),
  }))
  app.post(url, { ...options, schema: registerDescription, onRequest: open }, register)
  app.options(url, { schema: { hide: true } }, async (_request, reply) => reply.headers(preflight).code(204).send())
  refuseOtherMethods(app, url, ['POST', 'OPTIONS'])

  const own = `${url}/:clientInternalId`
  const read = answer(async (found) => ({
    status: 200,
    registration: await readRegistration(services, found.asked, managerOf(found)),
  }))
  const replace = answer(async (found) => ({
    status: 200,
    registration: await replaceRegistration(services, found.asked, managerOf(found), readBody(found.request)),
  }))
  const remove = answer(async (found) => {
    await deleteRegistration(services, found.asked, managerOf(found))
    return { status: 204, registration: null }
  })
  app.get(own, { ...options, schema: readDescription }, read)
  app.put(own, { ...options, schema: replaceDescription }, replace)
  app.delete(own, { ...options, schema: deleteDescription }, remove)
  refuseOtherMethods(app, own, ['GET', 'PUT', 'DELETE'])
}

interface Try {
  asked: Asked
  request: FastifyRequest
  token: string | null
}

type Work = (found: Try) => Promise<{ status: number; registration: Registration | null }>

/** Limits, does, answers, and remembers who was refused. */
async function answerTry(
  services: Services,
  kit: PageKit,
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work,
): Promise<FastifyReply> {
  const realm = await kit.findOpenRealm(request)
  const asked = { realm, origin: originOf(request) }
  const token = bearerOf(request)
  const address = request.clientIp ?? ''
  const limit = await admitTry(services, realm.realmId, address, token === null)
  if (!limit.allowed) {
    reply.header('retry-after', String(limit.retryAfterSeconds))
    return sendError(
      reply,
      429,
      'temporarily_unavailable',
      'Too many registrations from this address; try again later.',
    )
  }
  try {
    const { status, registration } = await work({ asked, request, token })
    reply.code(status).header('cache-control', 'no-store')
    if (!registration) return await reply.send()
    const members = await describeRegistration(services, realm, registration)
    return await reply.type('application/json; charset=utf-8').send(JSON.stringify(members))
  } catch (error) {
    const fault = faultOf(error)
    if (!fault) throw error
    if (token !== null) await countFailure(services, realm.realmId, address)
    await recordRejection(services, asked, fault)
    return sendFault(reply, fault, token !== null)
  }
}

/** RFC 6750 section 2.1, which the RFCs of registration demand. Null without one; another scheme is no token either. */
function bearerOf({ headers }: FastifyRequest): string | null {
  return /^bearer +([\w.~+/=-]{1,255})$/i.exec(headers.authorization ?? '')?.[1] ?? null
}

function managerOf({ request, token }: Try): Manager {
  return { clientUuid: (request.params as { clientInternalId: string }).clientInternalId, token }
}

function readBody(request: FastifyRequest): unknown {
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new DomainError('unsupported_media_type', 'Send the metadata as application/json.')
  }
  return request.body ?? {}
}
