import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Services } from '../../domain/context/index.ts'
import {
  formPostHeaders,
  pageHeaders,
  renderFormPostPage,
  renderLoggedOutPage,
  renderLogoutPage,
} from '../../pages/index.ts'
import { findUsableUser } from './account.ts'
import { clientFacts } from './client-metadata.ts'
import type { IssuerParts } from './issuer.ts'
import { readLook, sendPage } from './page-context.ts'
import type { Payload } from './unit.ts'

/** Asks before signing out, unless the application proves with an ID token of this very session that it may (S35). */
export async function renderLogout(
  services: Services,
  parts: IssuerParts,
  ctx: KoaContextWithOIDC,
  _form: string,
): Promise<void> {
  const { session, client } = ctx.oidc
  const look = await readLook(services, parts.realmId)
  const action = `/realms/${parts.realmId}/logout/confirm`
  const xsrf = (session!.state as { secret: string }).secret
  const asking = client ? { clientId: client.clientId, name: client.clientName ?? null } : null
  const leadsTo = ctx.oidc.params?.post_logout_redirect_uri as string | undefined
  const formAction = leadsTo ? [leadsTo, 'https:'] : []
  if (isOwnSession(ctx)) {
    const fields = { xsrf, logout: 'yes' }
    const html = renderFormPostPage({ realm: look, client: asking, action, fields })
    const headers = formPostHeaders(`${new URL(parts.issuer).origin}${action}`, {
      formAction,
      dataImages: look.usesDataImages,
    })
    return sendPage(ctx, headers, html)
  }
  const user = await findUsableUser(services, parts.realmId, session!.accountId!)
  const html = renderLogoutPage({
    realm: look,
    action,
    fields: { xsrf },
    client: asking,
    username: user?.username ?? null,
  })
  sendPage(ctx, pageHeaders({ dataImages: look.usesDataImages, formAction }), html)
}

function isOwnSession(ctx: KoaContextWithOIDC): boolean {
  const hint = ctx.oidc.entities.IdTokenHint?.payload as { sid?: string } | undefined
  const sid = ctx.oidc.client ? ctx.oidc.session?.sidFor(ctx.oidc.client.clientId) : undefined
  return hint?.sid !== undefined && hint.sid === sid
}

export async function renderLoggedOut(services: Services, parts: IssuerParts, ctx: KoaContextWithOIDC): Promise<void> {
  const look = await readLook(services, parts.realmId)
  sendPage(ctx, pageHeaders({ dataImages: look.usesDataImages }), renderLoggedOutPage({ realm: look }))
}

/** The addresses by which applications without a server of their own learn of a logout (OpenID Connect Front-Channel Logout 1.0). */
export async function findFrontChannelFrames(
  ctx: KoaContextWithOIDC,
  issuer: string,
  authorizations: Record<string, Payload>,
): Promise<string[]> {
  const frames: string[] = []
  for (const [clientId, { sid }] of Object.entries(authorizations).slice(0, maxFrames)) {
    const uri = clientFacts(await ctx.oidc.provider.Client.find(clientId))?.frontchannelLogoutUri
    if (!uri) continue
    const frame = new URL(uri)
    frame.searchParams.set('iss', issuer)
    frame.searchParams.set('sid', String(sid))
    frames.push(frame.href)
  }
  return frames
}

// More frames than a browser would load in the moment the page is seen.
const maxFrames = 50

/** Replaces the redirect after a logout by a page that first tells those applications. */
export async function showFrontChannel(
  services: Services,
  parts: IssuerParts,
  ctx: KoaContextWithOIDC,
  authorizations: Record<string, Payload>,
): Promise<void> {
  const frames = await findFrontChannelFrames(ctx, parts.issuer, authorizations)
  if (frames.length === 0) return
  const location = ctx.response.get('location')
  const isOutside = !location.startsWith(parts.issuer)
  const look = await readLook(services, parts.realmId)
  const client = ctx.oidc.client
  const asking = client ? { clientId: client.clientId, name: client.clientName ?? null } : null
  ctx.remove('location')
  ctx.status = 200
  const html = renderLoggedOutPage({ realm: look, frames, continueUrl: isOutside ? location : null, client: asking })
  sendPage(ctx, pageHeaders({ dataImages: look.usesDataImages, frameSources: frames }), html)
}
