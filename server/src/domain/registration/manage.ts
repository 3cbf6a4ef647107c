import { timingSafeEqual } from 'node:crypto'
import { constantTimeEqual, hashToken, newToken } from '../../platform/crypto/index.ts'
import { runRead, runTransaction } from '../../platform/db/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { isUuid } from '../../platform/ids/index.ts'
import {
  type Client,
  type ClientInput,
  deleteClient,
  loadClient,
  readProtocolClient,
  replaceClient,
} from '../clients/index.ts'
import { type Context, jobActor, openContext, type Services } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import { askPeopleAgain, mustAskPeople } from './ask-again.ts'
import { metadataFault, RegistrationFault } from './faults.ts'
import { parseClientMetadata, toClientInput } from './metadata.ts'
import { type Asked, assertOffered, type KeptMetadata, type Registration, takeRoles } from './register.ts'
import { keepingOwn, readRegistrationRules } from './rules.ts'
import { type SelfDescription, selfDescriptionOf } from './shown-metadata.ts'
import { selectRegistration, updateRegistration } from './store.ts'

/** Whoever manages a registration: the client's id in the path, and its registration access token. */
export interface Manager {
  clientUuid: string
  token: string | null
}

interface Opened {
  client: Client
  kept: KeptMetadata
}

export async function readRegistration(services: Services, asked: Asked, manager: Manager): Promise<Registration> {
  await assertHeld(services, asked, manager)
  const opened = await inTransaction(services, asked, (ctx) => open(ctx, manager, false))
  return answer(services, asked, opened.client, { said: saidIn(opened.kept), token: manager.token! })
}

/** Replaces what the application says of itself (RFC 7592 section 2.2). The token that was used dies. */
export async function replaceRegistration(
  services: Services,
  asked: Asked,
  manager: Manager,
  document: unknown,
): Promise<Registration> {
  const current = await readRegistration(services, asked, manager)
  assertSameClient(document, current)
  const metadata = parseClientMetadata(document)
  const said = selfDescriptionOf(metadata)
  const token = newToken('rat_')
  const client = await inTransaction(services, asked, async (ctx) => {
    const { client: before, kept } = await open(ctx, manager, true)
    const rules = await readRegistrationRules(services, asked.realm, kept.scopeLimit)
    const input = toClientInput(metadata, before.clientId, keepingOwn(rules, before))
    const after = await replaceClient(asClient(ctx, before), before, replacementOf(before, input))
    await askPeopleAgain(ctx, before, input)
    if (before.serviceAccountUserId === null) await takeRoles(ctx, after.serviceAccountUserId)
    const next: KeptMetadata = { ...said, ...(kept.scopeLimit ? { scopeLimit: kept.scopeLimit } : {}) }
    await updateRegistration(ctx.tx, ctx.realmId, before.id, {
      token_hash: hashToken(token),
      metadata: JSON.stringify(next),
    })
    await recordChange(ctx, before, 'ADMIN_UPDATE', { redirectUris: after.redirectUris, name: after.name })
    return after
  })
  return answer(services, asked, client, { said, token })
}

/** Ends the client with everything that was granted to it (RFC 7592 section 2.3). */
export async function deleteRegistration(services: Services, asked: Asked, manager: Manager): Promise<void> {
  await assertHeld(services, asked, manager)
  await inTransaction(services, asked, async (ctx) => {
    const { client } = await open(ctx, manager, true)
    await deleteClient(asClient(ctx, client), client)
    await recordChange(ctx, client, 'ADMIN_DELETE', { clientId: client.clientId })
  })
}

/** Looks before anything is locked: whoever holds no token shall not make others wait. */
async function assertHeld(services: Services, { realm }: Asked, { clientUuid, token }: Manager): Promise<void> {
  await assertOffered(realm)
  const isPossible = token !== null && isUuid(clientUuid)
  const row = isPossible ? await runRead(() => selectRegistration(services.db, realm.realmId, clientUuid)) : null
  if (!isPossible || !matches(row?.token_hash ?? null, token)) throw unknownToken()
}

