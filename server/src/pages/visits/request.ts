import { deviceCookieName } from '../../domain/sessions/index.ts'
import type { SignInRequest } from '../../domain/sign-in/index.ts'
import { originOf } from '../../platform/http/index.ts'
import type { Form } from './form.ts'
import { localeOf, type Visit } from './visit.ts'

/** What a visit brings to the sign-in. */
export async function requestOf(visit: Visit, form: Form, signInId: string | null): Promise<SignInRequest> {
  const { services, realm, browser, request, continuation } = visit
  return {
    realm,
    origin: originOf(request),
    browserSecret: browser.secret,
    signInId,
    continuation,
    input: form,
    previousSessionToken: browser.ownSessionToken,
    actingToken: request.acting ? browser.sessionToken : null,
    deviceToken: request.cookies[deviceCookieName(services.config.secure, realm.realmId)] ?? null,
    locale: await localeOf(visit),
  }
}
