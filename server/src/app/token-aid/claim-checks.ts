import { type Check, fail, judge, note, pass } from './check.ts'
import { kindNames, listOf, type TokenKind, typeOf, wordsOf } from './decode.ts'
import { type Inspection, skewSeconds } from './inspection.ts'
import { describeDistance, describeSpan, isTime } from './times.ts'

/** What is expected when nobody says it: who asks for scopes or brings a proof has an access token in mind. */
function expectedKind({ expected }: Inspection): TokenKind | null {
  if (expected.as) return expected.as
  if (expected.scope !== undefined || expected.proof !== undefined) return 'access-token'
  return expected.nonce === undefined ? null : 'id-token'
}

export function checkType(inspection: Inspection): Check {
  const { jwt, kind } = inspection
  const wanted = expectedKind(inspection)
  const type = typeOf(jwt.header) || 'none'
  if (wanted === null) return pass('type', `Its typ is ${type}: ${kindNames[kind]}.`)
  return judge('type', kind === wanted, {
    good: `Its typ is ${type}, as that of every ${wanted} here.`,
    bad: `This is no ${wanted} but: ${kindNames[kind]}.`,
    remedy:
      kind === 'id-token'
        ? 'Send `access_token` to APIs. An ID token tells the application who signed in, and an API must refuse it.'
        : 'Send the other token of the same answer.',
  })
}

export function checkTimes({ jwt: { claims }, kind, nowMs }: Inspection): Check[] {
  const now = Math.floor(nowMs / 1000)
  const checks: Check[] = []
  const { exp, nbf, iat } = claims
  // A proof has no end of its own: its age is looked at with the request.
  if (kind !== 'dpop-proof') {
    if (!isTime(exp)) checks.push(fail('expiry', 'It has no end (exp), or one that is no time.'))
    else {
      const span = describeSpan(exp - now)
      const remedy = kind === 'access-token' ? 'Refresh shortly before the end.' : 'Get a new one.'
      checks.push(
        judge('expiry', exp > now - skewSeconds, {
          // Within the tolerance it may have ended already.
          good: `It ${exp < now ? 'ended' : 'ends'} ${describeDistance(exp, nowMs)}.`,
          bad: `It ended ${span} ago.`,
          remedy,
        }),
      )
    }
  }
  if (nbf !== undefined) {
    const good = isTime(nbf) && nbf <= now + skewSeconds
    const bad = `It is not valid before ${isTime(nbf) ? describeDistance(nbf, nowMs) : JSON.stringify(nbf)} (nbf).`
    checks.push(judge('not-before', good, { good: 'It is valid already (nbf).', bad, remedy: 'Set the clocks.' }))
  }
  if (iat !== undefined) {
    const good = isTime(iat) && iat <= now + skewSeconds
    const bad = `It says that it was issued ${isTime(iat) ? describeDistance(iat, nowMs) : JSON.stringify(iat)}.`
    const told = isTime(iat) ? describeDistance(iat, nowMs) : ''
    checks.push(
      judge('issued', good, { good: `It was issued ${told}.`, bad, remedy: 'Set the clock of this machine.' }),
    )
  }
  return checks
}

export function checkAudience({ jwt: { claims }, kind, expected }: Inspection): Check {
  const audiences = listOf(claims.aud)
  const names = audiences.join(', ') || 'nobody'
  if (expected.audience === undefined) {
    const whose = kind === 'access-token' ? 'the address of your API' : 'your client_id'
    return note('audience', `It is for ${names}.`, `Give --audience with ${whose} to have it compared.`)
  }
  return judge('audience', audiences.includes(expected.audience), {
    good: `It is for ${expected.audience}.`,
    bad: `It is for ${names}, not for ${expected.audience}.`,
    remedy:
      kind === 'access-token'
        ? `Ask with resource=${expected.audience} and name it in the client’s allowed resources (or in its \`audiences\`).`
        : 'The aud of an ID token is the client_id it was made for.',
  })
}

export function checkClient({ jwt: { claims }, kind, expected: { client } }: Inspection): Check[] {
  if (client === undefined) return []
  if (kind === 'access-token') {
    const name = typeof claims.client_id === 'string' ? claims.client_id : claims.azp
    return [
      judge('client', name === client, {
        good: `It was given to ${client}.`,
        bad: `It was given to ${JSON.stringify(name) ?? 'nobody'}, not to ${client}.`,
        remedy: 'Another application got it: look where the token was taken from.',
      }),
    ]
  }
  const audiences = listOf(claims.aud)
  const names = typeof claims.azp === 'string' ? claims.azp : audiences.join(', ')
  // With several audiences azp says whom it was made for (OpenID Connect Core, 3.1.3.7).
  const isOurs = audiences.includes(client) && (claims.azp === undefined || claims.azp === client)
  return [
    judge('client', isOurs, {
      good: `It was made for ${client}.`,
      bad: `It was made for ${names}, not for ${client}.`,
      remedy: 'The application must refuse it: compare its client_id with the one at the realm.',
    }),
  ]
}

export function checkScope({ jwt: { claims }, expected }: Inspection): Check[] {
  const wanted = wordsOf(expected.scope)
  if (wanted.length === 0) return []
  const held = wordsOf(claims.scope)
  const missing = wanted.filter((scope) => !held.includes(scope))
  return [
    judge('scope', missing.length === 0, {
      good: `It has ${wanted.join(' ')}.`,
      bad: `It lacks ${missing.join(' ')}; it has ${held.join(' ') || 'none'}.`,
      remedy: 'Ask for the scope at /authorize or /token, and add it to the client’s `scopes`.',
    }),
  ]
}

export function checkNonce({ jwt: { claims }, expected: { nonce } }: Inspection): Check[] {
  if (nonce === undefined) return []
  return [
    judge('nonce', claims.nonce === nonce, {
      good: 'It has the nonce of the request.',
      bad: claims.nonce === undefined ? 'It has no nonce.' : 'Its nonce is another one than that of the request.',
      remedy: 'Keep the nonce with the state of the same attempt; several tabs need several.',
    }),
  ]
}