/** The client of a registration, if this is its token now. Clients that did not register have none and are not here. */
async function open(ctx: Context, { clientUuid, token }: Manager, forUpdate: boolean): Promise<Opened> {
  // The client first, as everybody who changes one does: two that wait for one another would both fail.
  const { record } = await loadClient(ctx, clientUuid, forUpdate).catch((error: unknown) => {
    // It ended since it was looked at. A database that is away says nothing about the token.
    throw error instanceof DomainError && error.code === 'not_found' ? unknownToken() : error
  })
  const row = await selectRegistration(ctx.tx, ctx.realmId, clientUuid, forUpdate)
  if (!row || !matches(row.token_hash, token!)) throw unknownToken()
  return { client: record, kept: row.metadata as KeptMetadata }
}

function matches(hash: Buffer | null, token: string): boolean {
  const given = hashToken(token)
  return hash !== null && hash.length === given.length && timingSafeEqual(hash, given)
}

/** The same whether there is no such client, it never registered, or the token is another's. */
function unknownToken(): RegistrationFault {
  return new RegistrationFault('invalid_token', 'This is not the registration access token of this client.')
}

/** RFC 7592 section 2.2: it names itself, and its secret only as it is. */
function assertSameClient(document: unknown, { client, secret }: Registration): void {
  const { client_id: id, client_secret: sent } = (document ?? {}) as Record<string, unknown>
  if (id !== client.clientId) throw metadataFault('client_id', 'Send the client_id that the client has.')
  if (sent === undefined || sent === null) return
  if (typeof sent !== 'string' || secret === null || !constantTimeEqual(sent, secret)) {
    throw metadataFault('client_secret', 'The secret cannot be chosen; leave it out.')
  }
}

/**
 * What the registrant says, and everything else as it is: they can neither take back what an administrator arranged nor what they
 * demanded of themselves once.
 */
function replacementOf(before: Client, input: ClientInput): ClientInput {
  return {
    ...input,
    webOrigins: before.publicClient === input.publicClient ? before.webOrigins : input.webOrigins,
    enabled: before.enabled,
    description: before.description,
    consentRequired: mustAskPeople(before, input),
    securityProfile: before.securityProfile,
    requirePkce: before.requirePkce || input.publicClient,
    requirePushedAuthorizationRequests:
      before.requirePushedAuthorizationRequests || input.requirePushedAuthorizationRequests,
    dpopBoundAccessTokens: before.dpopBoundAccessTokens || input.dpopBoundAccessTokens,
    subjectClaim: before.subjectClaim ?? input.subjectClaim,
    sectorIdentifierUri: before.sectorIdentifierUri,
    authorizationServicesEnabled: before.authorizationServicesEnabled,
    audiences: before.audiences,
    includeClientIdInAudience: before.includeClientIdInAudience,
    accessTokenLifetimeSeconds: before.accessTokenLifetimeSeconds,
    idTokenLifetimeSeconds: before.idTokenLifetimeSeconds,
    refreshTokenLifetimeSeconds: before.refreshTokenLifetimeSeconds,
    refreshTokenIdleSeconds: before.refreshTokenIdleSeconds,
    refreshTokenGraceSeconds: before.refreshTokenGraceSeconds,
    secretExpiresAt: before.secretExpiresAt,
  }
}

function saidIn({ scopeLimit: _inner, ...said }: KeptMetadata): SelfDescription {
  return said
}

/** With the secret of now, which only the client itself is shown. */
async function answer(
  services: Services,
  { realm }: Asked,
  client: Client,
  { said, token }: { said: SelfDescription; token: string },
): Promise<Registration> {
  const open = await runRead(() => readProtocolClient(services, realm.realmId, client.clientId))
  return { client, secret: open?.secret ?? null, said, token }
}

function inTransaction<T>(
  services: Services,
  { realm, origin }: Asked,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  return runTransaction(services.db, (transaction) =>
    work(openContext(services, transaction, { realmId: realm.realmId, actor: jobActor, origin })),
  )
}

/** The client acts for itself, and so cannot touch what an administrator gave it beyond a registration (contract 5.2). */
function asClient(ctx: Context, { clientId }: Client): Context {
  return { ...ctx, actor: { kind: 'CLIENT', clientId } }
}

async function recordChange(
  ctx: Context,
  client: Client,
  type: 'ADMIN_UPDATE' | 'ADMIN_DELETE',
  changes: Record<string, unknown>,
): Promise<void> {
  await recordEvent(asClient(ctx, client), {
    type,
    outcome: 'SUCCESS',
    resourceType: 'clients',
    resourceId: client.id,
    clientId: client.clientId,
    detail: JSON.stringify(changes),
  })
}
