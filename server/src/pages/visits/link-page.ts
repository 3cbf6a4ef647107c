import type { FastifyReply } from 'fastify'
import { type LinkPageProps, renderLinkPage } from '../self-service/index.ts'
import { frameOf, sendPage, type Visit } from './visit.ts'

type Shown = Pick<LinkPageProps, 'kind' | 'state' | 'token' | 'actions' | 'continueHref'>

/** Where a mailed link leads: a button to use it, or what became of it. */
export async function sendLinkPage(visit: Visit, shown: Shown): Promise<FastifyReply> {
  const { realm, locale, csrf } = await frameOf(visit, null)
  const action = visit.request.url.split('?')[0]!
  const loginHref = `/realms/${visit.realm.realmId}/login`
  const status = shown.state === 'EXPIRED' || shown.state === 'OTHER_BROWSER' ? 400 : 200
  return sendPage(visit, renderLinkPage({ realm, locale, csrf, action, loginHref, ...shown }), { status })
}
