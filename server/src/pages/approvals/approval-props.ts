import type { AskedResource, AskedScope } from '../components/index.ts'
import type { Locale } from '../messages/index.ts'
import type { RealmLook } from '../shell.tsx'

/** The application that asks. */
export interface ApprovalClient {
  clientId: string
  name: string | null
  baseUrl: string | null
  /** The host that stands behind a client nobody of the realm registered; null else. */
  host: string | null
  /** True for a client that registered itself (RFC 7591) and that nobody of the realm has looked at. */
  selfRegistered?: boolean
}

/** Where the request was made. */
export interface ApprovalPlace {
  address: string | null
  userAgent: string | null
  /** Milliseconds since 1970, as are all moments here. */
  at: number
}

export interface ApprovalPageProps {
  realm: RealmLook
  locale?: Locale
  csrf: string
  /** Gets `decision` = `allow`, `deny` or `switch` (use another account). */
  action: string
  kind: 'device' | 'ciba'
  client: ApprovalClient
  username: string
  /** Of a device: the code it shows. */
  userCode: string | null
  /** Of CIBA: `binding_message`, which the application shows as well. */
  bindingMessage: string | null
  /** Of a device all of it is shown; of CIBA only the moment, since its requests come from the application's server. */
  place: ApprovalPlace
  scopes: AskedScope[]
  resources: AskedResource[]
  expiresAt: number
  now: number
  /** Sent back unseen with every answer. */
  fields?: Readonly<Record<string, string>>
}
