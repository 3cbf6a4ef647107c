import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openContext, type Services } from '../../domain/context/index.ts'
import {
  authenticateSession,
  clearSessionCookie,
  endSessions,
  xsrfCookie,
  anonymousCsrf,
  csrfToken,
  isOwnForm,
  readBrowser,
  sessionActor,
  setCookies,
  staleForm,
} from '../../domain/sessions/index.ts'
import { advanceSignIn, type Continuation, openArrival, openContinuation } from '../../domain/sign-in/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import { recordEvent } from '../../domain/events/index.ts'
import { runTransaction } from '../../platform/db/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { originOf, refuseOtherMethods } from '../../platform/http/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import { loginDescription, logoutDescription, loginPageDescription } from './describe.ts'
import { readRedirect } from './redirect.ts'
import { answerSignIn, sendStepPage, type Visit, wantsHtml, wantsJson } from './respond.ts'

type Form = Record<string, string | undefined>

export function registerLogin(app: FastifyInstance, services: Services, kit: PageKit): void {
  const url = '/realms/:realm/login'
  const config = { renderError: kit.renderError }
  app.get(url, { config, schema: loginPageDescription }, async (request, reply) => {
    const realm = await kit.findOpenRealm(request)
    return showLogin(services, realm, request, reply)
  })
  app.post(url, { config, schema: loginDescription }, async (request, reply) => {
    const realm = await kit.findOpenRealm(request)
    return submitLogin(services, realm, request, reply)
  })
  refuseOtherMethods(app, url, ['GET', 'POST'])

  const logoutUrl = `${url}/logout`
  app.post(logoutUrl, { config, schema: logoutDescription }, async (request, reply) => {
    const realm = await kit.findOpenRealm(request)
    return logout(services, realm, request, reply)
  })
  refuseOtherMethods(app, logoutUrl, ['POST'])
}

async function showLogin(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = request.query as { redirect?: unknown; arrival?: unknown }
  const arrival = openArrival(services, realm.realmId, query.arrival)
  const continuation: Continuation = arrival
    ? { kind: 'REDIRECT', path: arrival.path, leadsTo: arrival.leadsTo }
    : {
        kind: 'REDIRECT',
        path: readRedirect(services.config.baseUrl, query.redirect, `/console/${realm.realmId}/`),
      }
  const browser = readBrowser(services, request, realm.realmId)
  const visit: Visit = { services, realm, browser, request, reply, continuation }
  const page = { page: 'LOGIN' as const, username: arrival?.username ?? '', error: null }
  return sendStepPage(visit, page, { signInId: null, status: 200 })
}

async function submitLogin(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = formOf(request)
  const browser = readBrowser(services, request, realm.realmId)
  const header = request.headers['x-xsrf-token']
  const sent = form._csrf ?? (typeof header === 'string' ? header : undefined)
  const fallback = { kind: 'REDIRECT' as const, path: `/console/${realm.realmId}/` }
  const continuation = openContinuation(services, realm.realmId, browser.secret, form.continuation) ?? fallback
  const visit: Visit = { services, realm, browser, request, reply, continuation }
  if (!isOwnForm(services, request, browser.csrf, sent)) return refuseForm(visit)
  const result = await advanceSignIn(services, {
    realm,
    origin: originOf(request),
    browserSecret: browser.secret,
    signInId: form.signIn ?? form.challengeId ?? null,
    continuation,
    input: form,
    previousSessionToken: browser.sessionToken,
  })
  return answerSignIn(visit, result)
}

/** Somebody who signed in in another tab meanwhile gets the form again, with the token of now and the same way to go on. */
function refuseForm(visit: Visit): Promise<FastifyReply> {
  if (!wantsHtml(visit.request)) throw staleForm()
  return sendStepPage(visit, { page: 'LOGIN', username: '', error: 'expired' }, { signInId: null, status: 403 })
}

/** Form and JSON bodies alike; only text members count. */
function formOf(request: FastifyRequest): Form {
  const body = request.body
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  const entries = Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'boolean' ? String(value) : value,
  ])
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string')) as Form
}

async function logout(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const browser = readBrowser(services, request, realm.realmId)
  const header = request.headers['x-xsrf-token']
  const sent = formOf(request)._csrf ?? (typeof header === 'string' ? header : undefined)
  if (!isOwnForm(services, request, browser.csrf, sent)) throw staleForm()
  if (browser.sessionToken) await endOwnSession(services, realm, request, browser.sessionToken)
  const { secure } = services.config
  const anonymous = anonymousCsrf(secure, {})
  // A new anonymous secret: the CSRF token rotates at logout.
  setCookies(reply, [
    clearSessionCookie(secure, realm.realmId),
    anonymous.cookie!,
    xsrfCookie(secure, csrfToken(anonymous.secret)),
  ])
  reply.header('cache-control', 'no-store')
  if (wantsJson(request)) return reply.code(204).send()
  return reply.code(303).header('location', `/realms/${realm.realmId}/login`).send()
}

async function endOwnSession(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  token: string,
): Promise<void> {
  const outcome = await authenticateSession(services, realm.realmId, token, null)
  if (outcome.realm === 'UNKNOWN') throw new DomainError('realm_not_found', 'There is no realm of this name.')
  const { session } = outcome
  if (!session) return
  await runTransaction(services.db, async (work) => {
    const { sessionId } = session
    const from = { realmId: realm.realmId, actor: sessionActor(session), origin: originOf(request) }
    const ctx = openContext(services, work, from)
    await endSessions(ctx, { id: sessionId })
    await recordEvent(ctx, { type: 'LOGOUT', outcome: 'SUCCESS', sessionId })
  })
}
