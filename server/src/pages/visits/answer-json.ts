import type { FastifyReply } from 'fastify'
import { setCookies } from '../../domain/sessions/index.ts'
import { credentialOf, type SignInResult, type StepError, type StepPage } from '../../domain/sign-in/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import type { Visit } from './visit.ts'

type Shown = Extract<SignInResult, { kind: 'PAGE' | 'WAIT' }>

/** The sign-in for programs: what is asked next as JSON, what was wrong as a problem (contract 4.3). */
export function answerJsonStep({ browser, reply }: Visit, result: Shown): FastifyReply {
  const { page } = result
  setCookies(reply, browser.cookies)
  if (result.kind === 'PAGE' && result.retryAfterSeconds !== undefined) {
    throw new DomainError('rate_limited', 'Too many failed sign-ins. Wait a little.', {
      retryAfterSeconds: result.retryAfterSeconds,
    })
  }
  if (page.page === 'DENIED') throw new DomainError('forbidden', 'This sign-in is not allowed.')
  if ('errors' in page && page.errors.length > 0)
    throw new DomainError('validation_failed', 'What was sent is refused.', { fields: page.errors })
  if ('error' in page && page.error !== null && !leavesOthers(page)) throw problemOf(page.error)
  return reply
    .code(200)
    .header('cache-control', 'no-store')
    .send({
      challengeId: result.signInId,
      ...describe(page),
      ...(result.kind === 'WAIT' ? { pollSeconds: result.pollSeconds } : {}),
    })
}

/** Whoever had somebody's devices asked too often must not keep them from their other factors. */
function leavesOthers(page: StepPage): boolean {
  if (page.page !== 'DEVICE' || page.error !== 'approvalLimited') return false
  return page.others.some((name) => credentialOf(name) !== credentialOf(page.method))
}

const fieldOf: Partial<Record<StepError, string>> = {
  usernameMissing: 'username',
  passwordMissing: 'password',
  codeMissing: 'code',
  acceptNeeded: 'accept',
  saveNeeded: 'saved',
}

const details: Partial<Record<StepError, string>> = {
  expired: 'This sign-in has ended. Start again.',
  codeWrong: 'The code is not right.',
  codeExpired: 'The code is no longer valid. Ask for a new one.',
  passkeyFailed: 'The passkey could not be verified.',
  notSent: 'No message could be sent now.',
  approvalDenied: 'The person said no on their device.',
  approvalExpired: 'Nobody answered in time. Send `resend` to ask again.',
  approvalLimited: 'Too many questions to this person are unanswered or were refused. Wait, or use another way.',
}

function problemOf(error: StepError): DomainError {
  const field = fieldOf[error]
  if (field) {
    return new DomainError('validation_failed', `${field} is missing.`, {
      fields: [{ field, code: 'required', message: 'This member is required.' }],
    })
  }
  return new DomainError('unauthenticated', details[error] ?? 'The username or the password is not right.')
}

/** What is asked next. A second factor names every credential that would do; the others are required actions. */
function describe(page: StepPage): object {
  switch (page.page) {
    case 'OTP':
    case 'RECOVERY_CODE':
    case 'WEBAUTHN': {
      const current = page.page === 'OTP' ? page.method : page.page === 'WEBAUTHN' ? 'webauthn' : 'recovery-code'
      const methods = [...new Set([current, ...page.others].map(credentialOf))]
      const options = page.page === 'WEBAUTHN' ? { options: page.prompt.options } : {}
      return { mfaRequired: true, methods, method: credentialOf(current), ...options }
    }
    case 'DEVICE': {
      const methods = [...new Set([page.method, ...page.others].map(credentialOf))]
      const { method, number, address } = page
      if (leavesOthers(page)) {
        const open = methods.filter((name) => name !== credentialOf(method))
        return { mfaRequired: true, methods: open, waiting: false }
      }
      return {
        mfaRequired: true,
        methods,
        method: credentialOf(method),
        waiting: true,
        authenticator: method,
        number,
        address,
      }
    }
    case 'QR':
      return { mfaRequired: false, waiting: true, address: page.address, number: page.number, scanned: page.scanned }
    case 'LOGIN':
      return { mfaRequired: false, fields: page.fields }
    case 'LINK_SENT':
      return { mfaRequired: false, linkSent: true }
    case 'UPDATE_PASSWORD':
      return { mfaRequired: false, requiredAction: page.page, rules: page.rules }
    case 'CONFIGURE_TOTP':
      return { mfaRequired: false, requiredAction: page.page, secret: page.secret, otpauthUri: page.uri }
    case 'REGISTER_WEBAUTHN':
      return { mfaRequired: false, requiredAction: page.page, options: page.prompt.options }
    case 'REGISTER_DEVICE':
      return { mfaRequired: false, requiredAction: page.page, enrollmentUrl: page.enrollmentUrl }
    case 'CONFIGURE_RECOVERY_CODES':
      return { mfaRequired: false, requiredAction: page.page, codes: page.codes }
    case 'TERMS':
      return { mfaRequired: false, requiredAction: 'TERMS_AND_CONDITIONS', termsUrl: page.termsUrl }
    default:
      return { mfaRequired: false, requiredAction: page.page }
  }
}
