import type { FastifyInstance, FastifyReply } from 'fastify'
import { anonymous, openContext, type Services } from '../../domain/context/index.ts'
import { recordEvent } from '../../domain/events/index.ts'
import { peekToken, useToken } from '../../domain/one-time-secrets/index.ts'
import { markEmailVerified } from '../../domain/sign-in/index.ts'
import { confirmNewEmail } from '../../domain/users/change-email/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import { readForm, readVisit, refuseForeignForm, sendLinkPage, type Visit } from '../../pages/visits/index.ts'
import { runTransaction } from '../../platform/db/index.ts'
import { originOf, refuseOtherMethods } from '../../platform/http/index.ts'
import { verifyDescription, verifyPageDescription } from './describe.ts'

const kind = 'VERIFY_EMAIL'

export function registerVerifyEmail(app: FastifyInstance, services: Services, kit: PageKit): void {
  const url = '/realms/:realm/verify-email'
  const config = { renderError: kit.renderError }
  app.get(url, { config, schema: verifyPageDescription }, async (request, reply) => {
    const visit = readVisit(services, await kit.findOpenRealm(request), request, reply)
    const { token } = request.query as { token?: unknown }
    const text = typeof token === 'string' ? token : ''
    const { realmId } = visit.realm
    const secret =
      (await peekToken(services, realmId, kind, text)) ?? (await peekToken(services, realmId, 'CHANGE_EMAIL', text))
    return sendLinkPage(
      visit,
      secret ? { kind, state: 'CONFIRM', token: text } : { kind, state: 'EXPIRED', token: null },
    )
  })
  app.post(url, { config, schema: verifyDescription }, async (request, reply) => {
    const visit = readVisit(services, await kit.findOpenRealm(request), request, reply)
    const form = readForm(request)
    refuseForeignForm(visit, form)
    return verify(visit, form.token ?? '')
  })
  refuseOtherMethods(app, url, ['GET', 'POST'])
}

async function verify(visit: Visit, token: string): Promise<FastifyReply> {
  const { services, realm, request } = visit
  const proved = await runTransaction(services.db, async (work) => {
    const from = { realmId: realm.realmId, actor: anonymous(), origin: originOf(request) }
    const ctx = openContext(services, work, from)
    const secret = await useToken(ctx, kind, token)
    // The link of an address that takes the place of the one before looks the same.
    if (!secret) return confirmNewEmail(ctx, token)
    if (!secret.sealed) return false
    const resourceId = secret.subject
    if (!(await markEmailVerified(ctx.tx, ctx.realmId, resourceId, secret.sealed, ctx.now))) return false
    await recordEvent(ctx, { type: 'EMAIL_VERIFIED', outcome: 'SUCCESS', resourceType: 'users', resourceId })
    return true
  })
  return sendLinkPage(visit, { kind, state: proved ? 'DONE' : 'EXPIRED', token: null })
}
