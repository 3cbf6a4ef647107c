import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defaultSettings, type RealmSettings } from '../../domain/settings/index.ts'
import type { RealmSnapshot, Section } from '../../domain/snapshot/index.ts'
import { renderThemeCss } from '../../pages/index.ts'
import { createEgress, type Egress, parseEgressRule } from '../../platform/egress/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { createLog } from '../../platform/log/index.ts'
import { brandingRoutes } from './index.ts'
import { contentTag } from './theme.ts'

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('picture')])
const svg = Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')

let host: Server
let base = ''
let egress: Egress
let calls: string[] = []

beforeAll(async () => {
  const files: Record<string, [type: string, body: Buffer]> = {
    '/logo.png': ['image/png', png],
    '/logo.svg': ['image/svg+xml; charset=utf-8', svg],
    '/page.png': ['image/png', Buffer.from('<html><script>alert(1)</script></html>')],
    '/page.html': ['text/html', Buffer.from('<svg></svg>')],
    '/large.png': ['image/png', Buffer.concat([png, Buffer.alloc(256 * 1024)])],
  }
  host = createServer((request, response) => {
    calls.push(request.url ?? '')
    const file = files[request.url ?? '']
    if (request.url === '/moved.png') return response.writeHead(302, { location: '/logo.png' }).end()
    if (!file) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': file[0] }).end(file[1])
  })
  // 127.0.0.2 stands for a public host: a rule opens it, and nothing else inside.
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.2', resolve))
  base = `http://127.0.0.2:${(host.address() as AddressInfo).port}`
  egress = createEgress({ allow: [parseEgressRule('http://127.0.0.2')] })
})

afterAll(async () => {
  await egress.close()
  host.closeAllConnections()
  host.close()
})

beforeEach(() => {
  calls = []
})

function buildApp(look: Partial<RealmSettings>, realm: Partial<RealmSnapshot> = {}): FastifyInstance {
  const settings: RealmSettings = { realmId: 'acme', ...defaultSettings, ...look }
  const css = renderThemeCss(settings)
  const sections: Record<string, unknown> = { settings, theme: { css, etag: contentTag(css) } }
  const snapshot: RealmSnapshot = {
    realmId: 'acme',
    configVersion: 1,
    displayName: null,
    enabled: true,
    system: false,
    createdAt: 0,
    section: async <T>(section: Section<T>) => sections[section.name] as T,
    ...realm,
  }
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof DomainError ? error.status : 500
    return reply.code(status).send({ code: error instanceof DomainError ? error.code : 'internal_error' })
  })
  brandingRoutes(app, {
    services: { egress, log: createLog({ level: 'silent' }) },
    findRealm: async (realmId) => (realmId === 'acme' ? snapshot : null),
    limits: { keepMs: 200, missingKeepMs: 200 },
  })
  return app
}

describe('theme.css', () => {
  test('S47 is a style sheet of its own that can do nothing else', async () => {
    const app = buildApp({ primaryColor: '#123456', customCss: '.gh-main { color: #333 }' })
    const answer = await app.inject('/realms/acme/branding/theme.css?v=1')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
    expect(answer.body).toContain('--gh-primary: #123456')
    expect(answer.body).toContain('.gh-main{color:#333}')
  })

  test('is not sent again to a browser that has it', async () => {
    const app = buildApp({ primaryColor: '#123456' })
    const { headers } = await app.inject('/realms/acme/branding/theme.css')
    expect(headers['cache-control']).toBe('no-cache')
    const again = await app.inject({
      url: '/realms/acme/branding/theme.css',
      headers: { 'if-none-match': `"other", W/${headers.etag}` },
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('an unknown realm is 404, a disabled one 403', async () => {
    const app = buildApp({}, { enabled: false })
    expect((await app.inject('/realms/other/branding/theme.css')).json()).toEqual({ code: 'realm_not_found' })
    expect((await app.inject('/realms/acme/branding/theme.css')).json()).toEqual({ code: 'realm_disabled' })
  })
})

describe('the logo', () => {
  const logo = (app: FastifyInstance) => app.inject('/realms/acme/branding/logo?v=1')

  test('is fetched once for many who ask at the same time', async () => {
    const app = buildApp({ logoUrl: `${base}/logo.png` })
    const answers = await Promise.all([logo(app), logo(app), logo(app)])
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200)
      expect(answer.rawPayload.equals(png)).toBe(true)
      expect(answer.headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=300',
        'content-security-policy': "default-src 'none'",
        'x-content-type-options': 'nosniff',
      })
    }
    expect(calls).toEqual(['/logo.png'])
  })

  test('S47 a drawing with script in it is sandboxed', async () => {
    const answer = await logo(buildApp({ logoUrl: `${base}/logo.svg` }))
    expect(answer.headers['content-type']).toBe('image/svg+xml')
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'.*; sandbox$/)
  })

  test.each(['/page.png', '/page.html', '/large.png', '/moved.png', '/missing.png'])(
    'refuses %s, and asks its host only once in a while',
    async (path) => {
      const app = buildApp({ logoUrl: `${base}${path}` })
      expect((await logo(app)).json()).toEqual({ code: 'not_found' })
      expect((await logo(app)).json()).toEqual({ code: 'not_found' })
      expect(calls).toEqual([path])
      await new Promise((resolve) => setTimeout(resolve, 250))
      await logo(app)
      expect(calls).toEqual([path, path])
    },
  )

  test('S45 an address inside is not called', async () => {
    const port = new URL(base).port
    const answer = await logo(buildApp({ logoUrl: `http://127.0.0.1:${port}/logo.png` }))
    expect(answer.statusCode).toBe(404)
    expect(calls).toEqual([])
  })

  test('of this host is left to the browser', async () => {
    const answer = await logo(buildApp({ logoUrl: '/assets/logo.svg' }))
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/assets/logo.svg'])
  })

  test('is 404 when the realm has none', async () => {
    expect((await logo(buildApp({}))).statusCode).toBe(404)
  })

  test('stays while its host is away', async () => {
    const other = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(png),
    )
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.2', resolve))
    const app = buildApp({ logoUrl: `http://127.0.0.2:${(other.address() as AddressInfo).port}/logo.png` })
    expect((await logo(app)).statusCode).toBe(200)
    other.closeAllConnections()
    other.close()
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect((await logo(app)).statusCode).toBe(200)
  })
})
