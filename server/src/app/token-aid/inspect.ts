import { type Check, note } from './check.ts'
import { checkAudience, checkClient, checkNonce, checkScope, checkTimes, checkType } from './claim-checks.ts'
import { checkClientSigned } from './client-checks.ts'
import { decodeJwt, type Json, recogniseKind, recogniseOpaque, type TokenKind } from './decode.ts'
import type { Expectations, Inspection } from './inspection.ts'
import { checkProof, checkSenderConstraint } from './proof-checks.ts'
import { checkIssuerAndSignature } from './signature-checks.ts'

export interface Report {
  kind: TokenKind
  /** No check failed. */
  good: boolean
  header: Json | null
  claims: Json | null
  checks: Check[]
}

/** Everything that can be said about a token without asking for it to be introspected. */
export async function inspectToken(token: string, expected: Expectations, now: () => number): Promise<Report> {
  const jwt = decodeJwt(token)
  if (!jwt) return reportOpaque(token)
  const inspection: Inspection = { jwt, kind: recogniseKind(jwt), expected, now, nowMs: now() }
  const checks = await runChecks(inspection)
  const good = checks.every(({ ok }) => ok !== false)
  return { kind: inspection.kind, good, header: jwt.header, claims: jwt.claims, checks }
}

async function runChecks(inspection: Inspection): Promise<Check[]> {
  const { jwt, kind } = inspection
  const times = checkTimes(inspection)
  if (kind === 'dpop-proof') return [checkType(inspection), ...(await checkProof(inspection, jwt))]
  if (kind === 'client-assertion' || kind === 'request-object') {
    return [checkType(inspection), ...times, ...(await checkClientSigned(inspection))]
  }
  const checks = [
    ...(await checkIssuerAndSignature(inspection)),
    checkType(inspection),
    ...times,
    checkAudience(inspection),
    ...checkClient(inspection),
    ...checkScope(inspection),
    ...checkNonce(inspection),
  ]
  if (kind !== 'access-token') return checks
  const text = 'Whether it was revoked, only the issuer knows.'
  const revoked = note('revoked', text, 'Ask /introspect with the credentials of the client it was given to.')
  return [...checks, ...(await checkSenderConstraint(inspection)), revoked]
}

function reportOpaque(token: string): Report {
  const kind = recogniseOpaque(token)
  const text =
    kind === 'encrypted'
      ? 'It is encrypted: only the holder of the private key can read it.'
      : 'It is no JWT. Refresh tokens, codes and device codes look like this, and only the issuer can say what they are worth.'
  const remedy =
    kind === 'encrypted'
      ? 'Decrypt it first, then inspect what is inside.'
      : 'Send it to /introspect with the credentials of its client; a refresh token goes to /token and nowhere else.'
  return { kind, good: true, header: null, claims: null, checks: [note('form', text, remedy)] }
}
