import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ProtocolClient, readProtocolClient } from '../../domain/clients/index.ts'
import { issuerOf, type Services, type UserActor } from '../../domain/context/index.ts'
import { expandPermissions, readPermissionsOfUser } from '../../domain/permissions/index.ts'
import { fullyProvedAt, type Proof, readSessionById } from '../../domain/sessions/index.ts'
import { settingsSection } from '../../domain/settings/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import { toTokenUser } from '../../domain/tokens/index.ts'
import type { TransactionCaller } from '../../domain/transactions/index.ts'
import { runRead } from '../../platform/db/index.ts'
import {
  type AccessClaims,
  audienceOf,
  createVerifier,
  holdersOf,
  type LiveToken,
  readLiveToken,
} from './access-tokens.ts'
import { findIssuer, type Issuer } from './issuer.ts'
import { proofAlgorithms } from './profiles/index.ts'
import { checkProof, type ProofFault } from './profiles/dpop-proof.ts'

const verifiers = new WeakMap<Issuer, ReturnType<typeof createVerifier>>()

/**
 * The token of `Authorization: Bearer`, or of `Authorization: DPoP` with its proof, if it is one of this realm, meant for this
 * audience and still good; null otherwise. What is wrong with a proof is told in `WWW-Authenticate`.
 */
