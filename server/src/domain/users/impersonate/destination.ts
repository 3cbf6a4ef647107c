import { fieldError } from '../../../platform/errors/index.ts'
import type { Context } from '../../context/index.ts'
import type { ImpersonationInput } from './schema.ts'
import { selectPlaces } from './store.ts'

/**
 * Where the administrator goes as the person: what was asked for, else where the application is found (the sign-in there finds
 * the session), else the person's account. Nothing that is not registered, so that no link leads anywhere else (S23).
 */
export async function chooseDestination(ctx: Context, { clientId, redirectUri }: ImpersonationInput): Promise<string> {
  const client = clientId === undefined ? null : await selectPlaces(ctx.tx, ctx.realmId, clientId)
  if (clientId !== undefined && client === null) throw fieldError('clientId', 'There is no such client.')
  if (redirectUri !== undefined) return allowedPlace(ctx, redirectUri, client?.redirectUris ?? [])
  const { baseUrl } = ctx.services.config
  return client?.baseUrl ?? homeOf(client?.redirectUris ?? []) ?? `${baseUrl}/realms/${ctx.realmId}/account`
}

function allowedPlace({ services, realmId }: Context, redirectUri: string, registered: string[]): string {
  if (registered.includes(redirectUri)) return redirectUri
  const own = `${services.config.baseUrl}/realms/${realmId}/`
  // Browsers drop tabs and line breaks from addresses, and read a backslash as a slash.
  const isPath = /^\/[!-[\]-~]*$/.test(redirectUri)
  const target = isPath ? URL.parse(redirectUri, own) : null
  if (target?.href.startsWith(own)) return target.href
  throw fieldError('redirectUri', 'redirectUri is a redirect URI of the client or a path of this realm’s pages.')
}

/** The site that the first address on the web belongs to; a native application has none. */
function homeOf(redirectUris: string[]): string | null {
  const first = redirectUris.map((uri) => URL.parse(uri)).find((uri) => uri && /^https?:$/.test(uri.protocol))
  return first ? `${first.origin}/` : null
}
