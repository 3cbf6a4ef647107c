import type { FastifyInstance, FastifyReply } from 'fastify'
import { issuerOf, type Services } from '../../../domain/context/index.ts'
import { lookSection } from '../../../domain/settings/index.ts'
import {
  formatUserCode,
  renderQrSvg,
  renderUserCodePage,
  type UserCodeProblem,
} from '../../../pages/approvals/index.ts'
import type { PageKit } from '../../../pages/page-kit.ts'
import { localeOf, sendPage, sendToSignIn } from '../../../pages/visits/index.ts'
import { fieldError } from '../../../platform/errors/index.ts'
import { refuseOtherMethods } from '../../../platform/http/index.ts'
import { decide, showEnd } from './decide.ts'
import {
  approvalDescription,
  approvalPageDescription,
  deviceDescription,
  devicePageDescription,
  qrDescription,
} from './describe.ts'
import { normalizeUserCode } from './device-codes.ts'
import { tryUserCode } from './user-codes.ts'
import { readVisitor, type Visitor } from './visitor.ts'
import { findWaiting, readApprovalId } from './waiting-request.ts'

/** The pages on which people answer (contract 4.5b, 4.27): `/device` for a code, `/approve/{id}` for a request they were told of. */
export function registerApprovals(app: FastifyInstance, services: Services, kit: PageKit): void {
  registerDevice(app, services, kit)
  registerApprove(app, services, kit)
}

function registerDevice(app: FastifyInstance, services: Services, kit: PageKit): void {
  const url = '/realms/:realm/device'
  const config = { renderError: kit.renderError }
  for (const [method, schema] of [
    ['GET', devicePageDescription],
    ['POST', deviceDescription],
  ] as const) {
    app.route({
      ...{ method, url, config, schema },
      handler: async (request, reply) => {
        const realm = await kit.findOpenRealm(request)
        const visitor = await readVisitor(services, realm, request, reply)
        const sent = (request.query as { user_code?: unknown }).user_code ?? visitor?.form.user_code
        const userCode = typeof sent === 'string' ? normalizeUserCode(sent).slice(0, codeLength) : ''
        const here = pathOf(realm.realmId, userCode)
        if (!visitor) return sendToSignIn(reply, realm.realmId, here)
        if (userCode === '') return showCodePage(visitor, '', method === 'POST' ? 'missing' : null)
        const found = await tryUserCode(visitor, userCode)
        if (typeof found === 'string') return showCodePage(visitor, userCode, problems[found])
        if ('retryAfterSeconds' in found) return showCodePage(visitor, userCode, 'limited', found.retryAfterSeconds)
        const action = `/realms/${realm.realmId}/device`
        return decide(visitor, found, { action, path: here, userCode: formatUserCode(userCode) })
      },
    })
  }
  refuseOtherMethods(app, url, ['GET', 'POST'])
  registerQr(app, services, kit)
}

const codeLength = 8
const pathOf = (realmId: string, userCode: string) =>
  `/realms/${realmId}/device${userCode === '' ? '' : `?user_code=${formatUserCode(userCode)}`}`

const problems = { UNKNOWN: 'unknown', EXPIRED: 'expired', ANSWERED: 'used' } as const
const statuses: Record<UserCodeProblem, number> = { missing: 400, unknown: 400, expired: 400, used: 400, limited: 429 }

async function showCodePage(
  { visit, session }: Visitor,
  userCode: string,
  problem: UserCodeProblem | null,
  retryAfterSeconds?: number,
): Promise<FastifyReply> {
  const [look, locale] = await Promise.all([visit.realm.section(lookSection), localeOf(visit)])
  const html = renderUserCodePage({
    realm: look,
    locale,
    csrf: visit.browser.csrf,
    action: `/realms/${visit.realm.realmId}/device`,
    userCode,
    problem,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    username: session.username,
  })
  if (retryAfterSeconds !== undefined) visit.reply.header('retry-after', String(retryAfterSeconds))
  return sendPage(visit, html, { status: problem === null ? 200 : statuses[problem] })
}

/** A picture of the address with the code, so that a device with a screen needs no library for it. It tells nothing but what was sent. */
function registerQr(app: FastifyInstance, services: Services, kit: PageKit): void {
  const url = '/realms/:realm/device/qr.svg'
  app.get(url, { schema: qrDescription, config: { renderError: kit.renderError } }, async (request, reply) => {
    const realm = await kit.findOpenRealm(request)
    const sent = (request.query as { user_code?: unknown }).user_code
    const userCode = typeof sent === 'string' ? normalizeUserCode(sent) : ''
    if (userCode.length !== codeLength) throw fieldError('user_code', 'user_code has 8 letters.')
    const text = `${issuerOf(services, realm.realmId)}/device?user_code=${formatUserCode(userCode)}`
    return reply
      .headers({ 'cache-control': 'public, max-age=600', 'access-control-allow-origin': '*' })
      .headers({ 'cross-origin-resource-policy': 'cross-origin', 'content-security-policy': "default-src 'none'" })
      .type('image/svg+xml; charset=utf-8')
      .send(renderQrSvg(text))
  })
  refuseOtherMethods(app, url, ['GET'])
}

function registerApprove(app: FastifyInstance, services: Services, kit: PageKit): void {
  const url = '/realms/:realm/approve/:id'
  const config = { renderError: kit.renderError }
  for (const [method, schema] of [
    ['GET', approvalPageDescription],
    ['POST', approvalDescription],
  ] as const) {
    app.route({
      ...{ method, url, config, schema },
      handler: async (request, reply) => {
        const realm = await kit.findOpenRealm(request)
        const { id } = request.params as { id: string }
        const here = `/realms/${realm.realmId}/approve/${encodeURIComponent(id)}`
        const visitor = await readVisitor(services, realm, request, reply)
        if (!visitor) return sendToSignIn(reply, realm.realmId, here)
        const key = readApprovalId(id)
        const found = key ? await findWaiting(services, visitor.issuer, key) : 'UNKNOWN'
        // Whoever was not asked learns no more than that there is nothing for them; a device is answered by its code alone.
        const isTheirs = typeof found === 'object' && found.kind === 'ciba' && found.userId === visitor.session.userId
        if (!isTheirs) return showEnd(visitor, 'ciba', 'ended', null)
        return decide(visitor, found, { action: here, path: here, userCode: null })
      },
    })
  }
  refuseOtherMethods(app, url, ['GET', 'POST'])
}
