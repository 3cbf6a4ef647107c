import type { FieldError } from '../../platform/errors/index.ts'
import { isCustomScheme } from '../clients/index.ts'
import { isAllowedHost } from './documents/address.ts'
import type { ClientMetadata } from './metadata-schema.ts'

type Fault = Pick<FieldError, 'field' | 'message'>

/** Whether the application lives in a browser's or on somebody's device; one that says neither shows it by its addresses. */
export function applicationType({ application_type, redirect_uris = [] }: ClientMetadata): 'web' | 'native' {
  return application_type ?? (redirect_uris.some((uri) => isCustomScheme(uri)) ? 'native' : 'web')
}

/**
 * Where a client that nobody looked at may send people: what is a redirect URI at all was judged before (S23); here it is about
 * which of them this application may have.
 */
export function redirectFaults(
  metadata: ClientMetadata,
  publicClient: boolean,
  allowedHosts: readonly string[],
): Fault[] {
  const isNative = applicationType(metadata) === 'native'
  return (['redirect_uris', 'post_logout_redirect_uris'] as const).flatMap((member) =>
    (metadata[member] ?? []).flatMap((uri, at) => {
      const message = redirectFault(uri, { isNative, publicClient, allowedHosts })
      return message === null ? [] : [{ field: `${member}[${at}]`, message }]
    }),
  )
}

function redirectFault(
  uri: string,
  {
    isNative,
    publicClient,
    allowedHosts,
  }: { isNative: boolean; publicClient: boolean; allowedHosts: readonly string[] },
): string | null {
  if (isCustomScheme(uri)) {
    if (!isNative) return 'Custom schemes are for application_type native.'
    // Any app on a device may claim a custom scheme, so it proves nothing about a client that keeps secrets.
    if (!publicClient) return 'Custom schemes are for public clients: token_endpoint_auth_method none.'
  }
  if (isAllowedHost(placeOf(uri), allowedHosts)) return null
  return 'The realm does not allow this address; ask its administrators for dcrAllowedRedirectHosts.'
}

/** What is compared with the realm's list: the host without its port, or a custom scheme with its colon. */
function placeOf(uri: string): string {
  if (isCustomScheme(uri)) return `${uri.split(':')[0]!.toLowerCase()}:`
  return URL.parse(uri)?.hostname ?? ''
}

/** Front-Channel Logout 1.0 section 2: a page in our frame may only be one of a place that people are sent to anyway. */
export function frontchannelFaults({ frontchannel_logout_uri: uri, redirect_uris = [] }: ClientMetadata): Fault[] {
  if (uri === undefined) return []
  const origin = URL.parse(uri)?.origin
  if (redirect_uris.some((place) => !isCustomScheme(place) && URL.parse(place)?.origin === origin)) return []
  return [{ field: 'frontchannel_logout_uri', message: 'It must have the origin of a redirect URI.' }]
}
