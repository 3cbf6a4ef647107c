import type { FastifyReply, FastifyRequest } from 'fastify'
import { readProtocolClient } from '../../domain/clients/index.ts'
import { issuerOf, type Services } from '../../domain/context/index.ts'
import { type AuthenticatedSession, sessionActor, staleForm } from '../../domain/sessions/index.ts'
import { lookSection } from '../../domain/settings/index.ts'
import { sealArrival } from '../../domain/sign-in/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import {
  answerTransactionAs,
  listChoices,
  readOwnTransaction,
  type SignInput,
  signPath,
  type Transaction,
} from '../../domain/transactions/index.ts'
import {
  type PageMethod,
  renderSignPage,
  renderTransactionEndedPage,
  type SignProblem,
} from '../../pages/transactions/index.ts'
import {
  findSession,
  type Form,
  isForeignForm,
  localeOf,
  readForm,
  readVisit,
  sendPage,
  sendToSignIn,
  type Visit,
} from '../../pages/visits/index.ts'
import { runRead } from '../../platform/db/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { originOf } from '../../platform/http/index.ts'
import { SignForm } from './sign-form.ts'

interface Visitor {
  services: Services
  visit: Visit
  session: AuthenticatedSession
}

const idOf = (request: FastifyRequest) => (request.params as { id: string }).id

/** Null for somebody who is sent to sign in first; nothing is said of what waits until somebody is known. */
async function readVisitor(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visitor | null> {
  const visit = readVisit(services, realm, request, reply)
  const session = await findSession(visit)
  if (session && session.impersonatorId !== null) {
    throw new DomainError('forbidden', 'Whoever acts for somebody else cannot sign or reject in their name.')
  }
  return session && { services, visit, session }
}

export async function showSignPage(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visitor = await readVisitor(services, realm, request, reply)
  if (!visitor) return sendToSignIn(reply, realm.realmId, signPath(realm.realmId, encodeURIComponent(idOf(request))))
  return show(visitor, null, 200)
}

/** The answer of the page: a form of ours in the session that it was opened in. */
export async function answerSignPage(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visitor = await readVisitor(services, realm, request, reply)
  if (!visitor) return sendToSignIn(reply, realm.realmId, signPath(realm.realmId, encodeURIComponent(idOf(request))))
  const form = readForm(request)
  if (isForeignForm(visitor.visit, form)) throw staleForm()
  const { session } = visitor
  const sent = readAnswer(form)
  if ('problem' in sent) return show(visitor, sent.problem, 400)
  const signer = { actor: sessionActor(session), proofs: session.proofs, origin: originOf(request) }
  try {
    await answerTransactionAs(services, realm, { ...signer, reaches: () => true }, idOf(request), sent.input)
    return await show(visitor, null, 200)
  } catch (error) {
    const problem = problemOf(error, sent.input)
    if (problem === undefined) throw error
    if (problem?.kind === 'limited') reply.header('retry-after', String(problem.retryAfterSeconds))
    return show(visitor, problem, (error as DomainError).status)
  }
}

function readAnswer(form: Form): { input: SignInput } | { problem: SignProblem } {
  const { _csrf, passkeyChallenge: _challenge, ...members } = form
  const result = SignForm.safeParse(members)
  if (result.success) return { input: result.data }
  const { method } = form
  if (method === 'TOTP' || method === 'PASSWORD' || method === 'WEBAUTHN')
    return { problem: { kind: 'missing', method } }
  throw new DomainError('validation_failed', 'decision is APPROVE or REJECT, method WEBAUTHN, TOTP or PASSWORD.')
}

/** What the page itself can say; null when the state it shows says it all, undefined for what is an error page. */
function problemOf(error: unknown, { method }: SignInput): SignProblem | null | undefined {
  if (!(error instanceof DomainError)) return undefined
  if (error.code === 'invalid_transition') return null
  if (error.code === 'rate_limited') return { kind: 'limited', retryAfterSeconds: error.retryAfterSeconds ?? 1 }
  if (error.code === 'unauthenticated' && method !== undefined && method !== 'DEVICE') return { kind: 'wrong', method }
  return undefined
}

/** The transaction as it stands now: to be answered, or how it ended. */
async function show(visitor: Visitor, problem: SignProblem | null, status: number): Promise<FastifyReply> {
  const { services, visit, session } = visitor
  const { realm } = visit
  const transaction = await readOwnTransaction(services, realm.realmId, session.userId, idOf(visit.request))
  const [look, locale, client] = await Promise.all([
    realm.section(lookSection),
    localeOf(visit),
    runRead(() => readProtocolClient(services, realm.realmId, transaction.clientId)),
  ])
  const page = { realm: look, locale, client: { clientId: transaction.clientId, name: client?.name ?? null } }
  if (transaction.status !== 'PENDING') {
    const html = renderTransactionEndedPage({ ...page, status: transaction.status, title: transaction.title })
    return sendPage(visit, html, { status: transaction.status === 'EXPIRED' ? 410 : status })
  }
  const choices = await listChoices(services, realm, transaction, session.proofs)
  const { neededLevel, passkeyOptions } = choices
  const action = signPath(realm.realmId, transaction.id)
  const html = renderSignPage({
    ...{ ...page, csrf: visit.browser.csrf, action, username: session.username, transaction, problem, passkeyOptions },
    now: services.clock.now(),
    methods: choices.methods.filter((method): method is PageMethod => method !== 'DEVICE'),
    strongerHref: neededLevel === null ? null : strongerSignIn(visitor, transaction, action, neededLevel),
  })
  return sendPage(visit, html, { status, script: passkeyOptions !== null })
}

/** To a sign-in with what is missing, and back. Nobody is sent there unasked: it might not be in their reach. */
function strongerSignIn(
  { services, visit }: Visitor,
  { clientId }: Transaction,
  path: string,
  level: 1 | 2 | 3,
): string {
  const { realmId } = visit.realm
  const arrival = { path, leadsTo: issuerOf(services, realmId), username: '', clientId, level, fresh: false }
  return `/realms/${realmId}/login?arrival=${sealArrival(services, realmId, arrival)}`
}
