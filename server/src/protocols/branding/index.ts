// The look of a realm over HTTP: its theme as a style sheet and its logo, fetched by the server.
// Contract 2.109, S45 (the logo goes through the egress client), S47 (strict headers).
// Registered by app/; linked from every page of the realm.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import { settingsSection } from '../../domain/settings/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import { DomainError, notFound } from '../../platform/errors/index.ts'
import { createLogoCache, type LogoLimits } from './logo-cache.ts'
import { themeSection } from './theme.ts'

export interface BrandingDeps {
  services: Pick<Services, 'egress' | 'log'>
  /** Null when there is no such realm. */
  findRealm(realmId: string): Promise<RealmSnapshot | null>
  limits?: Partial<LogoLimits>
}

interface BrandingRequest {
  Params: { realm: string }
  Querystring: { v?: string }
}

// Nothing here is a page; whoever opens it on its own gets a document that can do nothing.
const strictHeaders = { 'content-security-policy': "default-src 'none'", 'x-content-type-options': 'nosniff' }
// Inline styles are part of many pictures; the sandbox keeps their scripts from running when opened on their own.
const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
// Five minutes spare most requests of a sign-in, and a changed theme has another address anyway.
const versionedCaching = 'public, max-age=300'
// Files of the pages, not part of the described API.
const hidden = { schema: { hide: true } }

export function brandingRoutes(app: FastifyInstance, { services, findRealm, limits }: BrandingDeps): void {
  const logos = createLogoCache(services, limits)

  app.get<BrandingRequest>('/realms/:realm/branding/theme.css', hidden, async (request, reply) => {
    const realm = await requireRealm(findRealm, request.params.realm)
    const theme = await realm.section(themeSection)
    return sendCacheable(request, reply, {
      body: theme.css,
      etag: theme.etag,
      headers: { ...strictHeaders, 'content-type': 'text/css; charset=utf-8' },
    })
  })

  app.get<BrandingRequest>('/realms/:realm/branding/logo', hidden, async (request, reply) => {
    const realm = await requireRealm(findRealm, request.params.realm)
    const { logoUrl } = await realm.section(settingsSection)
    if (logoUrl === null) throw notFound()
    if (logoUrl.startsWith('/')) {
      // A file of this host: the browser may fetch it itself without leaving img-src 'self'.
      return reply.headers({ ...strictHeaders, 'cache-control': caching(request) }).redirect(logoUrl, 302)
    }
    const logo = await logos.find(logoUrl)
    if (!logo) throw notFound()
    const isSvg = logo.contentType === 'image/svg+xml'
    return sendCacheable(request, reply, {
      body: logo.body,
      etag: logo.etag,
      headers: {
        ...strictHeaders,
        ...(isSvg ? { 'content-security-policy': svgPolicy } : {}),
        'content-type': logo.contentType,
      },
    })
  })
}

async function requireRealm(findRealm: BrandingDeps['findRealm'], realmId: string): Promise<RealmSnapshot> {
  const realm = await findRealm(realmId)
  if (!realm) throw new DomainError('realm_not_found', 'There is no realm of this name.')
  if (!realm.enabled) throw new DomainError('realm_disabled', 'This realm is disabled.')
  return realm
}

interface Cacheable {
  body: string | Buffer
  etag: string
  headers: Record<string, string>
}

function sendCacheable(request: FastifyRequest<BrandingRequest>, reply: FastifyReply, answer: Cacheable) {
  reply.headers({ ...answer.headers, etag: answer.etag, 'cache-control': caching(request) })
  if (holdsTag(request.headers['if-none-match'], answer.etag)) return reply.code(304).send()
  return reply.send(answer.body)
}

function caching(request: FastifyRequest<BrandingRequest>): string {
  return request.query.v === undefined ? 'no-cache' : versionedCaching
}

/** RFC 9110, section 13.1.2: a weak comparison with any tag of the list. */
function holdsTag(header: string | undefined, etag: string): boolean {
  if (!header) return false
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
