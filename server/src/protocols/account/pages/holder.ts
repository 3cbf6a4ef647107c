import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context, Services, UserActor } from '../../../domain/context/index.ts'
import {
  type AuthenticatedSession,
  authenticateSession,
  sessionActor,
  staleForm,
} from '../../../domain/sessions/index.ts'
import type { RealmSnapshot } from '../../../domain/snapshot/index.ts'
import { type AccountFrame, readNotice } from '../../../pages/account/index.ts'
import { type Form, frameOf, isForeignForm, readForm, readVisit, type Visit } from '../../../pages/visits/index.ts'
import { runRead, runTransaction, type Tx, type Work } from '../../../platform/db/index.ts'
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
  const token = visit.browser.sessionToken
  const outcome = token ? await authenticateSession(services, realm.realmId, token, null) : null
  const session = outcome?.realm === 'ENABLED' ? outcome.session : null
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

/** A change, in one transaction and in the person's own name. */
export function change<T>(account: AccountVisit, work: (ctx: Context) => Promise<T>): Promise<T> {
  return runTransaction(account.services.db, (transaction) => work(contextFor(account, transaction)))
}

/** Single statements that change nothing. */
export function look<T>(account: AccountVisit, work: (ctx: Context) => Promise<T>): Promise<T> {
  const pool: Work = { tx: account.services.db as unknown as Tx, afterCommit: (effect) => effect() }
  return runRead(() => work(contextFor(account, pool)))
}

function contextFor({ services, visit, holder }: AccountVisit, work: Work): Context {
  const { realm, request } = visit
  const nothing = { params: {}, query: undefined, body: undefined }
  return contextOf({ services, realm, holder, origin: originOf(request), ...nothing }, work)
}
