import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readProtocolClient } from '../../domain/clients/index.ts'
import { readConsent, recordConsent } from '../../domain/consents/index.ts'
import { openContext, type Services } from '../../domain/context/index.ts'
import {
  type AuthenticatedSession,
  isOwnForm,
  readBrowser,
  sessionActor,
  setCookies,
  staleForm,
} from '../../domain/sessions/index.ts'
import { sealArrival } from '../../domain/sign-in/index.ts'
import { lookSection } from '../../domain/settings/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import { modelId, modelPart, readModel } from '../../domain/tokens/index.ts'
import { type ClientSource, describeSource, pageHeaders, renderConsentPage } from '../../pages/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import { findSession } from '../../pages/visits/index.ts'
import { runRead, runTogether, runTransaction } from '../../platform/db/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { originOf, refuseOtherMethods } from '../../platform/http/index.ts'
import { consentDescription, consentPageDescription } from './describe-consent.ts'
import { findIssuer, type Issuer } from './issuer.ts'
import { toldScopes } from './told-scopes.ts'
import type { Payload } from './unit.ts'

/** A request of an application that waits for this person's answer. */
interface Question {
  issuer: Issuer
  session: AuthenticatedSession
  uid: string
  payload: Payload
  expiresAt: number
  params: Record<string, string | undefined>
  client: NonNullable<Awaited<ReturnType<typeof readProtocolClient>>>
}

/** The consent page of a request: which application asks, for what, and the answer (contract 4.5b, S34). */
export function registerConsent(app: FastifyInstance, services: Services, kit: PageKit): void {
  const url = '/realms/:realm/consent/:uid'
  const config = { renderError: kit.renderError }
  app.get(url, { config, schema: consentPageDescription }, async (request, reply) => {
    const realm = await kit.findOpenRealm(request)
    return showConsent(services, realm, await findQuestion(services, realm, request), request, reply)
  })
  app.post(url, { config, schema: consentDescription }, async (request, reply) => {
    const realm = await kit.findOpenRealm(request)
    const form = (request.body ?? {}) as Record<string, string | undefined>
    const browser = readBrowser(services, request, realm.realmId)
    if (!isOwnForm(services, request, browser.csrf, form._csrf)) throw staleForm()
    const question = await findQuestion(services, realm, request)
    const location = await answerQuestion(services, question, request, form.decision)
    return reply.code(303).header('cache-control', 'no-store').header('location', location).send()
  })
  refuseOtherMethods(app, url, ['GET', 'POST'])
}

const gone = () => new DomainError('not_found', 'This request has ended. Start again at the application.')

/** Only in the browser where the request began, and only by the person it began with. */
async function findQuestion(services: Services, realm: RealmSnapshot, request: FastifyRequest): Promise<Question> {
  const { uid } = request.params as { uid: string }
  const issuer = await findIssuer(services, realm)
  if (request.cookies[issuer.provider.cookieName('interaction')] !== uid) throw gone()
  const row = await runRead(() => readModel(services.db, realm.realmId, modelId('Interaction', uid)))
  if (!row || row.expires_at <= services.clock.now()) throw gone()
  const payload = row.payload as Payload
  const browser = readBrowser(services, request, realm.realmId)
  const session = await findSession({ services, realm, browser })
  const prompt = payload.prompt as { name: string }
  if (!session || prompt.name !== 'consent') throw gone()
  if (session.impersonatorId !== null) {
    throw new DomainError('forbidden', 'Whoever acts for somebody else cannot consent in their name.')
  }
  const known = payload.session as { accountId?: string } | undefined
  if (known?.accountId !== session.userId) throw gone()
  const params = payload.params as Question['params']
  const client = await runRead(() => readProtocolClient(services, realm.realmId, params.client_id ?? ''))
  if (!client?.enabled) throw gone()
  return { issuer, session, uid, payload, expiresAt: row.expires_at, params, client }
}

interface Asked {
  missingOIDCClaims?: string[]
  missingResourceScopes?: Record<string, string[]>
}