export async function authenticateBearer(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
  audience: string,
): Promise<LiveToken | null> {
  const match = /^(Bearer|DPoP) ([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? '')
  if (!match) return null
  const [, scheme, value] = match as unknown as [string, string, string]
  const issuer = await findIssuer(services, realm)
  let verify = verifiers.get(issuer)
  if (!verify) verifiers.set(issuer, (verify = createVerifier(services, issuer)))
  const claims = await verify(value)
  if (!claims || !audienceOf(claims).includes(audience)) return null
  const fault = await checkBinding(services, realm.realmId, request, reply, { scheme, value, claims })
  if (fault) {
    reply.header('www-authenticate', challengeOf(fault))
    return null
  }
  return readLiveToken(services, realm.realmId, claims)
}

interface SentToken {
  scheme: string
  value: string
  claims: AccessClaims
}

/** A token that is bound to a key is no bearer token, and one that is not proves nothing with a proof (RFC 9449 section 7). */
async function checkBinding(
  services: Services,
  realmId: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { scheme, value, claims }: SentToken,
): Promise<ProofFault | null> {
  const isProven = scheme.toLowerCase() === 'dpop'
  const { cnf, client_id: clientId } = claims
  if (!cnf && !isProven) return null
  if (!cnf?.jkt)
    return { error: 'invalid_token', description: 'the access token is not bound to a key: send it as Bearer' }
  if (!isProven) return { error: 'invalid_token', description: 'the access token is bound to a key: send it as DPoP' }
  return checkProof(services, realmId, request, reply, { value, clientId, jkt: cnf.jkt })
}

function challengeOf({ error, description }: ProofFault): string {
  return `DPoP error="${error}", error_description="${description}", algs="${proofAlgorithms.join(' ')}"`
}

function toActor(
  realm: RealmSnapshot,
  live: LiveToken,
  permissions: ReadonlySet<string>,
  authenticatedAt = 0,
): UserActor | null {
  const user = toTokenUser(live.state)
  if (!user?.usable) return null
  return {
    kind: 'USER',
    userId: user.userId,
    username: user.username,
    realmId: realm.realmId,
    sessionId: null,
    impersonatorId: live.state.impersonator_id,
    permissions,
    authenticatedAt,
  }
}

/**
 * When the person of a token signed in: not later than it says itself, and by what their session says of it, which knows how
 * (S39). Whoever signed out since, or acts for somebody else, did not.
 */
async function readSignedInAt(services: Services, realmId: string, { claims, state }: LiveToken): Promise<number> {
  const { auth_time: authTime, sid } = claims as { auth_time?: number; sid?: string }
  const { live_session_id: sessionId, impersonator_id: impersonatorId } = state
  if (!sid || !authTime || !sessionId || impersonatorId !== null) return 0
  const session = await runRead(() => readSessionById(services.db, realmId, sessionId))
  return Math.min(authTime * 1000, fullyProvedAt((session?.proofs ?? []) as Proof[]) ?? 0)
}

/** A person's own token at their account (contract 4.32): from a client of the house, or with scope `account`. */
export function createAccountBearer(services: Services) {
  return async (request: FastifyRequest, realm: RealmSnapshot, reply: FastifyReply): Promise<UserActor | null> => {
    const live = await authenticateBearer(services, realm, request, reply, issuerOf(services, realm.realmId))
    // A machine has no account.
    if (!live?.claims.gid) return null
    if (!(await opensAccount(services, realm.realmId, live.claims))) return null
    const actor = toActor(realm, live, new Set(), await readSignedInAt(services, realm.realmId, live))
    // Known here, so that whoever ends all other sessions keeps the one their token came from.
    return actor && { ...actor, sessionId: live.state.live_session_id }
  }
}

/** Whoever asks about a transaction (contract 4.36): an application for itself, or with the token of a person. */
export function createTransactionBearer(services: Services) {
  return async (
    request: FastifyRequest,
    realm: RealmSnapshot,
    reply: FastifyReply,
  ): Promise<TransactionCaller | null> => {
    const { realmId } = realm
    const live = await authenticateBearer(services, realm, request, reply, issuerOf(services, realmId))
    const client = live && (await runRead(() => readProtocolClient(services, realmId, live.claims.client_id)))
    if (!client) return null
    const asked = { clientUuid: client.id, clientId: client.clientId, origins: originsOf(client) }
    if (!live.claims.gid) return { ...asked, person: null, forAccount: false, amr: [] }
    const person = toActor(realm, live, new Set())
    if (!person) return null
    const { amr = [] } = live.claims as { amr?: string[] }
    return { ...asked, person, forAccount: await opensAccount(services, realmId, live.claims), amr }
  }
}

function originsOf({ redirectUris, allowedResources }: ProtocolClient): string[] {
  // An address of an app on a device has no origin but the word null.
  const origins = [...redirectUris, ...allowedResources].map((uri) => URL.parse(uri)?.origin ?? 'null')
  return [...new Set(origins)].filter((origin) => origin !== 'null')
}

async function opensAccount(services: Services, realmId: string, claims: AccessClaims): Promise<boolean> {
  const hasScope = (claims.scope ?? '').split(' ').includes('account')
  return hasScope || isOfTheHouse(services, realmId, claims)
}

/** No exchange makes a token of somebody else’s application one of the house (S28). */
async function isOfTheHouse(services: Services, realmId: string, claims: AccessClaims): Promise<boolean> {
  for (const clientId of holdersOf(claims)) {
    const client = await runRead(() => readProtocolClient(services, realmId, clientId))
    if (client?.settings.consentRequired !== false) return false
  }
  return true
}

/** Machine access to the admin API (contract 4.6): what the subject holds is read anew for every request. */
export function createBearerResolver(services: Services) {
  return async (request: FastifyRequest, realm: RealmSnapshot, reply: FastifyReply): Promise<UserActor | null> => {
    const { adminBearerEnabled } = await realm.section(settingsSection)
    if (!adminBearerEnabled) return null
    const live = await authenticateBearer(services, realm, request, reply, `${services.config.baseUrl}/admin`)
    // No administrator comes out of a session in which somebody acts as another (contract 2.49).
    if (!live?.userId || live.state.impersonator_id !== null) return null
    const held = await runRead(() => readPermissionsOfUser(services.db, realm.realmId, live.userId!))
    return toActor(realm, live, expandPermissions(held), await readSignedInAt(services, realm.realmId, live))
  }
}
