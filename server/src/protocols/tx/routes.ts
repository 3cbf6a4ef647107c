import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import {
  answerTransactionAs,
  consumeTransaction,
  createTransaction,
  isOwner,
  proofsOfAmr,
  readTransaction,
  SignInput,
  type Transaction,
  toTransaction,
  TransactionInput,
} from '../../domain/transactions/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import { DomainError, notFound } from '../../platform/errors/index.ts'
import { assertJson, originOf, readJsonBody, refuseOtherMethods } from '../../platform/http/index.ts'
import { challenge, findCaller, type TransactionBearer } from './caller.ts'
import {
  consumeDescription,
  createDescription,
  readDescription,
  signDescription,
  signPageDescription,
} from './describe.ts'
import { answerSignPage, showSignPage } from './page.ts'

export interface TransactionOptions {
  bearer: TransactionBearer
}

const idOf = (request: FastifyRequest) => (request.params as { id: string }).id

function send(reply: FastifyReply, status: number, transaction: Transaction): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(transaction))
}

/** `/tx`: errors are problem+json, since programs call it; the page at `…/sign` is for people. */
export function registerTransactions(
  app: FastifyInstance,
  services: Services,
  kit: PageKit,
  { bearer }: TransactionOptions,
): void {
  const url = '/realms/:realm/tx'
  const identify = async (request: FastifyRequest, reply: FastifyReply) => {
    const realm = await kit.findOpenRealm(request)
    const caller = await findCaller(services, realm, request, reply, bearer)
    return { realm, asking: { caller, origin: originOf(request) } }
  }

  app.post(url, { schema: createDescription }, async (request, reply) => {
    const { realm, asking } = await identify(request, reply)
    const made = await createTransaction(services, realm, asking, readJsonBody(TransactionInput, request))
    reply.header('location', `/realms/${realm.realmId}/tx/${made.id}`)
    return send(reply, 201, made)
  })
  refuseOtherMethods(app, url, ['POST'])

  app.get(`${url}/:id`, { schema: readDescription }, async (request, reply) => {
    const { realm, asking } = await identify(request, reply)
    return send(reply, 200, await readTransaction(services, realm.realmId, asking.caller, idOf(request)))
  })
  refuseOtherMethods(app, `${url}/:id`, ['GET'])

  app.post(`${url}/:id/consume`, { schema: consumeDescription }, async (request, reply) => {
    const { realm, asking } = await identify(request, reply)
    return send(reply, 200, await consumeTransaction(services, realm.realmId, asking, idOf(request)))
  })
  refuseOtherMethods(app, `${url}/:id/consume`, ['POST'])
  registerSign(app, services, kit, bearer)
}

/** One address for both: JSON is judged by its token alone, a form by the session it was opened in. */
function registerSign(app: FastifyInstance, services: Services, kit: PageKit, bearer: TransactionBearer): void {
  const url = '/realms/:realm/tx/:id/sign'
  const config = { renderError: kit.renderError }
  app.get(url, { config, schema: signPageDescription }, async (request, reply) =>
    showSignPage(services, await kit.findOpenRealm(request), request, reply),
  )
  app.post(url, { config, schema: signDescription }, async (request, reply) => {
    const realm = await kit.findOpenRealm(request)
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')
    if (isForm) return answerSignPage(services, realm, request, reply)
    const caller = await findCaller(services, realm, request, reply, bearer)
    assertJson(request)
    // An application cannot sign; whether there is anything to sign is not its concern here.
    const { person: actor, amr } = caller
    if (actor === null) throw notFound()
    const sent = readJsonBody(SignInput, request)
    const signer = { actor, proofs: proofsOfAmr(amr), origin: originOf(request) }
    const reaches: Parameters<typeof answerTransactionAs>[2]['reaches'] = (row) => isOwner(caller, row)
    try {
      const row = await answerTransactionAs(services, realm, { ...signer, reaches }, idOf(request), sent)
      return send(reply, 200, toTransaction(services, realm.realmId, row, true))
    } catch (error) {
      if (error instanceof DomainError && error.status === 401) challenge(services, realm, reply, false)
      throw error
    }
  })
  refuseOtherMethods(app, url, ['GET', 'POST'])
}