/** What the application gets with a yes: all it asked for, also what it had before. */
function readAsked({ payload, params, issuer }: Question) {
  const details = (payload.prompt as { details: Asked }).details ?? {}
  const scopes = (params.scope ?? '').split(' ').filter((name) => issuer.scopes.has(name))
  const resources = Object.fromEntries(
    Object.entries(details.missingResourceScopes ?? {}).filter(([resource]) => resource !== issuer.issuer),
  )
  return {
    scopes,
    resources,
    claims: details.missingOIDCClaims ?? [],
  }
}

async function showConsent(
  services: Services,
  realm: RealmSnapshot,
  question: Question,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { client, session, params, issuer } = question
  const asked = readAsked(question)
  const [look, before] = await Promise.all([
    realm.section(lookSection),
    runRead(() => readConsent(services.db, realm.realmId, session.userId, client.id)),
  ])
  const granted = new Set(before?.scopes ?? [])
  const browser = readBrowser(services, request, realm.realmId)
  setCookies(reply, browser.cookies)
  const formAction = [params.redirect_uri ?? '', 'https:']
  return reply.headers(pageHeaders({ dataImages: look.usesDataImages, formAction })).send(
    renderConsentPage({
      realm: look,
      csrf: browser.csrf,
      action: `/realms/${realm.realmId}/consent/${question.uid}`,
      client: { clientId: client.clientId, name: client.name, baseUrl: client.settings.baseUrl },
      source: sourceOf(client, params.redirect_uri ?? ''),
      username: session.username,
      scopes: toldScopes(issuer, client, asked).map((name) => {
        const scope = issuer.scopes.get(name)!
        return { name, text: scope.consentText ?? scope.description ?? name, isNew: !granted.has(name) }
      }),
      resources: Object.entries(asked.resources).map(([resource, scopes]) => ({ resource, scopes })),
    }),
  )
}

/** Nobody here looked at an application that came by itself: people are told where it comes from and leads to. */
function sourceOf({ clientId, createdBy }: Question['client'], redirectUri: string): ClientSource | null {
  if (createdBy !== 'CIMD' && createdBy !== 'DCR') return null
  return describeSource({ clientId, isDocument: createdBy === 'CIMD' }, redirectUri)
}

async function answerQuestion(
  services: Services,
  question: Question,
  request: FastifyRequest,
  decision: string | undefined,
): Promise<string> {
  const { issuer, uid, session, client, params } = question
  const base = `/realms/${issuer.realmId}`
  const path = `${base}/authorize/${uid}`
  if (decision === 'switch') {
    const leadsTo = params.redirect_uri ?? ''
    const arrival = { path, leadsTo, username: '', clientId: client.clientId, level: 1 as const, fresh: true }
    return `${base}/login?arrival=${sealArrival(services, issuer.realmId, arrival)}`
  }
  const isAllowed = decision === 'allow'
  if (!isAllowed && decision !== 'deny') throw new DomainError('validation_failed', 'decision is allow or deny.')
  await runTransaction(services.db, async (work) => {
    const from = { realmId: issuer.realmId, actor: sessionActor(session), origin: originOf(request) }
    const ctx = openContext(services, work, from)
    const { scopes, claims, resources } = readAsked(question)
    if (isAllowed)
      await recordConsent(ctx, { userId: session.userId, clientUuid: client.id, scopes, claims, resources })
    const refusal = { error: 'access_denied', error_description: 'End-User refused the request' }
    const result = isAllowed ? { ...(question.payload.lastSubmission as object | undefined), consent: {} } : refusal
    await runTogether(work.tx, [modelPart(withResult(question, result, services.clock.now()))])
  })
  return path
}

function withResult({ issuer, uid, payload, expiresAt }: Question, result: object, now: number) {
  return {
    realmId: issuer.realmId,
    id: modelId('Interaction', uid),
    model: 'Interaction',
    payload: JSON.stringify({ ...payload, result }),
    grantId: null,
    userId: null,
    clientId: null,
    sessionId: null,
    offline: true,
    createdAt: now,
    expiresAt,
  }
}
