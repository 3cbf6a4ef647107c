import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import { originOf } from '../../platform/http/index.ts'
import type { Issuer } from './issuer.ts'
import { createUnit, currentUnit, runInUnit } from './unit.ts'

/** The engine answers on the bare request, for its own path or another that stands for it. What it must not believe (host, scheme, address) is set from the configuration. */
export async function handOver(
  services: Services,
  issuer: Issuer,
  request: FastifyRequest,
  reply: FastifyReply,
  path?: string,
): Promise<void> {
  const base = new URL(services.config.baseUrl)
  const raw = request.raw as IncomingMessage & { originalUrl?: string }
  raw.headers.host = base.host
  raw.headers['x-forwarded-proto'] = base.protocol.slice(0, -1)
  raw.headers['x-forwarded-for'] = request.clientIp ?? ''
  delete raw.headers['x-forwarded-host']
  raw.url = path ?? raw.url!.slice(`/realms/${issuer.realmId}`.length)
  raw.originalUrl = `/realms/${issuer.realmId}${raw.url}`
  reply.hijack()
  const answer = () => issuer.answer(raw, reply.raw as ServerResponse) as Promise<void>
  if (currentUnit()) await answer()
  else await runInUnit(createUnit(issuer.realmId, originOf(request)), answer)
}
