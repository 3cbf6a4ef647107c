import type { ClaimMapper, ClaimTarget, Person } from './mapper.ts'
import { clientIdPlaceholder, isReservedClaim, isSafePart, splitClaim } from './reserved.ts'
import { readSource } from './sources.ts'
import { convertValue } from './values.ts'

const flagOf = {
  ID_TOKEN: 'inIdToken',
  ACCESS_TOKEN: 'inAccessToken',
  USERINFO: 'inUserinfo',
  INTROSPECTION: 'inIntrospection',
  SAML: 'inSaml',
} as const satisfies Record<ClaimTarget, keyof ClaimMapper>

/**
 * The claims that mappers make of a person for one kind of token. A later mapper for the same claim wins. What is absent, does
 * not fit its type or would be a claim of the issuer is left out.
 */
export function resolveClaims(mappers: ClaimMapper[], target: ClaimTarget, person: Person): Record<string, unknown> {
  const claims: Record<string, unknown> = {}
  for (const mapper of mappers) {
    if (!mapper[flagOf[target]] || isReservedClaim(mapper.claim, mapper.source)) continue
    const path = splitClaim(mapper.claim)
    if (mapper.source === 'CLIENT_ROLES' && path.some((part) => part.includes(clientIdPlaceholder))) {
      putClientRoles(claims, path, mapper, person)
    } else {
      putClaim(claims, path, convertAll(readSource(mapper, person), mapper))
    }
  }
  return claims
}

/** False when nobody needs to look the person's roles up. */
export function needsRoles(mappers: ClaimMapper[]): boolean {
  return mappers.some(({ source }) => source === 'REALM_ROLES' || source === 'CLIENT_ROLES')
}

/** One list for each client, under a path of its own; with a source key for that client alone. */
function putClientRoles(claims: Record<string, unknown>, path: string[], mapper: ClaimMapper, person: Person): void {
  const wanted = person.clientRoles.filter(({ clientId }) => (mapper.sourceKey ?? clientId) === clientId)
  for (const [clientId, roles] of Map.groupBy(wanted, (role) => role.clientId)) {
    // Put in place after the split: a client may have dots in its name.
    const own = path.map((part) => part.replaceAll(clientIdPlaceholder, () => clientId))
    putClaim(
      claims,
      own,
      convertAll(
        roles.map((role) => role.name),
        mapper,
      ),
    )
  }
}

function convertAll(values: unknown[], { type, multivalued }: ClaimMapper): unknown {
  if (!multivalued) return values.length === 0 ? undefined : convertValue(values[0], type)
  const converted = values.map((value) => convertValue(value, type)).filter((value) => value !== undefined)
  return converted.length === 0 ? undefined : converted
}

function putClaim(claims: Record<string, unknown>, path: string[], value: unknown): void {
  if (value === undefined || !path.every(isSafePart)) return
  let place = claims
  for (const part of path.slice(0, -1)) {
    const inner = Object.hasOwn(place, part) ? place[part] : (place[part] = {})
    // A claim that is no object cannot have members; the one that was there first stays.
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return
    place = inner as Record<string, unknown>
  }
  place[path.at(-1)!] = value
}
