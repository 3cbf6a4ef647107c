import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context, Services, UserActor } from '../../../domain/context/index.ts'
import { type AuthenticatedSession, sessionActor, staleForm } from '../../../domain/sessions/index.ts'
import type { RealmSnapshot } from '../../../domain/snapshot/index.ts'
import { loadUser, type User } from '../../../domain/users/index.ts'
import { type AccountFrame, readNotice } from '../../../pages/account/index.ts'
import {
  findSession,
  type Form,
  frameOf,
  isForeignForm,
  readForm,
  readVisit,
  type Visit,
} from '../../../pages/visits/index.ts'
import { runRead, runTransaction, type Work, workOnPool } from '../../../platform/db/index.ts'
import { originOf } from '../../../platform/http/index.ts'
import { refuseImpersonator } from '../caller.ts'
import { contextOf } from '../route.ts'

/** Somebody at a page of their own account. */
export interface AccountVisit {
  services: Services
  visit: Visit
  session: AuthenticatedSession
  holder: UserActor
  query: Readonly<Record<string, unknown>>
  form: Form
  frame: AccountFrame
}

/**
 * Null for somebody who has to sign in first. A form must be ours, from this browser (S38), and comes from the person alone:
 * whoever acts for them looks and changes nothing (S9).
 */
export async function readAccountVisit(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AccountVisit | null> {
  reply.header('cache-control', 'no-store')
  const visit = readVisit(services, realm, request, reply)
  const session = await findSession(visit)
  if (!session) return null
  const isWrite = request.method === 'POST'
  const form = isWrite ? readForm(request) : {}
  if (isWrite && isForeignForm(visit, form)) throw staleForm()
  const holder = sessionActor(session)
  if (isWrite) refuseImpersonator(holder)
  const query = (request.query ?? {}) as Record<string, unknown>
  const frame = await buildFrame(services, visit, session, query)
  return { services, visit, session, holder, query, form, frame }
}

async function buildFrame(
  services: Services,
  visit: Visit,
  session: AuthenticatedSession,
  query: Readonly<Record<string, unknown>>,
): Promise<AccountFrame> {
  const { realm, locale, csrf } = await frameOf(visit, null)
  const home = `/realms/${visit.realm.realmId}`
  return {
    ...{ realm, locale, csrf },
    base: `${home}/account`,
    logoutAction: `${home}/login/logout`,
    readOnly: session.impersonatorId !== null,
    username: session.username,
    notice: readNotice(query.done),
    now: services.clock.now(),
  }
}

/** The person as they are recorded now. */
export async function readUser(account: AccountVisit): Promise<User> {
  return (await look(account, (ctx) => loadUser(ctx, account.holder.userId, false))).record
}

/** A change, in one transaction and in the person's own name. */
export function change<T>(account: AccountVisit, work: (ctx: Context) => Promise<T>): Promise<T> {
  return runTransaction(account.services.db, (transaction) => work(contextFor(account, transaction)))
}

/** Single statements that change nothing. */
export function look<T>(account: AccountVisit, work: (ctx: Context) => Promise<T>): Promise<T> {
  return runRead(() => work(contextFor(account, workOnPool(account.services.db))))
}

function contextFor({ services, visit, holder }: AccountVisit, work: Work): Context {
  const { realm, request } = visit
  const nothing = { params: {}, query: undefined, body: undefined }
  return contextOf({ services, realm, holder, origin: originOf(request), ...nothing }, work)
}
