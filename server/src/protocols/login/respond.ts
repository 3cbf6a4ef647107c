import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import { type Browser, csrfToken, sessionCookie, setCookies, xsrfCookie } from '../../domain/sessions/index.ts'
import { lookSection, settingsSection } from '../../domain/settings/index.ts'
import { type Continuation, sealContinuation, type SignInResult, type StepPage } from '../../domain/sign-in/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import { type LoginError, pageHeaders, renderLoginPage, renderUpdatePasswordPage } from '../../pages/index.ts'
import { DomainError } from '../../platform/errors/index.ts'

export interface Visit {
  services: Services
  realm: RealmSnapshot
  browser: Browser
  request: FastifyRequest
  reply: FastifyReply
  continuation: Continuation
}

export function wantsJson(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('application/json')
}

/** Browsers ask for HTML; programs that say nothing get a problem they can read. */
export function wantsHtml(request: FastifyRequest): boolean {
  return !wantsJson(request) && (request.headers.accept ?? '').includes('text/html')
}

/** Answers a step of the sign-in in the caller's dialect: a page, or JSON for programs. */
export async function answerSignIn(asked: Visit, result: SignInResult): Promise<FastifyReply> {
  if (result.kind === 'SIGNED_IN') return answerSignedIn(asked, result)
  if (result.kind === 'LEAVE') return asked.reply.code(303).header('location', result.url).send()
  const visit = result.continuation ? { ...asked, continuation: result.continuation } : asked
  if (wantsJson(visit.request)) return answerJsonStep(visit, result)
  const status = result.kind === 'PAGE' && result.failed ? statusOf(result.page, result.retryAfterSeconds) : 200
  if (result.kind === 'PAGE' && result.retryAfterSeconds)
    visit.reply.header('retry-after', String(result.retryAfterSeconds))
  const retryAfterSeconds = result.kind === 'PAGE' ? result.retryAfterSeconds : undefined
  return sendStepPage(visit, result.page, { signInId: result.signInId, status, retryAfterSeconds })
}

function statusOf(page: StepPage, retryAfterSeconds?: number): number {
  if (retryAfterSeconds !== undefined) return 429
  return page.page === 'LOGIN' ? 401 : 400
}

function answerSignedIn(
  { services, realm, request, reply }: Visit,
  result: Extract<SignInResult, { kind: 'SIGNED_IN' }>,
): FastifyReply {
  const { secure } = services.config
  const { signedIn, continuation } = result
  setCookies(reply, [
    sessionCookie(secure, realm.realmId, signedIn.token, signedIn.rememberMe ? signedIn.maxSeconds : null),
    xsrfCookie(secure, csrfToken(signedIn.token)),
  ])
  reply.header('cache-control', 'no-store')
  if (wantsJson(request)) {
    const { userId, username, expiresAt } = signedIn
    return reply.code(200).send({ userId, username, realmId: realm.realmId, expiresAt, mfaRequired: false })
  }
  return reply.code(303).header('location', continuation.path).send()
}

function answerJsonStep(
  { browser, reply }: Visit,
  result: Extract<SignInResult, { kind: 'PAGE' | 'WAIT' }>,
): FastifyReply {
  const { page } = result
  setCookies(reply, browser.cookies)
  if (page.page === 'LOGIN') {
    if (result.kind === 'PAGE' && result.retryAfterSeconds !== undefined) {
      throw new DomainError('rate_limited', 'Too many failed sign-ins. Wait a little.', {
        retryAfterSeconds: result.retryAfterSeconds,
      })
    }
    const missing = page.error === 'usernameMissing' ? 'username' : page.error === 'passwordMissing' ? 'password' : null
    if (missing) {
      throw new DomainError('validation_failed', `${missing} is missing.`, {
        fields: [{ field: missing, code: 'required', message: 'This member is required.' }],
      })
    }
    throw new DomainError(
      'unauthenticated',
      page.error === 'expired' ? 'This sign-in has ended. Start again.' : 'The username or the password is not right.',
    )
  }
  const failed = result.kind === 'PAGE' && result.failed && page.errors.length > 0
  if (failed) throw new DomainError('validation_failed', 'The new password is refused.', { fields: page.errors })
  return reply
    .code(200)
    .header('cache-control', 'no-store')
    .send({ mfaRequired: false, challengeId: result.signInId, requiredAction: page.page, rules: page.rules })
}

export interface PageAnswer {
  status: number
  /** Null while no sign-in has begun. */
  signInId: string | null
  retryAfterSeconds?: number | undefined
}

/** A page of the sign-in under the realm's look. */
export async function sendStepPage(visit: Visit, page: StepPage, answer: PageAnswer): Promise<FastifyReply> {
  const { services, realm, browser, reply } = visit
  const { status, signInId, retryAfterSeconds } = answer
  const [look, settings] = await Promise.all([realm.section(lookSection), realm.section(settingsSection)])
  const action = `/realms/${realm.realmId}/login`
  setCookies(reply, browser.cookies)
  const { leadsTo } = visit.continuation
  // The form ends at the application, whose own redirects the browser counts as the form's; those are https addresses.
  const formAction = leadsTo === undefined ? [] : [leadsTo, 'https:']
  reply.code(status).headers(pageHeaders({ dataImages: look.usesDataImages, formAction }))
  if (page.page === 'UPDATE_PASSWORD') {
    const { username, rules, errors } = page
    return reply.send(
      renderUpdatePasswordPage({ realm: look, csrf: browser.csrf, action, signInId, username, rules, errors }),
    )
  }
  return reply.send(
    renderLoginPage({
      realm: look,
      csrf: browser.csrf,
      action,
      continuation: sealContinuation(services, realm.realmId, browser.secret, visit.continuation),
      signInId,
      username: page.username,
      rememberMe: { offered: settings.rememberMe },
      // Offered once their pages exist.
      resetPasswordAllowed: false,
      registrationAllowed: false,
      loginWithEmail: settings.loginWithEmail,
      error: page.error === null ? null : (`login.error.${page.error}` as LoginError),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    }),
  )
}
