// What people have of their own: the landing pages after sign-in, and what they allowed applications.
// Contract 4.3, 4.5b and 4.32; the full consoles take the place of /console/{realm}/ and /realms/{realm}/account later.
// Mounted by app/build-app.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Services } from '../../domain/context/index.ts'
import { permissionCatalogue } from '../../domain/permissions/index.ts'
import {
  type AuthenticatedSession,
  authenticateSession,
  csrfToken,
  sessionCookieName,
  xsrfCookie,
} from '../../domain/sessions/index.ts'
import { lookSection } from '../../domain/settings/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import { findUserEmail } from '../../domain/users/index.ts'
import { pageHeaders, renderLandingPage } from '../../pages/index.ts'
import { refuseOtherMethods } from '../../platform/http/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import { type AccountOptions, registerConsents } from './consents.ts'

export type { AccountBearer } from './caller.ts'

const description = (summary: string) => ({
  tags: ['pages'],
  summary,
  description: 'An HTML page; without a session a redirect to the sign-in. Permission: a session.',
  params: z.object({ realm: z.string() }),
  produces: ['text/html'],
  response: { 200: z.string().describe('HTML'), 303: z.null() },
})

export function registerAccount(
  app: FastifyInstance,
  services: Services,
  kit: PageKit,
  options: AccountOptions = {},
): void {
  registerConsents(app, services, kit, options)
  const pages = [
    { url: '/console/:realm/', kind: 'console' as const, summary: 'The administrators’ landing page' },
    { url: '/realms/:realm/account', kind: 'account' as const, summary: 'The account landing page' },
  ]
  for (const { url, kind, summary } of pages) {
    app.get(url, { config: { renderError: kit.renderError }, schema: description(summary) }, async (request, reply) =>
      showLanding(services, await kit.findOpenRealm(request), kind, request, reply),
    )
    refuseOtherMethods(app, url, ['GET'])
  }
  app.get('/console/:realm', { schema: { hide: true } }, async (request, reply) =>
    reply
      .code(308)
      .header('location', `/console/${encodeURIComponent((request.params as { realm: string }).realm)}/`)
      .send(),
  )
}

async function showLanding(
  services: Services,
  realm: RealmSnapshot,
  kind: 'console' | 'account',
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { config } = services
  const token = request.cookies[sessionCookieName(config.secure, realm.realmId)]
  const outcome = token ? await authenticateSession(services, realm.realmId, token, null) : null
  const session = outcome && outcome.realm !== 'UNKNOWN' ? outcome.session : null
  const here = kind === 'console' ? `/console/${realm.realmId}/` : `/realms/${realm.realmId}/account`
  reply.header('cache-control', 'no-store')
  if (!session)
    return reply
      .code(303)
      .header('location', `/realms/${realm.realmId}/login?redirect=${encodeURIComponent(here)}`)
      .send()
  if (kind === 'console' && session.permissions.size === 0) {
    return reply.code(303).header('location', `/realms/${realm.realmId}/account`).send()
  }
  const look = await realm.section(lookSection)
  const csrf = csrfToken(session.token)
  if (request.cookies['XSRF-TOKEN'] !== csrf) reply.header('set-cookie', xsrfCookie(config.secure, csrf))
  return reply.headers(pageHeaders({ dataImages: look.usesDataImages })).send(
    renderLandingPage({
      realm: look,
      user: { username: session.username, email: await findUserEmail(services.db, realm.realmId, session.userId) },
      kind,
      permissions: permissionCatalogue.filter((entry) => session.permissions.has(entry.key)),
      links: linksFor(realm, session),
      csrf,
      logoutAction: `/realms/${realm.realmId}/login/logout`,
      sessionExpiresAt: new Date(session.expiresAt),
    }),
  )
}

function linksFor(realm: RealmSnapshot, session: AuthenticatedSession) {
  if (session.permissions.size === 0) return []
  return [
    { label: 'Interactive API page', href: `/interactive-docs.html?realm=${realm.realmId}` },
    { label: 'API description (OpenAPI)', href: '/v3/api-docs' },
    { label: 'Endpoints of this realm', href: `/admin/realms/${realm.realmId}/endpoints` },
    { label: 'Error reference', href: '/errors' },
  ]
}
