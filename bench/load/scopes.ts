import type { ClaimInput } from '../../server/src/domain/claims/index.ts'
import { clientScopesContribution } from '../../server/src/domain/client-scopes/index.ts'
import { standardScopes } from '../../server/src/domain/client-scopes/standard-scopes.ts'
import { currentSeedVersion } from '../../server/src/domain/context/index.ts'
import type { Loading } from './connection.ts'

/** What a realm made today has been given: a loaded one must not be brought up to date while it is measured. */
export const seedVersion = currentSeedVersion([clientScopesContribution])

// Ids of these rows are counted from another millisecond than those of roles and users, so that none is the same.
const claimsBeforeMs = 1
const scopesBeforeMs = 2
// More than a realm has scopes or mappers.
const perRealm = 64

/** The standard scopes and claim mappers of every realm in scale_realms, as the service seeds them. */
export async function loadScopes({ client, now }: Loading): Promise<void> {
  const claims = standardScopes.flatMap((scope) => scope.claims)
  await client.query(
    `insert into claims (realm_id, id, name, claim, source, source_key, value, type, multivalued, in_id_token, in_access_token,
       in_userinfo, in_introspection, in_saml, created_at)
     select realm_id, pg_temp.scale_id($1::bigint - ${claimsBeforeMs}, n * ${perRealm} + at), name, claim, source, source_key, value,
       type, multivalued, in_id_token, in_access_token, in_userinfo, in_introspection, in_saml, $1
     from scale_realms cross join jsonb_to_recordset($2::jsonb) as given(at bigint, name text, claim text, source text,
       source_key text, value jsonb, type text, multivalued boolean, in_id_token boolean, in_access_token boolean,
       in_userinfo boolean, in_introspection boolean, in_saml boolean)
     order by 1, 2`,
    [now, JSON.stringify(claims.map(toRow))],
  )
  const scopes = standardScopes.map((scope, at) => ({
    at,
    name: scope.name,
    description: scope.description,
    consent_text: scope.consentText,
    default_scope: scope.defaultScope,
  }))
  await client.query(
    `insert into client_scopes (realm_id, id, name, description, consent_text, default_scope, created_at)
     select realm_id, pg_temp.scale_id($1::bigint - ${scopesBeforeMs}, n * ${perRealm} + at), name, description, consent_text,
       default_scope, $1
     from scale_realms cross join jsonb_to_recordset($2::jsonb) as given(at bigint, name text, description text,
       consent_text text, default_scope boolean)
     order by 1, 2`,
    [now, JSON.stringify(scopes)],
  )
  const pairs = standardScopes.flatMap((scope, at) =>
    scope.claims.map((claim) => ({ scope: at, claim: claims.indexOf(claim) })),
  )
  await client.query(
    `insert into client_scope_claims (realm_id, scope_id, claim_id)
     select realm_id, pg_temp.scale_id($1::bigint - ${scopesBeforeMs}, n * ${perRealm} + scope),
       pg_temp.scale_id($1::bigint - ${claimsBeforeMs}, n * ${perRealm} + claim)
     from scale_realms cross join jsonb_to_recordset($2::jsonb) as given(scope bigint, claim bigint)
     order by 1, 2, 3`,
    [now, JSON.stringify(pairs)],
  )
}

function toRow(claim: ClaimInput, at: number) {
  return {
    at,
    name: claim.name,
    claim: claim.claim,
    source: claim.source,
    source_key: claim.sourceKey,
    value: claim.value,
    type: claim.type,
    multivalued: claim.multivalued,
    in_id_token: claim.inIdToken,
    in_access_token: claim.inAccessToken,
    in_userinfo: claim.inUserinfo,
    in_introspection: claim.inIntrospection,
    in_saml: claim.inSaml,
  }
}
