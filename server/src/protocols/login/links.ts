import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import { peekToken, type Purpose, type StoredSecret } from '../../domain/one-time-secrets/index.ts'
import { advanceSignIn, beginFromLink, findContinuation } from '../../domain/sign-in/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import {
  answerSignIn,
  readForm,
  readVisit,
  refuseForeignForm,
  requestOf,
  sendLinkPage,
  type Visit,
} from '../../pages/visits/index.ts'
import { refuseOtherMethods } from '../../platform/http/index.ts'
import { linkDescription, linkPageDescription } from './describe.ts'

/** Where mailed links of the sign-in lead: one that signs in, one to actions an administrator asks for. */
export function registerLinks(app: FastifyInstance, services: Services, kit: PageKit): void {
  const config = { renderError: kit.renderError }
  const links = [
    { url: '/realms/:realm/login/link', purpose: 'MAGIC_LINK', use: useMagicLink },
    { url: '/realms/:realm/login/actions', purpose: 'ACTIONS', use: useActionsLink },
  ] as const
  for (const { url, purpose, use } of links) {
    // Looking at a link never uses it: scanners of mail open every link there is.
    app.get(url, { config, schema: linkPageDescription }, async (request, reply) => {
      const visit = readVisit(services, await kit.findOpenRealm(request), request, reply)
      const { token } = request.query as { token?: unknown }
      return showLink(visit, purpose, typeof token === 'string' ? token : '')
    })
    app.post(url, { config, schema: linkDescription }, async (request, reply) => {
      const visit = readVisit(services, await kit.findOpenRealm(request), request, reply)
      const form = readForm(request)
      refuseForeignForm(visit, form)
      return use(visit, form.token ?? '')
    })
    refuseOtherMethods(app, url, ['GET', 'POST'])
  }
}

async function showLink(visit: Visit, purpose: Purpose & ('MAGIC_LINK' | 'ACTIONS'), token: string) {
  const secret = await peekToken(visit.services, visit.realm.realmId, purpose, token)
  if (!secret) return sendLinkPage(visit, { kind: purpose, state: 'EXPIRED', token: null })
  const { actions } = secret.details as { actions?: string[] }
  const onwards = purpose === 'ACTIONS' ? towardsApplication(visit, secret) : await backToSignIn(visit, secret)
  return sendLinkPage(onwards, { kind: purpose, state: 'CONFIRM', token, ...(actions ? { actions } : {}) })
}

/** The form may end at the application, so its page has to allow that address. */
function towardsApplication(visit: Visit, secret: StoredSecret): Visit {
  const { redirectUri } = secret.details as { redirectUri?: string }
  if (!redirectUri) return visit
  return { ...visit, continuation: { ...visit.continuation, path: redirectUri, leadsTo: redirectUri } }
}

async function backToSignIn(visit: Visit, { boundTo }: StoredSecret): Promise<Visit> {
  const continuation = await findContinuation(visit.services, await requestOf(visit, {}, boundTo))
  return continuation ? { ...visit, continuation } : visit
}

async function useMagicLink(visit: Visit, token: string): Promise<FastifyReply> {
  const { services, realm } = visit
  const secret = await peekToken(services, realm.realmId, 'MAGIC_LINK', token)
  if (!secret?.boundTo) return sendLinkPage(visit, { kind: 'MAGIC_LINK', state: 'EXPIRED', token: null })
  const result = await advanceSignIn(services, await requestOf(visit, { linkToken: token }, secret.boundTo))
  // The sign-in is another browser's: nothing was used, the link still works there.
  if (result.kind === 'PAGE' && result.signInId === null)
    return sendLinkPage(visit, { kind: 'MAGIC_LINK', state: 'OTHER_BROWSER', token: null })
  return answerSignIn(visit, result)
}

async function useActionsLink(visit: Visit, token: string): Promise<FastifyReply> {
  const { services, realm } = visit
  const secret = await peekToken(services, realm.realmId, 'ACTIONS', token)
  if (!secret) return sendLinkPage(visit, { kind: 'ACTIONS', state: 'EXPIRED', token: null })
  const onwards = towardsApplication(visit, secret)
  const request = await requestOf(onwards, {}, null)
  const result = await beginFromLink(services, request, { purpose: 'ACTIONS', token })
  if (result.kind === 'PAGE' && result.signInId === null)
    return sendLinkPage(visit, { kind: 'ACTIONS', state: 'EXPIRED', token: null })
  return answerSignIn(onwards, result)
}
