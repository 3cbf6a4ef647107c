import { compactVerify, importJWK, type JWK } from 'jose'
import { type Check, fail, judge, note, pass } from './check.ts'
import { listOf } from './decode.ts'
import { type Inspection, skewSeconds } from './inspection.ts'
import { fetchKeys, fetchRealm, parseWebAddress, type Realm, RemoteError } from './remote.ts'
import { describeSpan } from './times.ts'

/** Who made it, and with a key of theirs? The token itself is never sent anywhere: the keys come here. */
export async function checkIssuerAndSignature(inspection: Inspection): Promise<Check[]> {
  const { claims } = inspection.jwt
  const { issuer: wanted, offline } = inspection.expected
  if (typeof claims.iss !== 'string') return [fail('issuer', 'The token has no issuer (iss).')]
  const checks = checkIssuerName(claims.iss, wanted)
  if (offline) return [...checks, ...skipSignature(inspection, '--offline was given, so that no key was fetched')]
  const issuer = wanted ?? claims.iss
  if (!parseWebAddress(issuer)) {
    const text = `${issuer} is no http or https address, so that nothing was fetched from it.`
    return [...checks, fail('issuer', text), ...skipSignature(inspection, 'there are no keys')]
  }
  try {
    const realm = await fetchRealm(issuer, inspection.now)
    checks.push(checkDiscovery(realm), ...checkClock(realm))
    return [...checks, ...(await checkSignature(inspection, realm))]
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    const remedy = 'Is the address right, and does the service run? --offline looks at the token alone.'
    return [
      ...checks,
      fail('discovery', `${error.message}.`, remedy),
      ...skipSignature(inspection, 'there are no keys'),
    ]
  }
}

function checkIssuerName(iss: string, wanted: string | undefined): Check[] {
  if (wanted === undefined) {
    const text = `The token names ${iss} itself; only http and https are asked.`
    return [note('issuer', text, 'Give --issuer to check that it is the issuer you trust.')]
  }
  return [
    judge('issuer', iss === wanted, {
      good: `The token is of ${wanted}.`,
      bad: `The token is of ${iss}, not of ${wanted}.`,
      remedy: 'Compare realm, scheme, host and the slash at the end. Tokens of another realm are worth nothing here.',
    }),
  ]
}

const algorithmRemedy = 'Refuse it. Whoever accepts `none` or a shared-secret algorithm accepts forged tokens.'

/** Even without keys it is seen whether there can be a signature of an issuer at all. */
function skipSignature({ jwt: { header, signed } }: Inspection, why: string): Check[] {
  const isPublicKey = typeof header.alg === 'string' && /^(RS|PS|ES)\d{3}$|^Ed/.test(header.alg)
  if (signed && isPublicKey) return [note('signature', `Not checked: ${why}.`)]
  return [fail('algorithm', `Its algorithm is ${JSON.stringify(header.alg) ?? 'missing'}.`, algorithmRemedy)]
}

function checkDiscovery({ issuer, metadata }: Realm): Check {
  return judge('discovery', metadata.issuer === issuer, {
    good: 'The issuer answers, and its discovery document names it the same.',
    bad: `The discovery document names ${JSON.stringify(metadata.issuer)}, not ${issuer}.`,
    remedy: 'Use the issuer that the document names; behind a proxy set GATEHOUSE_BASE_URL to the public address.',
  })
}

function checkClock({ clockAheadMs }: Realm): Check[] {
  // The header Date has whole seconds.
  if (clockAheadMs === null || Math.abs(clockAheadMs) <= (skewSeconds + 1) * 1000) return []
  const seconds = Math.round(clockAheadMs / 1000)
  const text = `The clock of this machine is ${describeSpan(seconds)} ${seconds > 0 ? 'behind' : 'ahead of'} the issuer’s.`
  return [note('clock', text, 'Set the clock; tokens look too old or not yet valid otherwise.')]
}

async function checkSignature({ jwt }: Inspection, realm: Realm): Promise<Check[]> {
  const { alg, kid } = jwt.header
  const allowed = listOf(realm.metadata.id_token_signing_alg_values_supported)
  const isAllowed = typeof alg === 'string' && allowed.includes(alg)
  const algorithm = judge('algorithm', isAllowed, {
    good: `${String(alg)} is one of the issuer’s algorithms.`,
    bad: `The header says ${JSON.stringify(alg) ?? 'nothing'}; the issuer signs with ${allowed.join(', ') || 'nothing'}.`,
    remedy: algorithmRemedy,
  })
  const { keys } = await fetchKeys(realm)
  const key = keys.find((candidate) => typeof kid === 'string' && candidate.kid === kid)
  const known = judge('key', key !== undefined, {
    good: `The key ${String(kid)} is in the issuer’s key set.`,
    bad: `The key ${JSON.stringify(kid) ?? '(no kid)'} is not among the ${keys.length} of the issuer.`,
    remedy: 'It was deleted after a rotation, or the token is of another realm or server. Get a new token.',
  })
  if (!isAllowed || !key) return [algorithm, known, fail('signature', 'Nothing shows that the issuer made it.')]
  return [algorithm, known, await verifySignature(jwt.token, key, alg)]
}

async function verifySignature(token: string, key: JWK, alg: string): Promise<Check> {
  try {
    await compactVerify(token, await importJWK(key, alg), { algorithms: [alg] })
    return pass('signature', 'It was made with that key, and nothing was changed since.')
  } catch {
    const remedy = 'Somebody or something changed the token after it was signed: compare it with what the issuer gave.'
    return fail('signature', 'The signature does not fit the key.', remedy)
  }
}
