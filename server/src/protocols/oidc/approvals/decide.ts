import type { FastifyReply } from 'fastify'
import { readConsent } from '../../../domain/consents/index.ts'
import { lookSection } from '../../../domain/settings/index.ts'
import { renderAnsweredPage, renderApprovalPage } from '../../../pages/approvals/index.ts'
import { localeOf, sendPage } from '../../../pages/visits/index.ts'
import { runRead } from '../../../platform/db/index.ts'
import { DomainError } from '../../../platform/errors/index.ts'
import { originOf } from '../../../platform/http/index.ts'
import { approveRequest, refuseRequest } from './answer.ts'
import { toldScopes } from '../told-scopes.ts'
import { claimNames, readAsked } from './asked.ts'
import type { WaitingKind } from './models.ts'
import { judge, signInFor, type Visitor } from './visitor.ts'
import type { WaitingRequest } from './waiting-request.ts'

/** Where the page of a request is, and what its form sends along. */
export interface Address {
  action: string
  /** Leads back here after a sign-in. */
  path: string
  userCode: string | null
}

/** Shows the request, or takes the answer that was sent with it. */
export async function decide(visitor: Visitor, request: WaitingRequest, address: Address): Promise<FastifyReply> {
  const { decision } = visitor.form
  const who = { session: visitor.session, origin: originOf(visitor.visit.request) }
  if (decision === 'switch') return signInFor(visitor, request, address.path, { level: 1, fresh: true })
  if (decision === 'deny') {
    const isFirst = await refuseRequest(visitor.services, request, who)
    return showEnd(visitor, request.kind, isFirst ? 'denied' : 'ended', request)
  }
  const strength = judge(visitor, request)
  if (!strength.enough && strength.unreachable) {
    await refuseRequest(visitor.services, request, who, unreachable)
    return showEnd(visitor, request.kind, 'denied', request)
  }
  if (!strength.enough) return signInFor(visitor, request, address.path, strength)
  if (decision === undefined) return showRequest(visitor, request, address)
  if (decision !== 'allow') throw new DomainError('validation_failed', 'decision is allow, deny or switch.')
  const isFirst = await approveRequest(visitor.services, request, { ...who, acr: strength.acr })
  return showEnd(visitor, request.kind, isFirst ? 'approved' : 'ended', request)
}

const unreachable = {
  error: 'unmet_authentication_requirements',
  errorDescription: 'the requested authentication class cannot be reached',
}

async function showRequest(visitor: Visitor, request: WaitingRequest, address: Address): Promise<FastifyReply> {
  const { services, visit, session, issuer } = visitor
  const { client, kind, params, place } = request
  const [look, locale, before] = await Promise.all([
    visit.realm.section(lookSection),
    localeOf(visit),
    runRead(() => readConsent(services.db, issuer.realmId, session.userId, client.id)),
  ])
  const granted = new Set(before?.scopes ?? [])
  const asked = readAsked(request)
  const html = renderApprovalPage({
    realm: look,
    locale,
    csrf: visit.browser.csrf,
    action: address.action,
    kind,
    client: describeClient(client),
    username: session.username,
    userCode: address.userCode,
    bindingMessage: params.binding_message ?? null,
    place: { address: place.ip, userAgent: place.ua, at: request.createdAt },
    scopes: toldScopes(issuer, client, { ...asked, claims: claimNames(asked.claims) }).map((name) => {
      const scope = issuer.scopes.get(name)!
      return { name, text: scope.consentText ?? scope.description ?? name, isNew: !granted.has(name) }
    }),
    resources: asked.resources
      .filter((resource) => resource !== issuer.issuer)
      .map((resource) => ({ resource, scopes: asked.scopes })),
    expiresAt: request.expiresAt,
    now: services.clock.now(),
    fields: address.userCode === null ? {} : { user_code: address.userCode },
  })
  return sendPage(visit, html)
}

/** Nobody here looked at an application that came by itself; one that its document describes is known by the host of that. */
function describeClient({ clientId, name, settings, createdBy }: WaitingRequest['client']) {
  const host = createdBy === 'CIMD' ? new URL(clientId).host : null
  return { clientId, name, baseUrl: settings.baseUrl, host, selfRegistered: createdBy === 'DCR' }
}

export async function showEnd(
  { visit }: Visitor,
  kind: WaitingKind,
  outcome: 'approved' | 'denied' | 'ended',
  request: WaitingRequest | null,
): Promise<FastifyReply> {
  const [look, locale] = await Promise.all([visit.realm.section(lookSection), localeOf(visit)])
  const client = request && { clientId: request.client.clientId, name: request.client.name }
  const html = renderAnsweredPage({ realm: look, locale, kind, outcome, client })
  return sendPage(visit, html, { status: outcome === 'ended' ? 410 : 200 })
}
