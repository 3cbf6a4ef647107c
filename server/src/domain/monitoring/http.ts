import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Services } from '../context/index.ts'
import {
  type HealthAnswer,
  livenessHealth,
  overallHealth,
  readinessHealth,
  renderInfo,
  type ServerState,
} from './server-health.ts'

export interface MonitoringOptions {
  services: Pick<Services, 'config' | 'db' | 'clock' | 'limits' | 'metrics'>
  state: ServerState
  /** The figures of the node; of all its processes where there are several. */
  metricsText(): Promise<string>
}

/** The anonymous monitoring surface: no cookie, no redirect, nothing a cache may keep (contract 5.5). */
export async function monitoringRoutes(
  app: FastifyInstance,
  { services, state, metricsText }: MonitoringOptions,
): Promise<void> {
  const send = (reply: FastifyReply, { statusCode, body }: HealthAnswer) =>
    reply.code(statusCode).header('cache-control', 'no-store').send(body)

  app.get('/monitoring/health', async (_request, reply) => send(reply, await overallHealth(services, state)))
  app.get('/monitoring/health/liveness', async (_request, reply) => send(reply, livenessHealth()))
  app.get('/monitoring/health/readiness', async (_request, reply) =>
    send(reply, await readinessHealth(services, state)),
  )
  app.get('/monitoring/info', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send(renderInfo(services.config)),
  )
  app.get('/monitoring/metrics', async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type(services.metrics.contentType)
      .send(await metricsText()),
  )
}
