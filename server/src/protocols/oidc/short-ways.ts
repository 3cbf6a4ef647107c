import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import { originOf } from '../../platform/http/index.ts'
import { answerPoll } from './approvals/polls.ts'
import { readAhead } from './grant-sources.ts'
import type { Issuer } from './issuer.ts'
import { answerMachine } from './machine-tokens.ts'
import { handOver } from './hand-over.ts'
import { routes } from './paths.ts'
import { readPlainRequest } from './plain-requests.ts'
import { answerIntrospection, answerUserinfo } from './short-answers.ts'
import { createUnit, runInUnit } from './unit.ts'

/**
 * Answers what programs ask thousands of times a second without the engine's whole pipeline, where the request is exactly the
 * plain one and the answer is yes. Everything else, and every refusal, is the engine's; what was read is kept for it.
 */
export async function answerShortly(
  services: Services,
  issuer: Issuer,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const unit = createUnit(issuer.realmId, originOf(request))
  await runInUnit(unit, async () => {
    if (path === routes.userinfo) {
      if (await answerUserinfo(services, issuer, request, reply)) return
    } else if (path === routes.token || path === routes.introspection) {
      const asked = request.method === 'POST' ? await readPlainRequest(request) : null
      if (asked && path === routes.introspection && (await answerIntrospection(services, issuer, asked, reply))) return
      if (asked && path === routes.token) {
        if (await answerMachine(services, issuer, asked, unit, reply)) return
        if (await answerPoll(services, issuer, asked, unit, reply)) return
        await readAhead(services, issuer.realmId, asked.form)
      }
    }
    await handOver(services, issuer, request, reply)
  })
}
