import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import { hasProvider } from '../../domain/messaging/index.ts'
import { peekToken } from '../../domain/one-time-secrets/index.ts'
import { settingsSection } from '../../domain/settings/index.ts'
import { beginFromLink, resetPlace, sendResetJob } from '../../domain/sign-in/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import { renderMailSentPage, renderResetPasswordPage } from '../../pages/self-service/index.ts'
import {
  answerSignIn,
  type Form,
  frameOf,
  limitSelfService,
  readForm,
  readVisit,
  refuseForeignForm,
  requestOf,
  sendLinkPage,
  sendPage,
  type Visit,
} from '../../pages/visits/index.ts'
import { runTransaction } from '../../platform/db/index.ts'
import { DomainError, notFound } from '../../platform/errors/index.ts'
import { refuseOtherMethods } from '../../platform/http/index.ts'
import { resetDescription, resetPageDescription } from './describe.ts'

const kind = 'RESET_PASSWORD'
const maxNameLength = 255

export function registerResetPassword(app: FastifyInstance, services: Services, kit: PageKit): void {
  const url = '/realms/:realm/reset-password'
  const config = { renderError: kit.renderError }
  app.get(url, { config, schema: resetPageDescription }, async (request, reply) => {
    const visit = readVisit(services, await kit.findOpenRealm(request), request, reply)
    await assertOffered(visit)
    const { token } = request.query as { token?: unknown }
    return typeof token === 'string' ? showLink(visit, token) : showForm(visit, null)
  })
  app.post(url, { config, schema: resetDescription }, async (request, reply) => {
    const visit = readVisit(services, await kit.findOpenRealm(request), request, reply)
    await assertOffered(visit)
    const form = readForm(request)
    refuseForeignForm(visit, form)
    return form.token === undefined ? askForLink(visit, form) : takeLink(visit, form.token)
  })
  refuseOtherMethods(app, url, ['GET', 'POST'])
}

async function assertOffered({ realm }: Visit): Promise<void> {
  const { resetPasswordAllowed } = await realm.section(settingsSection)
  if (!resetPasswordAllowed) throw notFound()
  if (!(await hasProvider(realm, 'EMAIL')))
    throw new DomainError('no_provider', 'This realm cannot send mail yet. Ask its administrator for help.')
}

async function showForm(visit: Visit, error: 'usernameMissing' | null): Promise<FastifyReply> {
  const { realm, locale, csrf } = await frameOf(visit, null)
  const action = `/realms/${visit.realm.realmId}/reset-password`
  const html = renderResetPasswordPage({ realm, locale, csrf, action, username: '', error })
  return sendPage(visit, html, { status: error ? 400 : 200 })
}

/** Only a job finds out whose name it is, so that asking looks and costs the same for every name. */
async function askForLink(visit: Visit, form: Form): Promise<FastifyReply> {
  const { services, realm } = visit
  await limitSelfService(visit)
  const name = (form.username ?? '').trim().slice(0, maxNameLength)
  if (name === '') return showForm(visit, 'usernameMissing')
  const nameSealed = services.sealer.seal(name, resetPlace(realm.realmId)).toString('base64url')
  const { realmId } = realm
  await runTransaction(services.db, ({ tx }) =>
    services.jobs.enqueue(tx, sendResetJob, { realmId, nameSealed }, { group: realmId }),
  )
  const frame = await frameOf(visit, null)
  const loginHref = `/realms/${realm.realmId}/login`
  return sendPage(visit, renderMailSentPage({ realm: frame.realm, locale: frame.locale, kind: 'RESET', loginHref }))
}

async function showLink(visit: Visit, token: string): Promise<FastifyReply> {
  const secret = await peekToken(visit.services, visit.realm.realmId, kind, token)
  return sendLinkPage(visit, secret ? { kind, state: 'CONFIRM', token } : { kind, state: 'EXPIRED', token: null })
}

async function takeLink(visit: Visit, token: string): Promise<FastifyReply> {
  const result = await beginFromLink(visit.services, await requestOf(visit, {}, null), { purpose: kind, token })
  if (result.kind === 'PAGE' && result.signInId === null)
    return sendLinkPage(visit, { kind, state: 'EXPIRED', token: null })
  return answerSignIn(visit, result)
}
