import { createHash } from 'node:crypto'
import { calculateJwkThumbprint, compactVerify, importJWK, type JWK } from 'jose'
import { type Check, fail, judge, note, pass } from './check.ts'
import { type DecodedJwt, decodeJwt, typeOf } from './decode.ts'
import type { Inspection } from './inspection.ts'
import { describeDistance, isTime } from './times.ts'

// A proof is made for one request; the service takes it this long after, and before, its iat.
const maxProofAgeSeconds = 300
const proofAlgorithms = ['ES256', 'PS256', 'EdDSA', 'Ed25519']

/** Is the token bound to a key, and does the proof show that key (RFC 9449)? */
export async function checkSenderConstraint(inspection: Inspection): Promise<Check[]> {
  const { jwt, expected } = inspection
  const confirmation = jwt.claims.cnf as { jkt?: unknown; 'x5t#S256'?: unknown } | undefined
  const thumbprint = confirmation?.jkt
  if (confirmation?.['x5t#S256'] !== undefined) {
    return [note('binding', 'It is bound to a TLS client certificate (RFC 8705), which cannot be looked at from here.')]
  }
  if (typeof thumbprint !== 'string') {
    if (expected.proof === undefined) return [pass('binding', 'It is a bearer token: whoever holds it may use it.')]
    const remedy = 'Send the proof to /token as well, or switch `dpopBoundAccessTokens` on at the client.'
    return [fail('binding', 'There is a proof, but the token is not bound to a key (no cnf.jkt).', remedy)]
  }
  if (expected.proof === undefined) {
    const remedy = 'Send `Authorization: DPoP …` with a proof; give --dpop-proof, --method and --url to check one.'
    return [note('binding', `It is bound to the key ${thumbprint}.`, remedy)]
  }
  const proof = decodeJwt(expected.proof)
  if (!proof) return [fail('proof', 'What was given as proof is no JWT.')]
  const shown = await thumbprintOf(proof)
  const binding = judge('binding', shown === thumbprint, {
    good: 'The proof was made with the key the token is bound to.',
    bad: `The token is bound to the key ${thumbprint}, the proof shows ${shown ?? 'none'}.`,
    remedy: 'Keep the key pair that was used at /token as long as the token.',
  })
  return [binding, ...(await checkProof(inspection, proof)), checkHash(proof, jwt.token)]
}

async function thumbprintOf({ header }: DecodedJwt): Promise<string | null> {
  try {
    return await calculateJwkThumbprint(header.jwk as JWK)
  } catch {
    return null
  }
}

function checkHash({ claims }: DecodedJwt, token: string): Check {
  const hash = createHash('sha256').update(token).digest('base64url')
  return judge('proof-hash', claims.ath === hash, {
    good: 'The proof is for this token (ath).',
    bad: claims.ath === undefined ? 'The proof has no ath.' : 'The proof is for another token (ath).',
    remedy: 'Put base64url(SHA-256(token)) into ath of a new proof.',
  })
}

/** The proof by itself: its type, key, signature, and that it is for this request and new. */
export async function checkProof(inspection: Inspection, proof: DecodedJwt): Promise<Check[]> {
  const { method, url } = inspection.expected
  const { header, claims } = proof
  const checks: Check[] = [
    judge('proof-type', typeOf(header) === 'dpop+jwt', {
      good: 'Its typ is dpop+jwt.',
      bad: `Its typ is ${JSON.stringify(header.typ) ?? 'missing'}, not dpop+jwt.`,
      remedy: 'Set typ in the header.',
    }),
    await checkProofSignature(proof),
    judge('proof-id', typeof claims.jti === 'string' && claims.jti !== '', {
      good: 'It has an id (jti); each may be used once.',
      bad: 'It has no jti.',
      remedy: 'Put a new random value into every proof.',
    }),
    checkAge(claims.iat, inspection.nowMs),
  ]
  if (method === undefined && url === undefined) {
    const text = `It is for ${String(claims.htm)} ${String(claims.htu)}.`
    return [...checks, note('proof-request', text, 'Give --method and --url to have that compared.')]
  }
  if (method !== undefined) {
    checks.push(
      judge('proof-method', claims.htm === method.toUpperCase(), {
        good: `It is for ${method.toUpperCase()} (htm).`,
        bad: `It is for ${String(claims.htm)}, not for ${method.toUpperCase()} (htm).`,
        remedy: 'Make a proof for every request.',
      }),
    )
  }
  if (url !== undefined) checks.push(checkAddress(claims.htu, url))
  return checks
}

async function checkProofSignature({ header, token }: DecodedJwt): Promise<Check> {
  const jwk = header.jwk as JWK | undefined
  const { alg } = header
  if (typeof jwk !== 'object' || jwk === null) return fail('proof-key', 'Its header has no public key (jwk).')
  if ('d' in jwk || 'k' in jwk) {
    return fail(
      'proof-key',
      'Its header holds a private key.',
      'Throw that key away, and put only the public half into jwk.',
    )
  }
  if (typeof alg !== 'string' || !proofAlgorithms.includes(alg)) {
    const remedy = `Sign with one of ${proofAlgorithms.slice(0, 3).join(', ')}.`
    return fail('proof-signature', `Its algorithm is ${JSON.stringify(alg) ?? 'missing'}.`, remedy)
  }
  try {
    await compactVerify(token, await importJWK(jwk, alg), { algorithms: [alg] })
    return pass('proof-signature', 'It was signed with the key in its header.')
  } catch {
    return fail('proof-signature', 'The signature does not fit the key in its header.', 'Sign with that key.')
  }
}

function checkAge(iat: unknown, nowMs: number): Check {
  if (!isTime(iat)) return fail('proof-age', 'It has no time (iat).')
  const off = Math.abs(iat - nowMs / 1000)
  return judge('proof-age', off <= maxProofAgeSeconds, {
    good: `It was made ${describeDistance(iat, nowMs)}.`,
    bad: `It was made ${describeDistance(iat, nowMs)}; only ${maxProofAgeSeconds / 60} minutes are allowed.`,
    remedy: 'Set the clock, and make a proof right before each request.',
  })
}

function checkAddress(htu: unknown, url: string): Check {
  const plain = (text: unknown) => {
    const parsed = typeof text === 'string' ? URL.parse(text) : null
    return parsed ? parsed.origin + parsed.pathname : null
  }
  const wanted = plain(url)
  return judge('proof-address', wanted !== null && plain(htu) === wanted, {
    good: `It is for ${wanted} (htu).`,
    bad: `It is for ${String(htu)}, not for ${wanted ?? url} (htu).`,
    remedy: 'Sign the public address without query and fragment, as the discovery document gives it.',
  })
}
