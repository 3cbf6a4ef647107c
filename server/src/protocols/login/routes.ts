import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import { staleForm } from '../../domain/sessions/index.ts'
import {
  advanceSignIn,
  beginStepUp,
  type Continuation,
  firstPage,
  openArrival,
  openContinuation,
  readWaitState,
  type StepError,
} from '../../domain/sign-in/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import {
  answerSignIn,
  findSession,
  isForeignForm,
  readForm,
  readVisit,
  requestOf,
  sendStepPage,
  type Visit,
  wantsHtml,
} from '../../pages/visits/index.ts'
import { originOf, refuseOtherMethods } from '../../platform/http/index.ts'
import { loginDescription, loginPageDescription, logoutDescription, waitingDescription } from './describe.ts'
import { registerLinks } from './links.ts'
import { logout } from './logout.ts'
import { readRedirect } from './redirect.ts'

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

  const waitingUrl = `${url}/waiting`
  app.get(waitingUrl, { config, schema: waitingDescription }, async (request, reply) => {
    const visit = readVisit(services, await kit.findOpenRealm(request), request, reply)
    const { signIn } = request.query as { signIn?: unknown }
    const asked = await requestOf(visit, {}, typeof signIn === 'string' ? signIn : null)
    return reply.header('cache-control', 'no-store').send({ state: await readWaitState(services, asked) })
  })
  refuseOtherMethods(app, waitingUrl, ['GET'])

  const logoutUrl = `${url}/logout`
  app.post(logoutUrl, { config, schema: logoutDescription }, async (request, reply) => {
    const realm = await kit.findOpenRealm(request)
    return logout(services, realm, request, reply)
  })
  refuseOtherMethods(app, logoutUrl, ['POST'])
  registerLinks(app, services, kit)
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
    ? {
        kind: 'REDIRECT',
        path: arrival.path,
        level: arrival.level,
        ...(arrival.leadsTo === undefined ? {} : { leadsTo: arrival.leadsTo }),
        ...(arrival.clientId === undefined ? {} : { clientId: arrival.clientId }),
      }
    : {
        kind: 'REDIRECT',
        path: readRedirect(services.config.baseUrl, query.redirect, `/console/${realm.realmId}/`),
      }
  const visit = readVisit(services, realm, request, reply, continuation)
  const isStepUp = arrival !== null && !arrival.fresh && arrival.level > 1
  const stepUp = isStepUp ? await stepUpOf(visit) : null
  if (stepUp) return answerSignIn(visit, stepUp)
  return showFirstPage(visit, { username: arrival?.username ?? '', error: null, status: 200 })
}

/** Somebody whose session proves too little is asked only for what is missing. This alone keeps a row on a GET: they are known. */
async function stepUpOf(visit: Visit) {
  const session = await findSession(visit)
  return session ? beginStepUp(visit.services, await requestOf(visit, {}, null), session) : null
}

async function showFirstPage(
  visit: Visit,
  { username, error, status }: { username: string; error: StepError | null; status: number },
): Promise<FastifyReply> {
  const { services, realm, browser, request, continuation } = visit
  const origin = originOf(request)
  const about = { origin, browserSecret: browser.secret, continuation, username, error }
  return sendStepPage(visit, await firstPage(services, realm, about), { signInId: null, status })
}

async function submitLogin(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = readForm(request)
  const asked = readVisit(services, realm, request, reply)
  const continuation = openContinuation(services, realm.realmId, asked.browser.secret, form.continuation)
  const visit = continuation ? { ...asked, continuation } : asked
  if (isForeignForm(visit, form)) return refuseForm(visit)
  const signInId = form.signIn ?? form.challengeId ?? null
  const result = await advanceSignIn(services, await requestOf(visit, form, signInId))
  if (result.kind === 'PAGE' && result.signInId === null && result.page.page === 'LOGIN' && wantsHtml(request))
    return showFirstPage(visit, { username: '', error: 'expired', status: 401 })
  return answerSignIn(visit, result)
}

/** Somebody who signed in in another tab meanwhile gets the form again, with the token of now and the same way to go on. */
function refuseForm(visit: Visit): Promise<FastifyReply> {
  if (!wantsHtml(visit.request)) throw staleForm()
  return showFirstPage(visit, { username: '', error: 'expired', status: 403 })
}
