import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import { type Approval, confirmQr, readQr, scanQr, toQrRequest } from '../../domain/device-approvals/index.ts'
import { renderQrConfirmPage } from '../../pages/approvals/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import {
  type ApproverVisit,
  askToSignIn,
  describeQuestion,
  readApprover,
  runAsApprover,
  sendAnsweredPage,
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
    return visit.isPerson ? sendAnsweredPage(visit, 'qr', approval) : reply.send(toQrRequest(approval))
  })
  refuseOtherMethods(app, `${url}/confirm`, ['POST'])
}

const idOf = (request: FastifyRequest) => (request.params as { id: string }).id

async function showPage(from: ApproverVisit, approval: Approval, status: 200 | 400): Promise<FastifyReply> {
  if (approval.status !== 'SCANNED') return sendAnsweredPage(from, 'qr', approval)
  const { visit } = from
  const html = renderQrConfirmPage({
    ...(await describeQuestion(from, approval)),
    action: `/realms/${visit.realm.realmId}/qr/${approval.id}/confirm`,
    needsCode: approval.number !== null,
    codeMissing: status === 400,
  })
  return sendPage(visit, html, { status })
}
