// The account pages: what somebody sees and changes of their own account in a browser, with or without script.
// Contract 4.5b, 4.32, 2.49, 2.55; S9, S38, S39.
// Mounted by protocols/account; every change is one of protocols/account/actions, as the JSON routes make it.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Services } from '../../../domain/context/index.ts'
import type { AccountPageName } from '../../../pages/account/index.ts'
import type { PageKit } from '../../../pages/page-kit.ts'
import { sendToSignIn } from '../../../pages/visits/index.ts'
import { refuseOtherMethods } from '../../../platform/http/index.ts'
import { changeApps, showApps } from './apps.ts'
import { type AccountVisit, readAccountVisit } from './holder.ts'
import { showOverview } from './overview.ts'
import { changePersonal, showPersonal } from './personal.ts'
import { changePlaces, showPlaces } from './places.ts'
import { changePrivacy, showPrivacy } from './privacy.ts'
import { changeSecurity, showSecurity } from './security.ts'

interface Handlers {
  name: AccountPageName
  path: string
  /** Of the page, and of what its forms do. */
  summary: string
  show(account: AccountVisit): Promise<FastifyReply>
  change?: (account: AccountVisit) => Promise<FastifyReply>
  changes?: string
}

const pages: Handlers[] = [
  { name: 'overview', path: '', summary: 'Your account', show: showOverview },
  {
    ...{ name: 'personal', path: '/personal', show: showPersonal, change: changePersonal },
    summary: 'Your name, addresses and language',
    changes: '`action` = `profile`, `contact` or `add` (prove the e-mail address).',
  },
  {
    ...{ name: 'security', path: '/security', show: showSecurity, change: changeSecurity },
    summary: 'Your password and factors',
    changes: '`action` = `password`, `add`, `rename` or `remove`.',
  },
  {
    ...{ name: 'places', path: '/places', show: showPlaces, change: changePlaces },
    summary: 'Your sessions, trusted browsers and devices',
    changes: '`action` = `end`, `end-others`, `forget`, `add` or `remove-device`.',
  },
  {
    ...{ name: 'apps', path: '/apps', show: showApps, change: changeApps },
    summary: 'What you allowed applications',
    changes: '`action` = `remove`.',
  },
  {
    ...{ name: 'privacy', path: '/privacy', show: showPrivacy, change: changePrivacy },
    summary: 'Your data, what happened lately, and the end of your account',
    changes: '`action` = `delete`, with your username as `confirmation`.',
  },
]

const params = z.object({ realm: z.string() })
const html = z.string().describe('HTML')

const describePage = (summary: string) => ({
  tags: ['pages'],
  summary,
  description: 'An HTML page; without a session a redirect to the sign-in. Permission: a session.',
  params,
  produces: ['text/html'],
  response: { 200: html, 303: z.null().describe('To the sign-in, and back.') },
  security: [{ session: [] }],
})

const describeChange = (summary: string, changes: string) => ({
  tags: ['pages'],
  summary: `${summary}: send a form`,
  description: `A form of the page: ${changes} Programs use the JSON routes of the account. Permission: your own session with \`_csrf\`; nobody who acts as you.`,
  params,
  consumes: ['application/x-www-form-urlencoded'],
  body: z.object({ _csrf: z.string(), action: z.string() }),
  produces: ['text/html'],
  response: {
    200: html,
    303: z.null().describe('Done: back to the page, which says so.'),
    400: z.string().describe('HTML: the form again, with what is wrong beside its fields.'),
    403: z.null().describe('The form is not ours, or somebody acts as you.'),
  },
  security: [{ session: [], csrf: [] }],
})

export function registerAccountPages(app: FastifyInstance, services: Services, kit: PageKit): void {
  const config = { renderError: kit.renderError }
  for (const { path, summary, show, change, changes } of pages) {
    const url = `/realms/:realm/account${path}`
    app.get(url, { config, schema: describePage(summary) }, async (request, reply) => {
      const realm = await kit.findOpenRealm(request)
      const account = await readAccountVisit(services, realm, request, reply)
      return account ? show(account) : sendToSignIn(reply, realm.realmId, request.url)
    })
    if (!change) continue
    app.post(url, { config, schema: describeChange(summary, changes!) }, async (request, reply) => {
      const realm = await kit.findOpenRealm(request)
      const account = await readAccountVisit(services, realm, request, reply)
      return account ? change(account) : sendToSignIn(reply, realm.realmId, `/realms/${realm.realmId}/account${path}`)
    })
    refuseOtherMethods(app, url, ['GET', 'POST'])
  }
  // DELETE of the account itself is a route for programs.
  refuseOtherMethods(app, '/realms/:realm/account', ['GET', 'DELETE'])
}
