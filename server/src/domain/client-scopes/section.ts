import { type ClaimMapper, readRealmClaims } from '../claims/index.ts'
import type { Section } from '../snapshot/index.ts'
import { maxScopes } from './service.ts'
import { selectScopes } from './store.ts'

export interface RealmScope {
  scopeId: string
  name: string
  description: string | null
  consentText: string | null
  defaultScope: boolean
  includeInTokenScope: boolean
  /** In the order of their names; the same object where several scopes have the same mapper. */
  claims: ClaimMapper[]
}

/** By name. */
export type RealmScopes = ReadonlyMap<string, RealmScope>

// The object around the texts of a scope or mapper, its entry in a map and in a list.
const entryBytes = 200

/** Every client scope of the realm with its mappers: `await snapshot.section(scopesSection)`. */
export const scopesSection: Section<RealmScopes> = {
  name: 'scopes',
  async load({ db }, realmId) {
    const [rows, mappers] = await Promise.all([
      selectScopes(db, realmId, { offset: 0, limit: maxScopes, after: null }),
      readRealmClaims(db, realmId),
    ])
    return new Map(
      rows.map((row) => [
        row.name,
        {
          scopeId: row.id,
          name: row.name,
          description: row.description,
          consentText: row.consent_text,
          defaultScope: row.default_scope,
          includeInTokenScope: row.include_in_token_scope,
          claims: row.claim_ids.flatMap((id) => mappers.get(id) ?? []),
        },
      ]),
    )
  },
  sizeOf(scopes) {
    const mappers = new Set<ClaimMapper>()
    let bytes = 0
    for (const { claims, ...scope } of scopes.values()) {
      for (const mapper of claims) mappers.add(mapper)
      // Two bytes a character is the most that the engine keeps; a reference to a mapper is eight.
      bytes += entryBytes + JSON.stringify(scope).length * 2 + claims.length * 8
    }
    for (const mapper of mappers) bytes += entryBytes + JSON.stringify(mapper).length * 2
    return bytes
  },
}
