import type { Account, Client, KoaContextWithOIDC } from 'oidc-provider'
import type { Services } from '../../domain/context/index.ts'
import {
  type ClaimMapper,
  type ClaimTarget,
  needsRoles,
  type Person,
  resolveClaims,
  resolveSubject,
  topLevelClaim,
} from '../../domain/claims/index.ts'
import { readPersonRoles, readTokenUser, type TokenUser } from '../../domain/tokens/index.ts'
import { runRead } from '../../platform/db/index.ts'
import { actClaim } from './acting.ts'
import { clientFacts } from './client-metadata.ts'
import { sourceOf } from './grant-source.ts'
import { errors } from './internals.ts'
import type { IssuerParts } from './issuer.ts'
import { currentUnit } from './unit.ts'

/** The person behind a token, read once for each request; undefined when they may have none. */
export async function findUsableUser(
  services: Services,
  realmId: string,
  userId: string,
): Promise<TokenUser | undefined> {
  const unit = currentUnit()
  let user = unit?.users.get(userId)
  if (user === undefined) {
    user = await runRead(() => readTokenUser(services, realmId, userId))
    unit?.users.set(userId, user)
  }
  return user?.usable ? user : undefined
}

/** The engine's account: claims are made by mappers of the granted scopes and of the client (contract 2.98, 2.99). */
export async function findAccount(
  services: Services,
  parts: IssuerParts,
  ctx: KoaContextWithOIDC | undefined,
  userId: string,
): Promise<Account | undefined> {
  const user = await findUsableUser(services, parts.realmId, userId)
  if (!user) return undefined
  const client = ctx?.oidc.client
  // Whoever has no name at this client cannot be told to it, least of all under another name.
  if (client && subjectOf(parts, user, client) === null) return undefined
  return {
    accountId: userId,
    async claims(use, scope, requested) {
      const target = use === 'userinfo' ? 'USERINFO' : 'ID_TOKEN'
      const mappers = mappersFor(parts, client, scope.split(' '), Object.keys(requested ?? {}))
      const claims = await claimsOf(services, parts, { user, mappers, target, session: sessionOf(ctx) })
      return { ...claims, ...actClaim(), sub: userId }
    },
  }
}

/** The mappers of scopes, of single claims that were asked for, and of the client itself. */
export function mappersFor(
  parts: IssuerParts,
  client: Client | undefined,
  scopes: string[],
  requested: string[] = [],
): ClaimMapper[] {
  const granted = scopes.flatMap((name) => parts.scopes.get(name)?.claims ?? [])
  const wanted = new Set(requested)
  const allowed = new Set((client?.scope ?? '').split(' '))
  const single = [...parts.scopes.values()]
    .filter((scope) => wanted.size > 0 && allowed.has(scope.name))
    .flatMap((scope) => scope.claims.filter((mapper) => wanted.has(topLevelClaim(mapper.claim))))
    .map((mapper) => ({ ...mapper, inIdToken: true, inUserinfo: true }))
  return [...granted, ...single, ...(clientFacts(client)?.mappers ?? [])]
}

interface ClaimsRequest {
  user: TokenUser
  mappers: ClaimMapper[]
  target: ClaimTarget
  session: Person['session']
}

const flags = { ID_TOKEN: 'inIdToken', ACCESS_TOKEN: 'inAccessToken', USERINFO: 'inUserinfo' } as const

export async function claimsOf(
  services: Services,
  { realmId }: Pick<IssuerParts, 'realmId'>,
  { user, mappers, target, session }: ClaimsRequest,
): Promise<Record<string, unknown>> {
  const flag = target in flags ? flags[target as keyof typeof flags] : null
  const asked = flag ? mappers.filter((mapper) => mapper[flag]) : mappers
  if (asked.length === 0) return {}
  const roles = needsRoles(asked)
    ? await runRead(() => readPersonRoles(services.db, realmId, user.userId))
    : { realmRoles: [], clientRoles: [] }
  const { usable: _usable, ...known } = user
  return resolveClaims(asked, target, {
    ...known,
    ...roles,
    groups: [],
    organizations: {},
    session,
  })
}

function sessionOf(ctx: KoaContextWithOIDC | undefined): Person['session'] {
  const source = sourceOf(ctx)
  if (!source?.authTime) return null
  return { authTime: source.authTime, acr: source.acr ?? '', amr: source.amr ?? [], sid: source.sid ?? '' }
}

/** True for clients that call people by anything but their id. */
export function namesOwnSubject(parts: IssuerParts, client: Client): boolean {
  return (clientFacts(client)?.subject ?? parts.subject).strategy !== 'USER_ID'
}

/** What a person is called at a client (contract 4.14); null when they have no such name. */
export function subjectOf(parts: IssuerParts, user: TokenUser, client: Client): string | null {
  const facts = clientFacts(client)
  const choice = { ...(facts?.subject ?? parts.subject), pairwiseSalt: parts.subject.pairwiseSalt }
  return resolveSubject(choice, user, facts?.sector ?? client.clientId)
}

export async function findSubject(
  services: Services,
  parts: IssuerParts,
  userId: string,
  client: Client,
): Promise<string> {
  const user = await findUsableUser(services, parts.realmId, userId)
  const subject = user ? subjectOf(parts, user, client) : null
  if (subject === null) throw new errors.InvalidGrant('the person has no name at this client')
  return subject
}
