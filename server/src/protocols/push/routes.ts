import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Services } from '../../domain/context/index.ts'
import {
  type Approval,
  type ApprovalAnswer,
  answerApproval,
  listPendingApprovals,
  maySayYes,
  readForPerson,
  toPushRequest,
} from '../../domain/device-approvals/index.ts'
import { renderPushPage } from '../../pages/approvals/index.ts'
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
import { Approve, approveDescription, Deny, denyDescription, listDescription, readDescription } from './describe.ts'

export function registerPush(app: FastifyInstance, services: Services, kit: PageKit): void {
  const url = '/realms/:realm/push'
  const config = { renderError: kit.renderError }
  const visitOf = async (request: FastifyRequest, reply: FastifyReply) =>
    readApprover(services, await kit.findOpenRealm(request), request, reply)

  app.get(url, { config, schema: listDescription }, async (request, reply) => {
    const visit = await visitOf(request, reply)
    if (!visit) return askToSignIn(request, reply)
    const { approver } = visit
    const asked = await listPendingApprovals(services, visit.visit.realm.realmId, approver.userId)
    return reply.send(asked.map(toPushRequest))
  })
  refuseOtherMethods(app, url, ['GET'])

  app.get(`${url}/:id`, { config, schema: readDescription }, async (request, reply) => {
    const visit = await visitOf(request, reply)
    if (!visit) return askToSignIn(request, reply)
    const approval = await runAsApprover(visit, (ctx) => readForPerson(ctx, visit.approver, idOf(request)))
    return visit.isPerson ? showPage(visit, approval) : reply.send(toPushRequest(approval))
  })
  refuseOtherMethods(app, `${url}/:id`, ['GET'])

  registerAnswer(`${url}/:id/approve`, approveDescription, Approve, ({ number, deviceId, signature }) => ({
    decision: 'APPROVE',
    ...{ number, deviceId, signature },
  }))
  registerAnswer(`${url}/:id/deny`, denyDescription, Deny, ({ reason, deviceId, signature }) => ({
    decision: 'DENY',
    ...{ fraud: reason === 'FRAUD', deviceId, signature },
  }))

  function registerAnswer<Sent>(
    at: string,
    schema: object,
    body: z.ZodType<Sent>,
    toAnswer: (sent: Sent) => ApprovalAnswer,
  ): void {
    app.post(at, { config, schema }, async (request, reply) => {
      const visit = await visitOf(request, reply)
      if (!visit) return askToSignIn(request, reply)
      const answer = toAnswer(validate(body, request.body ?? {}))
      const approval = await runAsApprover(visit, (ctx) => answerApproval(ctx, visit.approver, idOf(request), answer))
      return visit.isPerson ? sendAnsweredPage(visit, 'push', approval) : reply.send(toPushRequest(approval))
    })
    refuseOtherMethods(app, at, ['POST'])
  }
}

const idOf = (request: FastifyRequest) => (request.params as { id: string }).id

async function showPage(from: ApproverVisit, approval: Approval): Promise<FastifyReply> {
  if (approval.status !== 'PENDING') return sendAnsweredPage(from, 'push', approval)
  const { visit, approver } = from
  const here = `/realms/${visit.realm.realmId}/push/${approval.id}`
  const html = renderPushPage({
    ...(await describeQuestion(from, approval)),
    approveAction: `${here}/approve`,
    denyAction: `${here}/deny`,
    choices: approval.choices,
    needsDevice: !maySayYes(approver, approval),
  })
  return sendPage(visit, html)
}
