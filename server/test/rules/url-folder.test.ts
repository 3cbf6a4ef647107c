// The finding rule: strip the ids from a URL and you have the folder.
// Architecture 2. Every route of the service, as it is registered, is looked up where its URL says it is.
import { channel } from 'node:diagnostics_channel'
import { existsSync, globSync, statSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../src/app/build-app.ts'
import { type Module, modules } from '../../src/app/module-list.ts'
import type { AnyAdminRoute } from '../../src/domain/admin-route/index.ts'
import { getNode } from '../harness/index.ts'

const source = fileURLToPath(new URL('../../src/', import.meta.url))

/** URLs that are found elsewhere, with the folder they are in. The list may only shrink, or follow architecture 2. */
const elsewhere: Record<string, string> = {
  '/subject-claim': 'domain/settings',
  '/flow': 'domain/flows',
  '/authenticators': 'domain/flows',
  '/import': 'domain/transfer',
  '/export': 'domain/transfer',
  '/endpoints': 'domain/monitoring',
  '/health': 'domain/monitoring',
  '/metrics/summary': 'domain/monitoring',
  '/whoami': 'domain/sessions',
  '/audit/config': 'domain/events',
}

const isFolder = (folder: string) => existsSync(source + folder) && statSync(source + folder).isDirectory()
const withoutIds = (path: string) => path.replaceAll(/\/(\{\w+\}|:\w+)/g, '')

/** The longest folder along the URL. */
function folderOf(path: string): string {
  const plain = withoutIds(path)
  if (elsewhere[plain]) return elsewhere[plain]
  const parts = plain.split('/').filter(Boolean)
  while (parts.length > 0 && !isFolder(`domain/${parts.join('/')}`)) parts.pop()
  return `domain/${parts.join('/')}`
}

const adminUrls = modules.flatMap((module) =>
  (module.routes ?? []).map((route): [string, AnyAdminRoute, Module] => [
    `${route.method} ${route.path}`,
    route,
    module,
  ]),
)

/** The route objects that the files called routes.ts of a folder export. */
async function routesIn(folder: string): Promise<Set<unknown>> {
  const found = new Set<unknown>()
  for (const file of globSync(`${folder}/**/routes.ts`, { cwd: source })) {
    const exported = (await import(pathToFileURL(source + file).href)) as Record<string, unknown>
    for (const value of Object.values(exported)) if (Array.isArray(value)) for (const route of value) found.add(route)
  }
  return found
}

describe('the admin route', () => {
  test.each(adminUrls)('%s is in the folder that its URL names', async (_label, route, module) => {
    expect(module.folder).toBe(folderOf(route.path))
    expect(await routesIn(module.folder)).toContain(route)
  })

  test('list of exceptions is needed where it names a folder that exists', () => {
    const paths = adminUrls.map(([, route]) => withoutIds(route.path))
    const unused = Object.entries(elsewhere).filter(([path, folder]) => isFolder(folder) && !paths.includes(path))
    // Settled ahead of their issues by architecture 2; the folder is there for another reason.
    expect(unused.map(([path]) => path).filter((path) => path !== '/subject-claim')).toEqual([])
  })
})

/** What is served beside the admin API: by the beginning of its URL, longest first. */
const surfaces: [prefix: string, folder: string][] = [
  ['/monitoring', 'domain/monitoring'],
  ['/console', 'protocols/account'],
  ['/errors', 'app/description'],
  ['/v3/api-docs', 'app/description'],
  ['/interactive-docs', 'app/description'],
  ['/assets', 'app'],
  ['/.well-known', 'protocols/oidc'],
  // The front door leads to the console of the system realm.
  ['/', 'app'],
]

const oauthSegments = new Set([
  ...['.well-known', 'authorize', 'token', 'userinfo', 'logout', 'introspect', 'revoke', 'par', 'consent'],
  ...['device', 'device_authorization', 'bc-authorize', 'approve'],
])

interface Registered {
  url: string
  file: string
}

/** Every URL with the file of ours that registered it. */
async function collectRoutes(): Promise<Registered[]> {
  const { services, state } = await getNode()
  const registered: Registered[] = []
  const onRoute = ({ url }: { url: string }) => {
    const frames = (new Error('who').stack ?? '').split('\n').map((frame) => /src\/([^:)]+)/.exec(frame)?.[1])
    const file = frames.find((frame) => frame && !frame.startsWith('platform/'))
    if (file) registered.push({ url, file: file.replace(/\?.*$/, '') })
  }
  const initialised = channel('fastify.initialization')
  const listen = (message: unknown) =>
    (message as { fastify: { addHook(name: string, hook: typeof onRoute): void } }).fastify.addHook('onRoute', onRoute)
  Error.stackTraceLimit = 50
  initialised.subscribe(listen)
  const app = await buildApp({ services, state, metricsText: async () => '' })
  initialised.unsubscribe(listen)
  Error.stackTraceLimit = 10
  await app.close()
  return registered
}

describe('the URL', () => {
  let registered: Registered[]
  beforeAll(async () => {
    registered = await collectRoutes()
  })

  test('of every protocol surface names its folder', () => {
    const protocols = registered.filter(({ url }) => url.startsWith('/realms/:realm'))
    expect(protocols.length).toBeGreaterThan(4)
    const wrong = protocols.filter(({ url, file }) => {
      const segment = withoutIds(url).split('/')[2]!
      // Architecture 2: every OAuth and OpenID Connect path is in one folder.
      // Except that a device which is enrolled is another one than a device that shows a code.
      const isOauth = oauthSegments.has(segment) && !withoutIds(url).startsWith('/realms/device/enroll')
      return !file.startsWith(`protocols/${isOauth ? 'oidc' : segment}/`)
    })
    expect(wrong).toEqual([])
  })

  test('of everything else is in the list of surfaces', () => {
    const rest = registered.filter(({ url }) => !url.startsWith('/realms/:realm') && !url.startsWith('/admin'))
    const wrong = rest.filter(({ url, file }) => {
      const folder = surfaces.find(([prefix]) => url === prefix || (prefix !== '/' && url.startsWith(prefix)))?.[1]
      return !folder || !file.startsWith(`${folder}/`)
    })
    expect(wrong).toEqual([])
    for (const [prefix] of surfaces)
      expect(
        rest.some(({ url }) => url.startsWith(prefix)),
        prefix,
      ).toBe(true)
  })

  test('under /admin is registered by the interpreter alone', () => {
    const admin = registered.filter(({ url }) => url.startsWith('/admin'))
    expect(admin.length).toBeGreaterThan(40)
    expect(admin.filter(({ file }) => !file.startsWith('app/admin-surface/'))).toEqual([])
  })
})
