import { type Check, fail, judge, note } from './check.ts'
import { listOf } from './decode.ts'
import type { Inspection } from './inspection.ts'
import { fetchRealm, parseWebAddress, RemoteError } from './remote.ts'
import { isTime } from './times.ts'

// Contract 2.18.
const maxAssertionSeconds = 300

/** What a client signed with its own key: a client assertion (RFC 7523) or a request object (RFC 9101). */
export async function checkClientSigned(inspection: Inspection): Promise<Check[]> {
  const { jwt, kind, expected } = inspection
  const { claims } = jwt
  const client = expected.client
  const isAssertion = kind === 'client-assertion'
  const checks = [
    judge('client', typeof claims.iss === 'string' && (client === undefined || claims.iss === client), {
      good: `Its iss is the client ${String(claims.iss)}.`,
      bad: `Its iss is ${JSON.stringify(claims.iss) ?? 'missing'}, not ${client ?? 'a client_id'}.`,
      remedy: 'Set iss to the client_id.',
    }),
    ...(isAssertion ? checkAssertion(inspection) : []),
    ...(await checkTarget(inspection)),
  ]
  const where = 'It can only be verified with the client’s own keys: its `jwks` or `jwksUri` at the realm.'
  return [...checks, note('signature', `Not checked. ${where}`, 'Compare the kid of the header with the keys there.')]
}

function checkAssertion({ jwt: { claims } }: Inspection): Check[] {
  const { exp, iat, jti } = claims
  const lives = isTime(exp) && isTime(iat) ? exp - iat : null
  return [
    judge('subject', claims.sub === claims.iss, {
      good: 'Its sub is the same client.',
      bad: `Its sub is ${JSON.stringify(claims.sub) ?? 'missing'}.`,
      remedy: 'Set sub to the client_id as well.',
    }),
    judge('id', typeof jti === 'string' && jti !== '', {
      good: 'It has an id (jti); each may be used once.',
      bad: 'It has no jti.',
      remedy: 'Put a new random value into every assertion.',
    }),
    ...(lives === null
      ? []
      : [
          judge('lifetime', lives <= maxAssertionSeconds, {
            good: `It lives ${lives} s.`,
            bad: `It lives ${lives} s; ${maxAssertionSeconds} are allowed.`,
            remedy: 'Sign a new one for each request, for a minute.',
          }),
        ]),
  ]
}

async function checkTarget({ jwt, kind, expected, now }: Inspection): Promise<Check[]> {
  const audiences = listOf(jwt.claims.aud)
  const issuer = expected.issuer ?? audiences[0]
  if (issuer === undefined) return [fail('audience', 'It has no aud.', 'Set aud to the issuer.')]
  const isAssertion = kind === 'client-assertion'
  if (expected.offline) return [compareTarget(audiences, [issuer], expected.issuer === undefined ? null : isAssertion)]
  if (!parseWebAddress(issuer)) return [fail('audience', `${issuer} is no http or https address.`)]
  try {
    const { metadata } = await fetchRealm(issuer, now)
    const member = isAssertion
      ? 'token_endpoint_auth_signing_alg_values_supported'
      : 'request_object_signing_alg_values_supported'
    const allowed = listOf(metadata[member])
    const accepted = isAssertion ? [issuer, String(metadata.token_endpoint)] : [issuer]
    const { alg } = jwt.header
    return [
      compareTarget(audiences, accepted, isAssertion),
      judge('algorithm', typeof alg === 'string' && allowed.includes(alg), {
        good: `${String(alg)} is accepted from clients.`,
        bad: `${JSON.stringify(alg) ?? 'No alg'} is not accepted; the issuer takes ${allowed.join(', ') || 'none'}.`,
        remedy: 'Sign with one of these.',
      }),
    ]
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    return [fail('discovery', `${error.message}.`, 'Give --issuer, or --offline to look at the JWT alone.')]
  }
}

/** `alone`: none of several audiences may be somebody else's, who could replay it. Null when nobody said who is meant. */
function compareTarget(audiences: string[], accepted: string[], alone: boolean | null): Check {
  const names = audiences.join(', ')
  if (alone === null) return note('audience', `It is for ${names}.`, 'Give --issuer to have that compared.')
  const isOurs = (audience: string) => accepted.includes(audience)
  return judge('audience', audiences.some(isOurs) && (!alone || audiences.every(isOurs)), {
    good: `It is for ${names}.`,
    bad: `It is for ${names || 'nobody'}, not for ${accepted[0]}${alone ? ' alone' : ''}.`,
    remedy: 'Set aud to the issuer, letter by letter; with FAPI 2.0 nothing else is accepted.',
  })
}
