import { DomainError, type FieldError } from '../../platform/errors/index.ts'
import { findUnknownScopes } from '../client-scopes/index.ts'
import type { Context } from '../context/index.ts'
import { fapiAlgorithms } from './jwks.ts'
import { type ClientPlan, sentAlgorithm } from './plan.ts'
import type { Client, ClientInput, ClientReplacement } from './schema.ts'
import { isCustomScheme } from './uris.ts'

type Fault = [field: string, message: string, code?: string]

/** Refuses what no member shows on its own: what does not fit together, and what is not there. Every fault is named at once. */
export async function checkClient(
  ctx: Context,
  plan: ClientPlan,
  input: ClientInput | ClientReplacement,
  before: Client | null,
): Promise<void> {
  const faults = [
    ...(plan.publicClient ? publicFaults(plan) : confidentialFaults(plan, input)),
    ...keyFaults(plan),
    ...(plan.settings.securityProfile === 'FAPI2' ? fapiFaults(plan, input, before) : []),
    ...addressFaults(ctx, plan, before),
    ...timeFaults(ctx, plan, before),
    ...(await scopeFaults(ctx, input.scopes, before?.scopes ?? [])),
  ]
  if (faults.length === 0) return
  const fields = faults.map(([field, message, code = 'invalid']): FieldError => ({ field, code, message }))
  const detail =
    fields.length === 1 ? `${fields[0]!.field}: ${fields[0]!.message}` : `${fields.length} members are not valid.`
  throw new DomainError('validation_failed', detail, { fields })
}

/** RFC 6749 section 4.4 and CIBA demand a client that authenticates; a public one cannot. */
function publicFaults({ grantTypes, settings }: ClientPlan): Fault[] {
  const faults: Fault[] = []
  for (const grant of grantTypes.filter((name) => name === 'client_credentials' || name === 'CIBA'))
    faults.push(['grantTypes', `A public client cannot use ${grant}.`])
  if (settings.serviceAccountEnabled && !grantTypes.includes('client_credentials'))
    faults.push(['serviceAccountEnabled', 'A public client cannot have a service account.'])
  if (settings.tokenEndpointAuthMethod !== 'none')
    faults.push(['tokenEndpointAuthMethod', 'A public client does not authenticate: leave it out or write none.'])
  if (!settings.requirePkce) faults.push(['requirePkce', 'A public client always needs PKCE.'])
  if (settings.securityProfile === 'FAPI2') faults.push(['securityProfile', 'FAPI2 is for confidential clients.'])
  return faults
}

function confidentialFaults(plan: ClientPlan, input: ClientInput | ClientReplacement): Fault[] {
  const faults: Fault[] = []
  const { tokenEndpointAuthMethod, securityProfile } = plan.settings
  // Any app on a device may claim a custom scheme, so it proves nothing about a client that keeps secrets.
  for (const member of ['redirectUris', 'postLogoutRedirectUris'] as const) {
    for (const [at, uri] of input[member].entries()) {
      if (isCustomScheme(uri)) faults.push([`${member}[${at}]`, 'Custom schemes are for public clients only.'])
    }
  }
  if (tokenEndpointAuthMethod === 'none')
    faults.push(['tokenEndpointAuthMethod', 'A confidential client authenticates; none is for public clients.'])
  if (securityProfile === 'FAPI2' && tokenEndpointAuthMethod !== 'private_key_jwt')
    faults.push(['tokenEndpointAuthMethod', 'FAPI2 demands private_key_jwt.'])
  return faults
}

function keyFaults({ settings }: ClientPlan): Fault[] {
  const { jwks, jwksUri, tokenEndpointAuthMethod } = settings
  // RFC 7591 section 2.
  if (jwks !== null && jwksUri !== null) return [['jwksUri', 'Send jwks or jwksUri, not both.']]
  if (tokenEndpointAuthMethod === 'private_key_jwt' && jwks === null && jwksUri === null)
    return [['jwks', 'private_key_jwt needs jwks or jwksUri.', 'required']]
  return []
}

/** What could be stored but would never work: the issuer refuses it by the profile (contract 2.16). */
function fapiFaults(plan: ClientPlan, input: ClientInput | ClientReplacement, before: Client | null): Fault[] {
  const faults: Fault[] = []
  for (const [at, uri] of input.redirectUris.entries()) {
    if (/^http:/i.test(uri)) faults.push([`redirectUris[${at}]`, 'FAPI2 demands https.'])
  }
  if (plan.grantTypes.includes('password')) faults.push(['grantTypes', 'FAPI2 forbids the password grant.'])
  if (sentAlgorithm(input, before) === 'RS256')
    faults.push(['tokenSigningAlg', 'FAPI2 signs with PS256: leave it out or write PS256.'])
  if (!input.requirePkce) faults.push(['requirePkce', 'FAPI2 always needs PKCE.'])
  const keys = plan.settings.jwks?.keys ?? []
  if (keys.length > 0 && keys.every(({ alg }) => alg !== undefined && !fapiAlgorithms.includes(alg as string)))
    faults.push(['jwks', 'FAPI2 takes PS256, ES256 and EdDSA: none of these keys is for one of them.'])
  return faults
}

/** Addresses that the service itself calls. One that was accepted before is not judged again. */
function addressFaults(ctx: Context, { settings }: ClientPlan, before: Client | null): Fault[] {
  const faults: Fault[] = []
  for (const member of ['jwksUri', 'sectorIdentifierUri'] as const) {
    const uri = settings[member]
    if (uri === null || uri === before?.[member]) continue
    const check = ctx.services.egress.check(uri)
    if (!check.ok)
      faults.push([member, 'The service may not call this address; see GATEHOUSE_EGRESS_ALLOW.', check.reason])
  }
  return faults
}

function timeFaults(ctx: Context, { settings }: ClientPlan, before: Client | null): Fault[] {
  const { secretExpiresAt } = settings
  const isNew = secretExpiresAt !== null && secretExpiresAt !== before?.secretExpiresAt
  return isNew && secretExpiresAt <= ctx.now ? [['secretExpiresAt', 'This time has passed.']] : []
}

/** Names that the client has already are not judged again: their scope may have been removed by force. */
async function scopeFaults(ctx: Context, wanted: string[], had: string[]): Promise<Fault[]> {
  const added = wanted.filter((name) => !had.includes(name))
  const unknown = new Set(await findUnknownScopes(ctx.tx, ctx.realmId, added))
  return wanted.flatMap((name, at): Fault[] =>
    unknown.has(name) ? [[`scopes[${at}]`, 'There is no client scope of this name.', 'not_found']] : [],
  )
}
