import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asUser, type Context, openContext, type Services } from '../../domain/context/index.ts'
import {
  type Enrollment,
  enrollDevice,
  findEnrollment,
  proveEnrollment,
  startEnrollment,
} from '../../domain/devices/index.ts'
import { readDeviceToken } from '../../domain/messaging/push-tokens/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import { tellOfChange } from '../../domain/users/notices/index.ts'
import { renderEnrollPage } from '../../pages/devices/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import { frameOf, readVisit, sendPage } from '../../pages/visits/index.ts'
import { runTransaction } from '../../platform/db/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { originOf, readJsonBody, refuseOtherMethods } from '../../platform/http/index.ts'
import { enrollDescription, enrollPageDescription, startDescription } from './describe.ts'
import { bearerOf, EnrollmentInput, EnrollmentStart } from './input.ts'
import { admitTry, countFailure } from './limit.ts'
import { recordRefusal } from './refusals.ts'

// A key, a signature and a push token are a few kilobytes together.
const bodyLimitBytes = 16 * 1024

/** /device/enroll and /device/enroll/start. */
export function registerDevice(app: FastifyInstance, services: Services, kit: PageKit): void {
  const url = '/realms/:realm/device/enroll'
  const answer = (status: number, work: Work) => async (request: FastifyRequest, reply: FastifyReply) => {
    const realm = await kit.findOpenRealm(request)
    const body = await admit({ services, realm, request, reply }, work)
    return reply.code(status).header('cache-control', 'no-store').send(body)
  }
  const limits = { bodyLimit: bodyLimitBytes }
  app.post(`${url}/start`, { ...limits, schema: startDescription }, answer(200, start))
  refuseOtherMethods(app, `${url}/start`, ['POST'])
  app.post(url, { ...limits, schema: enrollDescription }, answer(201, enroll))
  const config = { renderError: kit.renderError }
  app.get(url, { config, schema: enrollPageDescription }, async (request, reply) =>
    showPage(services, await kit.findOpenRealm(request), request, reply),
  )
  refuseOtherMethods(app, url, ['GET', 'POST'])
}

interface Call {
  services: Services
  realm: RealmSnapshot
  request: FastifyRequest
  reply: FastifyReply
}

type Work = (call: Call, enrollment: Enrollment) => Promise<object>

/** Limits, finds what the token opens, and remembers who was refused. */
async function admit(call: Call, work: Work): Promise<object> {
  const { services, realm, request, reply } = call
  const address = request.clientIp ?? ''
  await admitTry(services, realm.realmId, address)
  const token = bearerOf(request)
  let enrollment: Enrollment | null = null
  try {
    enrollment = await findEnrollment(services, realm.realmId, token)
    return await work(call, enrollment)
  } catch (error) {
    if (!(error instanceof DomainError) || error.status >= 500) throw error
    await countFailure(services, realm.realmId, address)
    if (enrollment) await recordRefusal(services, realm.realmId, originOf(request), { enrollment, error })
    if (error.status === 401) {
      reply.header('www-authenticate', token === null ? 'Bearer' : 'Bearer error="invalid_token"')
    }
    throw error
  }
}

async function start(call: Call, enrollment: Enrollment): Promise<object> {
  const input = readJsonBody(EnrollmentStart, call.request)
  return inTransaction(call, enrollment, (ctx) => startEnrollment(ctx, enrollment, input))
}

async function enroll(call: Call, enrollment: Enrollment): Promise<object> {
  const { driver, pushToken, ...sent } = readJsonBody(EnrollmentInput, call.request)
  const push = readDeviceToken(driver, pushToken)
  const proved = await proveEnrollment(enrollment, sent)
  return inTransaction(call, enrollment, async (ctx) => {
    const device = await enrollDevice(ctx, proved, push)
    await tellOfChange(ctx, device.userId, 'DEVICE_ADDED', { about: device.deviceName })
    return device
  })
}

/** The person acts themselves: whoever has the token is them. */
function inTransaction<T>(
  { services, realm: { realmId }, request }: Call,
  { user_id: id, username }: Enrollment,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const from = { realmId, actor: asUser(realmId, { id, username }), origin: originOf(request) }
  return runTransaction(services.db, (transaction) => work(openContext(services, transaction, from)))
}

/** For whoever opens the address in a browser. The token is in the fragment, which does not come here. */
async function showPage(services: Services, realm: RealmSnapshot, request: FastifyRequest, reply: FastifyReply) {
  const visit = readVisit(services, realm, request, reply)
  const frame = await frameOf(visit, null)
  return sendPage(visit, renderEnrollPage({ realm: frame.realm, locale: frame.locale }))
}
