import type { KoaContextWithOIDC } from 'oidc-provider'
import { isStorable } from '../../platform/text/index.ts'
import { errors } from './internals.ts'

/**
 * Refuses a request with text that no column holds: it is kept until somebody signs in or answers, and would fail there with an
 * error of ours. Runs where requests begin, after the engine's own checks.
 */
export function checkTexts(ctx: KoaContextWithOIDC): void {
  const params = Object.entries(ctx.oidc.params ?? {})
  const broken = params.find(([, value]) =>
    [value].flat().some((text) => typeof text === 'string' && !isStorable(text)),
  )
  if (broken) throw new errors.InvalidRequest(`${broken[0]} contains NUL or half a character`)
  const { claims } = ctx.oidc.params as { claims?: string }
  if (claims !== undefined) checkClaims(JSON.parse(claims) as { id_token?: { acr?: object | null } })
}

// How JSON writes what isStorable refuses.
const unstorable = /\\u(0000|d[89a-f])/

function checkClaims(claims: { id_token?: { acr?: object | null } }): void {
  if (unstorable.test(JSON.stringify(claims))) {
    throw new errors.InvalidRequest('claims contains NUL or half a character')
  }
  const { value, values } = (claims.id_token?.acr ?? {}) as { value?: unknown; values?: unknown }
  const names = [...(value === undefined ? [] : [value]), ...(Array.isArray(values) ? values : [])]
  const isList = values === undefined || Array.isArray(values)
  if (!isList || names.some((name) => typeof name !== 'string')) {
    throw new errors.InvalidRequest('claims.id_token.acr: value is a text and values a list of texts')
  }
}
