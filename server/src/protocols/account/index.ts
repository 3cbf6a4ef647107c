// What people have of their own: their account as pages and as programs call it, and the administrators’ landing page.
// Contract 4.3, 4.5b and 4.32; the full console takes the place of /console/{realm}/ later.
// Mounted by app/build-app.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Services } from '../../domain/context/index.ts'
import { permissionCatalogue } from '../../domain/permissions/index.ts'
import { authenticateSession, csrfToken, ownSessionTokenOf, xsrfCookie } from '../../domain/sessions/index.ts'
import { lookSection } from '../../domain/settings/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import { findUserEmail } from '../../domain/users/index.ts'
import { pageHeaders, renderLandingPage } from '../../pages/index.ts'
import { refuseOtherMethods } from '../../platform/http/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import { sendToSignIn } from '../../pages/visits/index.ts'
import { registerAccountPages } from './pages/index.ts'
import { type AccountOptions, registerRoutes } from './route.ts'
import { accountRoutes } from './routes/index.ts'

export type { AccountBearer } from './caller.ts'

const consoleDescription = {
  tags: ['pages'],
  summary: 'The administrators’ landing page',
  description: 'An HTML page; without a session a redirect to the sign-in. Permission: a session.',
  params: z.object({ realm: z.string() }),
  produces: ['text/html'],
  response: { 200: z.string().describe('HTML'), 303: z.null() },
}

export function registerAccount(
  app: FastifyInstance,
  services: Services,
  kit: PageKit,
  options: AccountOptions = {},
): void {
  registerRoutes(app, services, kit, accountRoutes, options)
  registerAccountPages(app, services, kit)
  const config = { renderError: kit.renderError }
  app.get('/console/:realm/', { config, schema: consoleDescription }, async (request, reply) =>
    showLanding(services, await kit.findOpenRealm(request), request, reply),
  )
  refuseOtherMethods(app, '/console/:realm/', ['GET'])
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
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { config } = services
  const token = ownSessionTokenOf(config.secure, request.cookies, realm.realmId)
  const outcome = token ? await authenticateSession(services, realm.realmId, token, null) : null
  const found = outcome && outcome.realm !== 'UNKNOWN' ? outcome.session : null
  // Whoever acts as somebody does so in that person's own places, never among administrators (contract 2.49).
  const session = found?.impersonatorId ? null : found
  reply.header('cache-control', 'no-store')
  if (!session) return sendToSignIn(reply, realm.realmId, `/console/${realm.realmId}/`)
  if (session.permissions.size === 0) {
    return reply.code(303).header('location', `/realms/${realm.realmId}/account`).send()
  }
  const look = await realm.section(lookSection)
  const csrf = csrfToken(session.token)
  if (request.cookies['XSRF-TOKEN'] !== csrf) reply.header('set-cookie', xsrfCookie(config.secure, csrf))
  return reply.headers(pageHeaders({ dataImages: look.usesDataImages })).send(
    renderLandingPage({
      realm: { ...look, acting: request.acting },
      user: { username: session.username, email: await findUserEmail(services.db, realm.realmId, session.userId) },
      permissions: permissionCatalogue.filter((entry) => session.permissions.has(entry.key)),
      links: linksFor(realm),
      csrf,
      logoutAction: `/realms/${realm.realmId}/login/logout`,
      sessionExpiresAt: new Date(session.expiresAt),
    }),
  )
}

function linksFor(realm: RealmSnapshot) {
  return [
    { label: 'Interactive API page', href: `/interactive-docs.html?realm=${realm.realmId}` },
    { label: 'API description (OpenAPI)', href: '/v3/api-docs' },
    { label: 'Endpoints of this realm', href: `/admin/realms/${realm.realmId}/endpoints` },
    { label: 'Error reference', href: '/errors' },
  ]
}
