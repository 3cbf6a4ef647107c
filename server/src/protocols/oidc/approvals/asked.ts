import {
  type AuthenticatedSession,
  acrOf,
  authenticatedAt,
  lastProvedAt,
  type Level,
  levelOf,
  levelOfAcr,
} from '../../../domain/sessions/index.ts'
import { allowedScopes } from '../client-metadata.ts'
import type { WaitingRequest } from './waiting-request.ts'

interface AskedClaims {
  id_token?: Record<string, { value?: string; values?: string[]; essential?: boolean } | null>
  userinfo?: Record<string, unknown>
}

/** What the application gets with a yes, within what it may have. */
export function readAsked({ params, client, issuer }: WaitingRequest) {
  const allowed = new Set(allowedScopes(client, issuer))
  const scopes = (params.scope ?? '').split(' ').filter((name) => issuer.scopes.has(name) && allowed.has(name))
  const named = [params.resource ?? []].flat()
  // Tokens are for the issuer itself unless the application named something else (RFC 8707).
  const resources = named.length > 0 ? named : [issuer.issuer]
  return { scopes: [...new Set(scopes)], resources, claims: readClaims(params.claims) }
}

function readClaims(text: string | undefined): AskedClaims {
  // The engine refused what is not well-formed when the request came.
  return text === undefined ? {} : (JSON.parse(text) as AskedClaims)
}

export function claimNames({ id_token: idToken = {}, userinfo = {} }: AskedClaims): string[] {
  return [...new Set([...Object.keys(idToken), ...Object.keys(userinfo)])]
}

function askedClasses({ params, client }: WaitingRequest): { names: string[]; essential: boolean } {
  const acr = readClaims(params.claims).id_token?.acr
  if (acr?.values || acr?.value) {
    return { names: [...(acr.values ?? []), ...(acr.value ? [acr.value] : [])], essential: acr.essential === true }
  }
  const names = params.acr_values?.split(' ') ?? client.settings.defaultAcrValues
  return { names, essential: false }
}

export type Strength =
  /** `acr` names the class as the application asked for it. */
  { enough: true; acr: string } | { enough: false; level: Level; fresh: boolean; unreachable: boolean }

/** Whether this session is as strong and as recent as the application wants it. What is only wished for is asked for once. */
export function judgeSession(request: WaitingRequest, session: AuthenticatedSession, now: number): Strength {
  const aliases = request.issuer.settings.acrAliases
  const { names, essential } = askedClasses(request)
  const held = levelOf(session.proofs)
  // A class that nobody knows is reached by no session.
  const reached = names.find((name) => (levelOfAcr(name, aliases) ?? Infinity) <= held)
  const level = names.map((name) => levelOfAcr(name, aliases)).find((one) => one !== null) ?? 1
  const signedInAt = authenticatedAt(session.proofs)
  const isFresh = signedInAt > request.createdAt
  const maxAge = request.params.max_age === undefined ? null : Number(request.params.max_age)
  // The engine keeps `max_age=0` as this.
  const isRenewed = request.params.prompt?.split(' ').includes('login') ?? false
  if ((isRenewed || !request.issuer.singleSignOn) && !isFresh) {
    return { enough: false, level, fresh: true, unreachable: false }
  }
  // Proved since the request came is recent enough for anything: asking again would never end.
  if (maxAge !== null && !isFresh && now - signedInAt > maxAge * 1000) {
    return { enough: false, level, fresh: true, unreachable: false }
  }
  const isWeak = names.length > 0 && reached === undefined && (essential || level > held)
  const isStrengthened = lastProvedAt(session.proofs) > request.createdAt
  if (isWeak && (essential || !isStrengthened)) {
    return { enough: false, level, fresh: false, unreachable: isStrengthened }
  }
  return { enough: true, acr: reached ?? acrOf(session.proofs) }
}
