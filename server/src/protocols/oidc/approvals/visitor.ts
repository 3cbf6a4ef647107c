import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../../domain/context/index.ts'
import { type AuthenticatedSession, staleForm } from '../../../domain/sessions/index.ts'
import { sealArrival } from '../../../domain/sign-in/index.ts'
import type { RealmSnapshot } from '../../../domain/snapshot/index.ts'
import { findSession, isForeignForm, readForm, readVisit, type Visit } from '../../../pages/visits/index.ts'
import { DomainError } from '../../../platform/errors/index.ts'
import { findIssuer, type Issuer } from '../issuer.ts'
import { judgeSession } from './asked.ts'
import type { WaitingRequest } from './waiting-request.ts'

/** Somebody who is signed in and answers a request. */
export interface Visitor {
  services: Services
  visit: Visit
  issuer: Issuer
  session: AuthenticatedSession
  form: Record<string, string | undefined>
}

/** Null for somebody who is sent to sign in first. Forms must be our own. */
export async function readVisitor(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visitor | null> {
  const visit = readVisit(services, realm, request, reply)
  const session = await findSession(visit)
  if (!session) return null
  const form = request.method === 'POST' ? readForm(request) : {}
  if (request.method === 'POST' && isForeignForm(visit, form)) throw staleForm()
  if (session.impersonatorId !== null) {
    throw new DomainError('forbidden', 'Whoever acts for somebody else cannot answer requests in their name.')
  }
  return { services, visit, issuer: await findIssuer(services, realm), session, form }
}

export function redirect(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(303).header('cache-control', 'no-store').header('location', location).send()
}

/** Asks the person for what this request needs of them, or to come as somebody else; then back to it. */
export function signInFor(
  { services, issuer, visit }: Visitor,
  request: WaitingRequest,
  path: string,
  need: { level: 1 | 2 | 3; fresh: boolean },
): FastifyReply {
  const { realmId } = issuer
  const leadsTo = issuer.issuer
  const arrival = { path, leadsTo, username: '', clientId: request.client.clientId, ...need }
  return redirect(visit.reply, `/realms/${realmId}/login?arrival=${sealArrival(services, realmId, arrival)}`)
}

/** How the session of this person stands to what the application wants. */
export function judge({ services, session }: Visitor, request: WaitingRequest) {
  return judgeSession(request, session, services.clock.now())
}
