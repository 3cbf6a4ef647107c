import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Services } from '../../domain/context/index.ts'
import { formPostHeaders, renderFormPostPage } from '../../pages/index.ts'
import type { IssuerParts } from './issuer.ts'
import { readLook, sendPage } from './page-context.ts'

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const unescape = (text: string) => text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!)

/** The engine answers `form_post` with a bare page and an inline script; people get ours, under the policy of our pages. */
export async function reShowFormPost(services: Services, parts: IssuerParts, ctx: KoaContextWithOIDC): Promise<void> {
  const form = typeof ctx.body === 'string' ? readForm(ctx.body) : null
  if (!form) return
  const { status } = ctx
  const look = await readLook(services, parts.realmId)
  const { client } = ctx.oidc
  const asking = client ? { clientId: client.clientId, name: client.clientName ?? null } : null
  const leadsTo = ctx.oidc.params?.post_logout_redirect_uri
  const dataImages = look.usesDataImages
  const options = { dataImages, formAction: typeof leadsTo === 'string' ? [leadsTo] : [] }
  sendPage(ctx, formPostHeaders(form.action, options), renderFormPostPage({ realm: look, client: asking, ...form }))
  ctx.status = status
}

function readForm(html: string): { action: string; fields: Record<string, string> } | null {
  if (!html.includes('<title>Submitting Callback</title>')) return null
  const action = /<form method="post" action="([^"]*)">/.exec(html)?.[1]
  if (action === undefined) return null
  const inputs = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)
  return {
    action: unescape(action),
    fields: Object.fromEntries([...inputs].map((input) => [input[1]!, unescape(input[2]!)])),
  }
}
