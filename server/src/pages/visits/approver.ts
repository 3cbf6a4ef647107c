import type { FastifyReply, FastifyRequest } from 'fastify'
import { openContext, asUser, type Context, type Services } from '../../domain/context/index.ts'
import type { Approver } from '../../domain/device-approvals/index.ts'
import { authenticateDevice } from '../../domain/devices/index.ts'
import { setCookies, staleForm } from '../../domain/sessions/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import { runTransaction } from '../../platform/db/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { originOf } from '../../platform/http/index.ts'
import { isForeignForm, readForm } from './form.ts'
import { findSession, sendToSignIn } from './session.ts'
import { readVisit, type Visit, wantsHtml } from './visit.ts'

/** Somebody who answers a question of another screen: with their session here, or by a device of theirs. */
export interface ApproverVisit {
  approver: Approver
  visit: Visit
  /** Whether they look at pages; programs get JSON. */
  isPerson: boolean
}

/** Null for somebody with a browser who has to sign in first. Writes of a session must be our own form or carry its token. */
export async function readApprover(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ApproverVisit | null> {
  reply.header('cache-control', 'no-store')
  const visit = readVisit(services, realm, request, reply)
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const sent = { authorization, method: request.method, url: request.url }
    const device = await authenticateDevice(services, realm.realmId, sent)
    if (!device) throw refuseCaller(reply)
    return { approver: { ...device, sessionId: null, proofs: [] }, visit, isPerson: false }
  }
  const isPerson = wantsHtml(request)
  const session = await findSession(visit)
  if (!session && isPerson) return null
  if (!session) throw refuseCaller(reply)
  if (request.method === 'POST' && isForeignForm(visit, readForm(request))) throw staleForm()
  if (session.impersonatorId !== null)
    throw new DomainError('forbidden', 'Whoever acts for somebody else cannot answer in their name.')
  if (!isPerson && request.method === 'GET') setCookies(reply, visit.browser.cookies)
  const { userId, username, sessionId, proofs } = session
  return { approver: { userId, username, sessionId, proofs, deviceId: null }, visit, isPerson }
}

function refuseCaller(reply: FastifyReply): DomainError {
  reply.header('www-authenticate', 'DeviceKey')
  return new DomainError('unauthenticated', 'Sign in, or send a DeviceKey header signed by an enrolled device.')
}

/** To the sign-in page and back to the question. */
export function askToSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { realm } = request.params as { realm: string }
  // An answer cannot be sent again by a link, so it leads to its page.
  const page = request.method === 'GET' ? request.url : request.url.replace(/\/[a-z]+$/, '')
  return sendToSignIn(reply, realm, page)
}

/** Runs an answer as the person who gives it. */
export function runAsApprover<T>({ approver, visit }: ApproverVisit, work: (ctx: Context) => Promise<T>): Promise<T> {
  const { services, realm, request } = visit
  const actor = asUser(realm.realmId, { id: approver.userId, ...approver })
  return runTransaction(services.db, (transaction) =>
    work(openContext(services, transaction, { realmId: realm.realmId, actor, origin: originOf(request) })),
  )
}
