import type { FastifyReply } from 'fastify'
import {
  clearImpersonationCookie,
  csrfToken,
  deviceCookie,
  sessionCookie,
  setCookies,
  xsrfCookie,
} from '../../domain/sessions/index.ts'
import type { SignInResult, StepPage } from '../../domain/sign-in/index.ts'
import { renderStepPage, stepPageUsesScript, stepPageWaits } from '../sign-in/index.ts'
import { answerJsonStep } from './answer-json.ts'
import { frameOf, sendPage, type Visit, wantsJson } from './visit.ts'

/** Answers a step of the sign-in in the caller's dialect: a page, or JSON for programs. */
export async function answerSignIn(asked: Visit, result: SignInResult): Promise<FastifyReply> {
  if (result.kind === 'SIGNED_IN') return answerSignedIn(asked, result)
  if (result.kind === 'LEAVE') return asked.reply.code(303).header('location', result.url).send()
  const visit = result.continuation ? { ...asked, continuation: result.continuation } : asked
  if (wantsJson(visit.request)) return answerJsonStep(visit, result)
  const retryAfterSeconds = result.kind === 'PAGE' ? result.retryAfterSeconds : undefined
  const status = result.kind === 'PAGE' && result.failed ? statusOf(result.page, retryAfterSeconds) : 200
  if (retryAfterSeconds) visit.reply.header('retry-after', String(retryAfterSeconds))
  const pollSeconds = result.kind === 'WAIT' ? result.pollSeconds : undefined
  return sendStepPage(visit, result.page, { signInId: result.signInId, status, retryAfterSeconds, pollSeconds })
}

const withoutCredentials = new Set(['UPDATE_PASSWORD', 'UPDATE_PROFILE', 'TERMS', 'CONFIGURE_RECOVERY_CODES'])

function statusOf({ page }: StepPage, retryAfterSeconds?: number): number {
  if (retryAfterSeconds !== undefined) return 429
  if (page === 'DENIED') return 403
  return withoutCredentials.has(page) ? 400 : 401
}

function answerSignedIn(
  { services, realm, request, reply }: Visit,
  { signedIn, continuation }: Extract<SignInResult, { kind: 'SIGNED_IN' }>,
): FastifyReply {
  const { secure } = services.config
  const { trustedDevice, rememberMe, maxSeconds } = signedIn
  setCookies(reply, [
    sessionCookie(secure, realm.realmId, signedIn.token, rememberMe ? maxSeconds : null),
    xsrfCookie(secure, csrfToken(signedIn.token)),
    ...(request.acting ? [clearImpersonationCookie(secure, realm.realmId)] : []),
    ...(trustedDevice
      ? [
          deviceCookie(
            secure,
            realm.realmId,
            trustedDevice.token,
            (trustedDevice.expiresAt - services.clock.now()) / 1000,
          ),
        ]
      : []),
  ])
  reply.header('cache-control', 'no-store')
  if (wantsJson(request)) {
    const { userId, username, expiresAt } = signedIn
    return reply.code(200).send({ userId, username, realmId: realm.realmId, expiresAt, mfaRequired: false })
  }
  return reply.code(303).header('location', continuation.path).send()
}

export interface PageAnswer {
  status: number
  /** Null while no sign-in has begun. */
  signInId: string | null
  retryAfterSeconds?: number | undefined
  /** Of a page that waits for another device. */
  pollSeconds?: number | undefined
}

/** A page of the sign-in under the realm's look. */
export async function sendStepPage(visit: Visit, page: StepPage, answer: PageAnswer): Promise<FastifyReply> {
  const { status, signInId, retryAfterSeconds, pollSeconds } = answer
  const frame = await frameOf(visit, signInId)
  const waiting = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  const polling = pollSeconds === undefined ? {} : { pollSeconds }
  const html = renderStepPage({ ...frame, ...waiting, ...polling }, page)
  return sendPage(visit, html, { status, script: stepPageUsesScript(page), connects: stepPageWaits(page) })
}
