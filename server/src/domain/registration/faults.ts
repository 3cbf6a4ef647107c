import { DomainError, errorKinds, type FieldError } from '../../platform/errors/index.ts'
import { truncate } from '../../platform/text/index.ts'

/** RFC 7591 section 3.2.2, and what the specification adds for who may not register at all (contract 2.25). */
export type RegistrationError = 'invalid_redirect_uri' | 'invalid_client_metadata' | 'invalid_token' | 'access_denied'

// Long enough for every fault of a careless request, short enough for a log line.
const maxDescription = 1000

/** Why an application cannot be registered, in words for whoever wrote its metadata. */
export class RegistrationFault extends Error {
  readonly error: RegistrationError
  readonly description: string

  constructor(error: RegistrationError, description: string, cause?: unknown) {
    super(`${error}: ${description}`, { cause })
    this.name = 'RegistrationFault'
    this.error = error
    this.description = truncate(description, maxDescription)
  }
}

export function metadataFault(member: string, message: string): RegistrationFault {
  return toFault([{ field: member, message }])
}

/** Our members and what the standards call them; a fault is told in the words of the request. */
const standardNames: Record<string, string> = {
  name: 'client_name',
  redirectUris: 'redirect_uris',
  postLogoutRedirectUris: 'post_logout_redirect_uris',
  grantTypes: 'grant_types',
  scopes: 'scope',
  tokenEndpointAuthMethod: 'token_endpoint_auth_method',
  jwksUri: 'jwks_uri',
  baseUrl: 'client_uri',
  backchannelLogoutUri: 'backchannel_logout_uri',
  frontchannelLogoutUri: 'frontchannel_logout_uri',
  defaultAcrValues: 'default_acr_values',
  tokenSigningAlg: 'id_token_signed_response_alg',
}

/**
 * Every place that is wrong in one description, each with its first fault: the next ones often only follow from it. One about a
 * redirect URI alone has an error code of its own.
 */
export function toFault(faults: Pick<FieldError, 'field' | 'message'>[]): RegistrationFault {
  const told = faults.map(({ field, message }) => {
    const [, member = '', rest = ''] = /^([^.[]*)(.*)$/.exec(field) ?? []
    return { member: standardNames[member] ?? member, rest, message }
  })
  const isRedirect = told.length > 0 && told.every(({ member }) => member === 'redirect_uris')
  const places = Map.groupBy(told, ({ member, rest }) => `${member}${rest}`)
  const description = [...places].map(([place, [first]]) => `${place}: ${first!.message}`).join(' ')
  return new RegistrationFault(isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata', description)
}

/** The fault behind an error, told as a registrant knows it; null for what is no fault of theirs. */
export function faultOf(error: unknown): RegistrationFault | null {
  if (error instanceof RegistrationFault) return error
  return error instanceof DomainError ? fromClientRules(error) : null
}

/** What the rules of clients refuse in general. */
function fromClientRules(error: DomainError): RegistrationFault | null {
  if (error.fields.length > 0 && errorKinds[error.code].status < 500) return toFault(error.fields)
  // The client can do more than who registered it: an administrator gave it that.
  if (error.code === 'escalation') {
    return new RegistrationFault('access_denied', 'This client was given more by an administrator; ask them.', error)
  }
  return null
}
