import { randomBytes } from 'node:crypto'
import { hashToken, newToken } from '../../platform/crypto/index.ts'
import { runTransaction } from '../../platform/db/index.ts'
import { type Client, type ClientInput, createClient } from '../clients/index.ts'
import { anonymous, type Context, jobActor, openContext, type Origin, type Services } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import {
  findInitialAccessToken,
  type UsableToken,
  useInitialAccessToken,
} from '../provisioning/initial-access-tokens/index.ts'
import { provisioningSection } from '../provisioning/index.ts'
import { findRoleByName } from '../roles/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'
import { loadUser } from '../users/index.ts'
import { unassignRole } from '../users/roles/index.ts'
import { RegistrationFault } from './faults.ts'
import { parseClientMetadata, toClientInput } from './metadata.ts'
import { assertRoom } from './room.ts'
import { readRegistrationRules } from './rules.ts'
import { type SelfDescription, selfDescriptionOf } from './shown-metadata.ts'
import { insertRegistration } from './store.ts'

/** A registration as it is answered: with its secret and its token, which are shown and not kept. */
export interface Registration {
  client: Client
  secret: string | null
  said: SelfDescription
  /** The registration access token. */
  token: string
}

/** What is stored beside the client: what it says of itself, and which scopes it may name when it says more (contract 4.16). */
export interface KeptMetadata extends SelfDescription {
  scopeLimit?: string[] | null
}

export interface Asked {
  realm: RealmSnapshot
  origin: Origin
}

/** Registers an application by what it says of itself (RFC 7591). Throws a RegistrationFault. */
export async function registerClient(
  services: Services,
  { realm, origin }: Asked,
  request: { document: unknown; token: string | null },
): Promise<Registration> {
  const initial = await admit(services, realm, request.token)
  const scopeLimit = initial?.allowedScopes ?? null
  const rules = await readRegistrationRules(services, realm, scopeLimit)
  const metadata = parseClientMetadata(request.document)
  // Nobody chooses their own: it might be that of somebody else (RFC 9700 section 4.15).
  const input = toClientInput(metadata, `dcr-${randomBytes(16).toString('hex')}`, rules)
  const said = selfDescriptionOf(metadata)
  const { dcrMaxClients } = await realm.section(provisioningSection)
  return runTransaction(services.db, async (work) => {
    const ctx = openContext(services, work, { realmId: realm.realmId, actor: anonymous(), origin })
    await assertRoom(ctx, dcrMaxClients)
    if (initial && !(await useInitialAccessToken(ctx, initial.id))) throw unusableToken()
    return addClient(ctx, input, { said, scopeLimit, initialId: initial?.id ?? null })
  })
}

/** Who may register at all (contract 2.25). Null for somebody without a token where none is needed. */
async function admit(services: Services, realm: RealmSnapshot, token: string | null): Promise<UsableToken | null> {
  await assertOffered(realm)
  if (token !== null) {
    const initial = await findInitialAccessToken(services, realm.realmId, token)
    if (!initial) throw unusableToken()
    return initial
  }
  const { dcrAnonymousAllowed } = await realm.section(provisioningSection)
  if (dcrAnonymousAllowed) return null
  throw new RegistrationFault(
    'invalid_token',
    'Send an initial access token of this realm: Authorization: Bearer iat_…',
  )
}

export async function assertOffered(realm: RealmSnapshot): Promise<void> {
  const { dcrEnabled } = await realm.section(provisioningSection)
  if (!dcrEnabled) throw new RegistrationFault('access_denied', 'This realm does not let applications register.')
}

function unusableToken(): RegistrationFault {
  return new RegistrationFault('invalid_token', 'The initial access token is unknown, expired or used up.')
}

async function addClient(
  ctx: Context,
  input: ClientInput,
  { said, scopeLimit, initialId }: { said: SelfDescription; scopeLimit: string[] | null; initialId: string | null },
): Promise<Registration> {
  const { secret = null, ...client } = await createClient(ctx, input, 'DCR')
  await takeRoles(ctx, client.serviceAccountUserId)
  const token = newToken('rat_')
  const kept: KeptMetadata = { ...said, ...(scopeLimit ? { scopeLimit } : {}) }
  await insertRegistration(ctx.tx, {
    realm_id: ctx.realmId,
    client_uuid: client.id,
    token_hash: hashToken(token),
    initial_access_token_id: initialId,
    metadata: JSON.stringify(kept),
    created_at: ctx.now,
    last_used_at: ctx.now,
  })
  await recordEvent(ctx, {
    type: 'DCR_REGISTERED',
    outcome: 'SUCCESS',
    resourceType: 'clients',
    resourceId: client.id,
    clientId: client.clientId,
    detail: JSON.stringify({ name: client.name, redirectUris: client.redirectUris, initialAccessTokenId: initialId }),
  })
  return { client, secret, said, token }
}

/** A new user has the realm's default role, which is for people: what a machine may do an administrator decides (S31). */
export async function takeRoles(ctx: Context, userId: string | null): Promise<void> {
  if (userId === null) return
  const system = { ...ctx, actor: jobActor }
  const { record: user } = await loadUser(system, userId, true)
  for (const name of user.roles) {
    const role = await findRoleByName(system, name)
    if (role) await unassignRole(system, user, role.roleId)
  }
}
