import type { ClientInput } from '../../clients/index.ts'
import { RegistrationFault } from '../faults.ts'
import { type RegistrationRules, toClientInput } from '../metadata.ts'
import { type ClientMetadata, parseClientMetadata } from '../metadata-schema.ts'
import { isAllowedHost } from './address.ts'
import { DocumentRefusal } from './refusal.ts'

/** What a realm says about clients that their documents describe (contract 4.15). */
export interface DocumentRules {
  enabled: boolean
  /** Hosts, or `*.host`; empty = any. */
  allowedHosts: readonly string[]
  /** How many clients may come by themselves, in whichever way. */
  maxClients: number
  /** What holds for every application that describes itself. */
  registration: RegistrationRules
}

/** What a document may say. Logout calls, algorithms and the like are for clients that somebody here looked at. */
const members = [
  ...(['client_name', 'client_uri', 'redirect_uris', 'post_logout_redirect_uris', 'grant_types'] as const),
  ...(['response_types', 'scope', 'application_type', 'jwks', 'jwks_uri', 'dpop_bound_access_tokens'] as const),
  'require_pushed_authorization_requests',
] as const satisfies (keyof ClientMetadata)[]

// A stranger who signs nobody in has nothing to do here: no service account, no device, no exchange of tokens.
const grantTypes = ['authorization_code', 'refresh_token'] as const

/** The document as a client of ours, or a DocumentRefusal that says what is wrong with it. */
export function judgeDocument(address: string, document: Record<string, unknown>, rules: DocumentRules): ClientInput {
  // Section 4.1 of the draft: compared as texts. Otherwise any host could publish a copy of somebody's document.
  if (document.client_id !== address) throw refuse('client_id in the document is not the address of the document.')
  if (Object.keys(document).some((name) => name.startsWith('client_secret'))) {
    throw refuse('A document is public: it must not contain client_secret or client_secret_expires_at.')
  }
  const method = document.token_endpoint_auth_method ?? 'none'
  if (method !== 'none' && method !== 'private_key_jwt') {
    throw refuse('token_endpoint_auth_method must be none or private_key_jwt: nobody shares a secret with a document.')
  }
  const known = Object.fromEntries(members.filter((name) => name in document).map((name) => [name, document[name]]))
  return asRefusal(() => {
    const { client_uri, ...metadata } = parseClientMetadata({ ...known, token_endpoint_auth_method: method })
    checkKeyHost(metadata, rules)
    // Whoever wrote the document speaks for its own origin only; a page elsewhere would lend it somebody else's name.
    const isOwn = client_uri !== undefined && URL.parse(client_uri)?.origin === new URL(address).origin
    const input = toClientInput({ ...metadata, ...(isOwn ? { client_uri } : {}) }, address, {
      ...rules.registration,
      allowedGrantTypes: grantTypes,
    })
    if (!input.grantTypes.includes('authorization_code')) throw refuse('grant_types must hold authorization_code.')
    return input
  })
}

/** Keys decide who may act as the client, so they come from where clients may come from. */
function checkKeyHost({ jwks_uri: uri }: ClientMetadata, { allowedHosts }: DocumentRules): void {
  const host = uri === undefined ? null : URL.parse(uri)?.hostname
  if (host && !isAllowedHost(host, allowedHosts)) throw refuse('The realm does not allow the host of jwks_uri.')
}

function refuse(message: string, cause?: unknown): DocumentRefusal {
  return new DocumentRefusal('INVALID', message, { cause })
}

function asRefusal<T>(judge: () => T): T {
  try {
    return judge()
  } catch (error) {
    if (error instanceof RegistrationFault) throw refuse(`The document of client_id: ${error.description}`, error)
    throw error
  }
}
