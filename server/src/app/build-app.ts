import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../domain/context/index.ts'
import { monitoringRoutes, type ServerState } from '../domain/monitoring/index.ts'
import { settleImpersonation } from '../domain/sessions/index.ts'
import { assetHeaders, pageAssets } from '../pages/index.ts'
import { notFound } from '../platform/errors/index.ts'
import { createHttpServer } from '../platform/http/index.ts'
import { registerAccount } from '../protocols/account/index.ts'
import { brandingRoutes } from '../protocols/branding/index.ts'
import { registerConnect } from '../protocols/connect/index.ts'
import { registerDevice } from '../protocols/device/index.ts'
import { registerLogin } from '../protocols/login/index.ts'
import {
  createAccountBearer,
  createBearerResolver,
  createTransactionBearer,
  registerOidc,
} from '../protocols/oidc/index.ts'
import { registerPush } from '../protocols/push/index.ts'
import { registerQrConfirmation } from '../protocols/qr/index.ts'
import { registerRegistration } from '../protocols/register/index.ts'
import { registerResetPassword } from '../protocols/reset-password/index.ts'
import { registerTransactions } from '../protocols/tx/index.ts'
import { registerVerifyEmail } from '../protocols/verify-email/index.ts'
import { registerAdminSurface } from './admin-surface/index.ts'
import { registerDescription } from './description/index.ts'
import { adminRoutes } from './module-list.ts'
import { createPageKit } from './page-kit.ts'

export interface AppOptions {
  services: Services
  state: ServerState
  metricsText(): Promise<string>
}

/** The whole HTTP surface of the service. */
export async function buildApp({ services, state, metricsText }: AppOptions): Promise<FastifyInstance> {
  const { config, metrics } = services
  const kit = createPageKit(services)
  const app = createHttpServer({
    baseUrl: config.baseUrl,
    trustedProxies: config.trustedProxies,
    log: services.log,
    observe: metrics.observeRequest,
    renderNotFound: kit.renderError,
  })
  // A connection that is kept open would hold a shutdown up: each answer asks the client to leave while we drain.
  app.addHook('onSend', async (_request, reply) => {
    if (state.draining) reply.header('connection', 'close')
  })
  app.decorateRequest('acting', null)
  // Before anybody reads a cookie.
  app.addHook('onRequest', (request, reply) => settleImpersonation(services, request, reply))
  await app.register(multipart, { limits: { files: 1, fileSize: 1024 * 1024, fields: 20 } })
  await registerDescription(app, services)
  registerAdminSurface(app, services, adminRoutes, { bearer: createBearerResolver(services) })
  registerLogin(app, services, kit)
  registerRegistration(app, services, kit)
  registerResetPassword(app, services, kit)
  registerVerifyEmail(app, services, kit)
  registerPush(app, services, kit)
  registerQrConfirmation(app, services, kit)
  registerOidc(app, services, kit)
  registerConnect(app, services, kit)
  registerDevice(app, services, kit)
  registerAccount(app, services, kit, { bearer: createAccountBearer(services) })
  registerTransactions(app, services, kit, { bearer: createTransactionBearer(services) })
  brandingRoutes(app, { services, findRealm: (realmId) => services.snapshots.find(realmId) })
  registerAssets(app)
  // Nobody needs to know an address by heart: the front door leads on.
  app.get('/', { schema: { hide: true } }, async (_request, reply) =>
    reply.code(303).header('location', `/console/${services.config.bootstrap.realm}/`).send(),
  )
  if (config.monitoringPort === null) await app.register(monitoringRoutes, { services, state, metricsText })
  return app
}

/** Health and metrics on a listener of their own, where the operator wants them apart. */
export async function buildMonitoringApp({ services, state, metricsText }: AppOptions): Promise<FastifyInstance> {
  const { config, log } = services
  const app = createHttpServer({ baseUrl: config.baseUrl, trustedProxies: [], log, observe: () => undefined })
  await app.register(monitoringRoutes, { services, state, metricsText })
  return app
}

function registerAssets(app: FastifyInstance): void {
  app.get('/assets/:name', { schema: { hide: true } }, async (request, reply) => {
    const asset = pageAssets.get((request.params as { name: string }).name)
    if (!asset) throw notFound()
    return reply.headers({ ...assetHeaders, 'content-type': asset.contentType }).send(asset.body)
  })
}
