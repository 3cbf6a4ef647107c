import { isDeepStrictEqual } from 'node:util'
import { runTransaction } from '../../../platform/db/index.ts'
import { DomainError } from '../../../platform/errors/index.ts'
import { type Client, type ClientInput, createClient, loadClient, replaceClient } from '../../clients/index.ts'
import { anonymous, type Context, openContext, type Origin, type Services } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'
import { askPeopleAgain, mustAskPeople } from '../ask-again.ts'
import { faultOf } from '../faults.ts'
import { assertRoom } from '../room.ts'
import { DocumentRefusal } from './refusal.ts'
import { lockKept, upsertTimes } from './store.ts'

export interface JudgedDocument {
  client: ClientInput
  freshForMs: number
  /** Of all clients of the realm that came by themselves. */
  maxClients: number
}

/** Writes what a document says. Any number of nodes may do so at once: one of them makes the client, the others find it. */
export async function keepDocument(
  services: Services,
  realmId: string,
  origin: Origin,
  document: JudgedDocument,
): Promise<void> {
  const write = () =>
    runTransaction(services.db, (work) =>
      writeClient(openContext(services, work, { realmId, actor: anonymous(), origin }), document),
    )
  try {
    await write().catch((error: unknown) => {
      // Another node made the client between our look and our insert: now it is there to be found.
      if (error instanceof DomainError && error.code === 'conflict') return write()
      throw error
    })
  } catch (error) {
    const fault = faultOf(error)
    if (fault) throw new DocumentRefusal('INVALID', `The document of client_id: ${fault.description}`, { cause: error })
    throw error
  }
}

async function writeClient(ctx: Context, document: JudgedDocument): Promise<void> {
  const kept = await lockKept(ctx.tx, ctx.realmId, document.client.clientId)
  // An administrator made a client of this name meanwhile: theirs counts, whatever is published.
  if (kept && kept.created_by !== 'CIMD') return
  const id = kept ? await changeClient(ctx, kept.id, document.client) : await addClient(ctx, document)
  await upsertTimes(ctx.tx, {
    realm_id: ctx.realmId,
    client_uuid: id,
    fetched_at: ctx.now,
    fresh_until: ctx.now + document.freshForMs,
  })
}

async function addClient(ctx: Context, { client, maxClients }: JudgedDocument): Promise<string> {
  await assertRoom(ctx, maxClients)
  const { id } = await createClient(ctx, client, 'CIMD')
  await tellOf(ctx, id, client.clientId, { createdBy: 'CIMD', redirectUris: client.redirectUris })
  return id
}

async function changeClient(ctx: Context, id: string, said: ClientInput): Promise<string> {
  const { record: before } = await loadClient(ctx, id, false)
  const members = decidedByDocument(said, before)
  const changed = Object.entries(members).filter(
    ([name, value]) => !isDeepStrictEqual(value, before[name as keyof typeof members]),
  )
  if (changed.length === 0) return id
  await replaceClient(ctx, before, { ...before, ...members })
  await askPeopleAgain(ctx, before, said)
  await tellOf(ctx, id, before.clientId, { changed: Object.fromEntries(changed) })
  return id
}

/** What belongs to the document. Everything else, `enabled` above all, is an administrator's and stays as it is. */
function decidedByDocument(said: ClientInput, before: Client) {
  return {
    name: said.name,
    publicClient: said.publicClient,
    tokenEndpointAuthMethod: said.tokenEndpointAuthMethod,
    grantTypes: said.grantTypes,
    redirectUris: unique(said.redirectUris),
    postLogoutRedirectUris: unique(said.postLogoutRedirectUris),
    baseUrl: said.baseUrl,
    jwks: said.jwks,
    jwksUri: said.jwksUri,
    scopes: unique([...before.scopes, ...said.scopes]),
    // What an administrator demands, a document cannot lift.
    consentRequired: mustAskPeople(before, said),
    requirePushedAuthorizationRequests:
      before.requirePushedAuthorizationRequests || said.requirePushedAuthorizationRequests,
    dpopBoundAccessTokens: before.dpopBoundAccessTokens || said.dpopBoundAccessTokens,
  }
}

function unique(list: string[]): string[] {
  return [...new Set(list)]
}

async function tellOf(ctx: Context, id: string, clientId: string, detail: object): Promise<void> {
  const resource = { resourceType: 'clients', resourceId: id, clientId }
  await recordEvent(ctx, { type: 'DCR_REGISTERED', outcome: 'SUCCESS', ...resource, detail: JSON.stringify(detail) })
}
