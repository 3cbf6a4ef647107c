import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import { type Approval, confirmQr, readQr, scanQr, toQrRequest } from '../../domain/device-approvals/index.ts'
import { lookSection } from '../../domain/settings/index.ts'
import { renderAnsweredPage, renderQrConfirmPage } from '../../pages/approvals/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import {
  type ApproverVisit,
  askToSignIn,
  localeOf,
  readApprover,
  runAsApprover,
  sendPage,
} from '../../pages/visits/index.ts'
import { refuseOtherMethods, validate } from '../../platform/http/index.ts'
import { Confirm, confirmDescription, readDescription } from './describe.ts'

export function registerQrConfirmation(app: FastifyInstance, services: Services, kit: PageKit): void {
  const url = '/realms/:realm/qr/:id'
  const config = { renderError: kit.renderError }
  const visitOf = async (request: FastifyRequest, reply: FastifyReply) =>
    readApprover(services, await kit.findOpenRealm(request), request, reply)

  app.get(url, { config, schema: readDescription }, async (request, reply) => {
    const visit = await visitOf(request, reply)
    if (!visit) return askToSignIn(request, reply)
    const approval = await runAsApprover(visit, (ctx) => scanQr(ctx, visit.approver, idOf(request)))
    return visit.isPerson ? showPage(visit, approval, 200) : reply.send(toQrRequest(approval))
  })
  refuseOtherMethods(app, url, ['GET'])

  app.post(`${url}/confirm`, { config, schema: confirmDescription }, async (request, reply) => {
    const visit = await visitOf(request, reply)
    if (!visit) return askToSignIn(request, reply)
    const { code, deviceId, signature } = validate(Confirm, request.body ?? {})
    // A field that was left empty is asked for again; the code stays as it is.
    if (visit.isPerson && code?.trim() === '') {
      const asked = await runAsApprover(visit, (ctx) => readQr(ctx, visit.approver, idOf(request)))
      return showPage(visit, asked, 400)
    }
    const answer = { code: code?.trim(), deviceId, signature }
    const approval = await runAsApprover(visit, (ctx) => confirmQr(ctx, visit.approver, idOf(request), answer))
    return visit.isPerson ? showEnd(visit, approval) : reply.send(toQrRequest(approval))
  })
  refuseOtherMethods(app, `${url}/confirm`, ['POST'])
}

const idOf = (request: FastifyRequest) => (request.params as { id: string }).id

async function showPage(from: ApproverVisit, approval: Approval, status: 200 | 400): Promise<FastifyReply> {
  if (approval.status !== 'SCANNED') return showEnd(from, approval)
  const { visit, approver } = from
  const [look, locale] = await Promise.all([visit.realm.section(lookSection), localeOf(visit)])
  const html = renderQrConfirmPage({
    realm: look,
    locale,
    csrf: visit.browser.csrf,
    action: `/realms/${visit.realm.realmId}/qr/${approval.id}/confirm`,
    client: approval.clientId === null ? null : { clientId: approval.clientId, name: approval.clientName },
    username: approver.username,
    needsCode: approval.number !== null,
    codeMissing: status === 400,
    place: { address: approval.sourceIp, userAgent: approval.userAgent, at: approval.createdAt },
    expiresAt: approval.expiresAt,
    now: visit.services.clock.now(),
  })
  return sendPage(visit, html, { status })
}

async function showEnd({ visit }: ApproverVisit, { status, clientId, clientName }: Approval): Promise<FastifyReply> {
  const [look, locale] = await Promise.all([visit.realm.section(lookSection), localeOf(visit)])
  const outcome = status === 'CONFIRMED' ? 'approved' : status === 'DENIED' ? 'denied' : 'ended'
  const client = clientId === null ? null : { clientId, name: clientName }
  const html = renderAnsweredPage({ realm: look, locale, kind: 'qr', outcome, client })
  return sendPage(visit, html, { status: outcome === 'ended' ? 410 : 200 })
}
