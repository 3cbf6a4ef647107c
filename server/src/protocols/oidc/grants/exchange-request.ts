import { errors } from '../internals.ts'

export const exchangeParameters = [
  ...['subject_token', 'subject_token_type', 'actor_token', 'actor_token_type', 'requested_token_type'],
  ...['scope', 'resource', 'audience'],
]

const prefix = 'urn:ietf:params:oauth:token-type:'
/** RFC 8693 section 3: our access tokens are JWTs, so both names are true of them. */
const tokenTypes: ReadonlySet<string> = new Set([`${prefix}access_token`, `${prefix}jwt`])

/** What an application asks of an exchange, well-formed; nothing of it is believed yet. */
export interface ExchangeRequest {
  subjectToken: string
  actorToken: string | null
  /** The type of the token that is given, as it was asked for. */
  issuedTokenType: string
  /** Null where none were named. */
  scopes: string[] | null
  /** Whom the token is to be for; empty where nothing was named. */
  targets: string[]
}

export function readExchange(params: Readonly<Record<string, unknown>>): ExchangeRequest {
  const text = (name: string) => (typeof params[name] === 'string' && params[name] !== '' ? params[name] : null)
  const subjectToken = text('subject_token')
  if (subjectToken === null) throw new errors.InvalidRequest("missing required parameter 'subject_token'")
  checkType('subject_token_type', text('subject_token_type'))
  const actorToken = text('actor_token')
  if (actorToken !== null) checkType('actor_token_type', text('actor_token_type'))
  else if (text('actor_token_type') !== null)
    throw new errors.InvalidRequest('actor_token_type is sent only with actor_token')
  const requested = text('requested_token_type')
  if (requested !== null) checkType('requested_token_type', requested)
  const scopes = text('scope')?.split(' ').filter(Boolean) ?? null
  const targets = [...list(params.resource).map(checkResource), ...list(params.audience)]
  const issuedTokenType = requested ?? `${prefix}access_token`
  return { subjectToken, actorToken, issuedTokenType, scopes, targets: [...new Set(targets)] }
}

function checkType(name: string, value: string | null): void {
  if (value === null) throw new errors.InvalidRequest(`missing required parameter '${name}'`)
  if (!tokenTypes.has(value)) throw new errors.InvalidRequest(`${name} must be ${[...tokenTypes].join(' or ')}`)
}

function list(value: unknown): string[] {
  return [value].flat().filter((entry): entry is string => typeof entry === 'string' && entry !== '')
}

/** RFC 8707 section 2. */
function checkResource(resource: string): string {
  if (!URL.canParse(resource) || resource.includes('#'))
    throw new errors.InvalidTarget('resource indicator must be an absolute URI without a fragment')
  return resource
}
