import type { FastifyReply } from 'fastify'
import { topLevelClaim } from '../../../domain/claims/index.ts'
import { type RealmScopes, scopesSection } from '../../../domain/client-scopes/index.ts'
import type { Consent } from '../../../domain/consents/index.ts'
import { type AllowedApp, renderAppsPage, renderRemoveAppStep } from '../../../pages/account/index.ts'
import { isUuid } from '../../../platform/ids/index.ts'
import { listApplications, revokeOwnConsent } from '../actions/applications.ts'
import { finish, isGone, pathOf, redirect, send } from './answer.ts'
import { type AccountVisit, change, look } from './holder.ts'

const pageSize = 25
// More than anybody has allowed; the page of a removal looks for one among them.
const searchedApps = 200

export async function showApps(account: AccountVisit): Promise<FastifyReply> {
  const { query, frame, holder, visit } = account
  if (query.step === 'remove') return showRemoval(account)
  const after = typeof query.after === 'string' && isUuid(query.after) ? { after: query.after } : {}
  const [{ rows, page }, scopes] = await Promise.all([
    look(account, (ctx) => listApplications(ctx, holder, { size: String(pageSize), ...after })),
    visit.realm.section(scopesSection),
  ])
  const shown = rows.slice(0, page.limit)
  const apps = shown.map(
    ({ application: { clientId, name, consent, signedIn, offlineAccess } }): AllowedApp => ({
      ...{ clientId, name },
      consent: consent && describeConsent(scopes, consent),
      isSignedIn: signedIn,
      isOffline: offlineAccess,
    }),
  )
  const last = rows.length > page.limit ? shown.at(-1)?.cursor : undefined
  const moreHref = last === undefined ? null : `${pathOf(account, 'apps')}?after=${last}`
  return send(account, renderAppsPage({ frame, apps, moreHref }))
}

/** In the words of the consent page, with the scopes that hold claims which were asked for one by one (S34). */
function describeConsent(scopes: RealmScopes, consent: Consent): AllowedApp['consent'] {
  const wanted = new Set(consent.claims)
  const holding = [...scopes.values()].filter(({ claims }) =>
    claims.some(({ claim }) => wanted.has(topLevelClaim(claim))),
  )
  const names = [...new Set([...consent.scopes, ...holding.map(({ name }) => name)])]
  const told = names.map((name) => {
    const scope = scopes.get(name)
    return scope?.consentText ?? scope?.description ?? name
  })
  return { scopes: told, grantedAt: consent.grantedAt, byAdmin: consent.source === 'ADMIN' }
}

async function showRemoval(account: AccountVisit): Promise<FastifyReply> {
  const { query, frame, holder } = account
  const { rows } = await look(account, (ctx) => listApplications(ctx, holder, { size: String(searchedApps) }))
  const app = rows.map(({ application }) => application).find(({ clientId }) => clientId === query.id)
  if (!app?.consent) return finish(account, 'apps', 'gone')
  return send(account, renderRemoveAppStep({ frame, app }))
}

export async function changeApps(account: AccountVisit): Promise<FastifyReply> {
  const { form, holder } = account
  if (form.action !== 'remove' || !form.id) return redirect(account, pathOf(account, 'apps'))
  try {
    await change(account, (ctx) => revokeOwnConsent(ctx, holder, form.id!))
  } catch (error) {
    if (isGone(error)) return finish(account, 'apps', 'gone')
    throw error
  }
  return finish(account, 'apps', 'app-removed')
}
