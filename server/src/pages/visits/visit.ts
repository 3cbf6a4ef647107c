import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import { hasProvider } from '../../domain/messaging/index.ts'
import { type Browser, readBrowser, setCookies } from '../../domain/sessions/index.ts'
import { lookSection, settingsSection } from '../../domain/settings/index.ts'
import { type Continuation, sealContinuation } from '../../domain/sign-in/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import { serializeCookie } from '../../platform/http/index.ts'
import { pageHeaders } from '../headers.ts'
import { isLocale, type Locale, negotiateLocale } from '../messages/index.ts'
import type { RealmLook } from '../shell.tsx'

/** Somebody at a page of the sign-in. */
export interface Visit {
  services: Services
  realm: RealmSnapshot
  browser: Browser
  request: FastifyRequest
  reply: FastifyReply
  continuation: Continuation
}

export function readVisit(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
  continuation: Continuation = { kind: 'REDIRECT', path: `/console/${realm.realmId}/` },
): Visit {
  return { services, realm, browser: readBrowser(services, request, realm.realmId), request, reply, continuation }
}

export function wantsJson(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('application/json')
}

/** Browsers ask for HTML; programs that say nothing get a problem they can read. */
export function wantsHtml(request: FastifyRequest): boolean {
  return !wantsJson(request) && (request.headers.accept ?? '').includes('text/html')
}

const languageCookie = 'gatehouse_language'
const languageCookieSeconds = 365 * 86_400

/** The language of a visit: what the person chose, then what their browser prefers, then the realm's. */
export async function localeOf({ realm, request }: Pick<Visit, 'realm' | 'request'>): Promise<Locale> {
  const { supportedLocales, defaultLocale } = await realm.section(settingsSection)
  const chosen = (request.query as { lang?: unknown } | undefined)?.lang ?? request.cookies[languageCookie]
  const choice = typeof chosen === 'string' ? chosen : undefined
  return negotiateLocale(request.headers['accept-language'], defaultLocale, supportedLocales, choice)
}

/** What every page of a visit is made of. */
export async function frameOf(visit: Visit, signInId: string | null) {
  const { services, realm, browser } = visit
  const [look, settings, locale, canMail] = await Promise.all([
    realm.section(lookSection),
    realm.section(settingsSection),
    localeOf(visit),
    hasProvider(realm, 'EMAIL'),
  ])
  return {
    realm: {
      ...look,
      languages: languagesOf(visit, settings.supportedLocales),
      acting: visit.request.acting,
    } satisfies RealmLook,
    locale,
    csrf: browser.csrf,
    action: `/realms/${realm.realmId}/login`,
    continuation: sealContinuation(services, realm.realmId, browser.secret, visit.continuation),
    signInId,
    rememberMe: { offered: settings.rememberMe },
    // Both end in a mail; without a way to send one they would lead nowhere.
    resetPasswordAllowed: settings.resetPasswordAllowed && canMail,
    registrationAllowed: settings.registrationAllowed && canMail,
    loginWithEmail: settings.loginWithEmail,
    cancelHref: visit.continuation.cancelPath ?? null,
  }
}

/** The choice of languages, on pages that can be opened again by their address. */
function languagesOf({ request }: Visit, supported: string[]): { locale: Locale; href: string }[] {
  if (request.method !== 'GET') return []
  const url = new URL(request.url, 'http://page.invalid')
  return supported.filter(isLocale).map((locale) => {
    url.searchParams.set('lang', locale)
    return { locale, href: url.pathname + url.search }
  })
}

/** Sends a page of the realm with its cookies and headers. */
export async function sendPage(
  visit: Visit,
  html: string,
  { status = 200, script = false, connects = false }: { status?: number; script?: boolean; connects?: boolean } = {},
): Promise<FastifyReply> {
  const { browser, reply, request, services } = visit
  const look = await visit.realm.section(lookSection)
  const { leadsTo } = visit.continuation
  // The form ends at the application, whose own redirects the browser counts as the form's; those are https addresses.
  const formAction = leadsTo === undefined ? [] : [leadsTo, 'https:']
  const { lang } = (request.query ?? {}) as { lang?: unknown }
  const remembered =
    typeof lang === 'string' && isLocale(lang)
      ? [
          serializeCookie(languageCookie, lang, {
            httpOnly: true,
            secure: services.config.secure,
            maxAgeSeconds: languageCookieSeconds,
          }),
        ]
      : []
  setCookies(reply, [...browser.cookies, ...remembered])
  return reply
    .code(status)
    .headers(pageHeaders({ dataImages: look.usesDataImages, formAction, script, connects }))
    .send(html)
}
