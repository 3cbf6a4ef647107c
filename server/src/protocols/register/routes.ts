import type { FastifyInstance, FastifyReply } from 'fastify'
import { anonymous, openContext, type Context, type Services } from '../../domain/context/index.ts'
import { hasProvider } from '../../domain/messaging/index.ts'
import { peekToken } from '../../domain/one-time-secrets/index.ts'
import { describePolicy } from '../../domain/passwords/index.ts'
import { settingsSection } from '../../domain/settings/index.ts'
import { beginFromLink } from '../../domain/sign-in/index.ts'
import { completeRegistration, requestRegistration } from '../../domain/users/registration/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import { renderMailSentPage, renderRegisterPage } from '../../pages/self-service/index.ts'
import {
  answerSignIn,
  type Form,
  frameOf,
  limitSelfService,
  localeOf,
  readForm,
  readVisit,
  refuseForeignForm,
  requestOf,
  sendLinkPage,
  sendPage,
  type Visit,
} from '../../pages/visits/index.ts'
import { runTransaction } from '../../platform/db/index.ts'
import { DomainError, type FieldError, notFound } from '../../platform/errors/index.ts'
import { originOf, refuseOtherMethods } from '../../platform/http/index.ts'
import { checkRegistration, type Entries, readEntries } from './check.ts'
import { registerDescription, registerPageDescription } from './describe.ts'

const kind = 'REGISTER'

export function registerRegistration(app: FastifyInstance, services: Services, kit: PageKit): void {
  const url = '/realms/:realm/register'
  const config = { renderError: kit.renderError }
  app.get(url, { config, schema: registerPageDescription }, async (request, reply) => {
    const visit = readVisit(services, await kit.findOpenRealm(request), request, reply)
    await assertOffered(visit)
    const { token } = request.query as { token?: unknown }
    if (typeof token === 'string') return showLink(visit, token)
    return showForm(visit, { email: '', firstName: '', lastName: '' }, [])
  })
  app.post(url, { config, schema: registerDescription }, async (request, reply) => {
    const visit = readVisit(services, await kit.findOpenRealm(request), request, reply)
    await assertOffered(visit)
    const form = readForm(request)
    refuseForeignForm(visit, form)
    return form.token === undefined ? submit(visit, form) : finish(visit, form.token)
  })
  refuseOtherMethods(app, url, ['GET', 'POST'])
}

async function assertOffered({ realm }: Visit): Promise<void> {
  const { registrationAllowed } = await realm.section(settingsSection)
  if (!registrationAllowed) throw notFound()
  if (!(await hasProvider(realm, 'EMAIL')))
    throw new DomainError('no_provider', 'This realm cannot send mail yet, so nobody can register.')
}

async function showForm(visit: Visit, values: Entries, errors: FieldError[]): Promise<FastifyReply> {
  const { realm, locale, csrf } = await frameOf(visit, null)
  const { passwordPolicy, termsUrl } = await visit.realm.section(settingsSection)
  const action = `/realms/${visit.realm.realmId}/register`
  const { email, firstName, lastName } = values
  const page = { values: { email, firstName, lastName }, rules: describePolicy(passwordPolicy), errors, termsUrl }
  const html = renderRegisterPage({ realm, locale, csrf, action, error: null, ...page })
  return sendPage(visit, html, { status: errors.length > 0 ? 400 : 200 })
}

async function submit(visit: Visit, form: Form): Promise<FastifyReply> {
  const { services, realm } = visit
  await limitSelfService(visit)
  const settings = await realm.section(settingsSection)
  const entries = readEntries(form)
  const errors = await checkRegistration(services, settings, form, entries)
  if (errors.length > 0) return showForm(visit, entries, errors)
  // Hashed for a taken address, too: the time tells nothing.
  const passwordHash = await services.passwords.hash(form.newPassword!, settings.passwordPolicy)
  const locale = await localeOf(visit)
  const { secret: browserSecret } = visit.browser
  const registration = { ...entries, passwordHash, locale, termsAccepted: form.accept === 'true', browserSecret }
  await inTransaction(visit, (ctx) => requestRegistration(ctx, registration))
  const frame = await frameOf(visit, null)
  const loginHref = `/realms/${realm.realmId}/login`
  return sendPage(visit, renderMailSentPage({ realm: frame.realm, locale: frame.locale, kind, loginHref }))
}

async function showLink(visit: Visit, token: string): Promise<FastifyReply> {
  const secret = await peekToken(visit.services, visit.realm.realmId, kind, token)
  return sendLinkPage(visit, secret ? { kind, state: 'CONFIRM', token } : { kind, state: 'EXPIRED', token: null })
}

async function finish(visit: Visit, token: string): Promise<FastifyReply> {
  const made = await inTransaction(visit, (ctx) => completeRegistration(ctx, token, visit.browser.secret))
  if (!made?.passwordToken) return sendLinkPage(visit, { kind, state: made ? 'DONE' : 'EXPIRED', token: null })
  // In another browser than the form was filled in: whoever has the mailbox chooses the password.
  const link = { purpose: 'RESET_PASSWORD', token: made.passwordToken } as const
  return answerSignIn(visit, await beginFromLink(visit.services, await requestOf(visit, {}, null), link))
}

function inTransaction<T>({ services, realm, request }: Visit, work: (ctx: Context) => Promise<T>): Promise<T> {
  const from = { realmId: realm.realmId, actor: anonymous(), origin: originOf(request) }
  return runTransaction(services.db, (transaction) => work(openContext(services, transaction, from)))
}
