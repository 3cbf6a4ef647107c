import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { findServerCaller } from '../admin-surface/callers.ts'
import { docsPage, docsScript } from './docs-page.ts'
import { docsStyle } from './docs-style.ts'

// The viewer's own files, shipped in the package: nothing is fetched from elsewhere.
const packageDir = dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json'))
const viewerFiles = [
  { name: 'swagger-ui-bundle.js', type: 'text/javascript; charset=utf-8' },
  { name: 'swagger-ui.css', type: 'text/css; charset=utf-8' },
]

// The viewer sets styles from scripts and shows icons as data: images; everything else comes from here.
const policy = [
  ...[
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
  ],
  ...["form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"],
].join('; ')

/** /v3/api-docs and /interactive-docs.html; public unless GATEHOUSE_DOCS_REQUIRE_SESSION is set. */
export async function registerInteractiveDocs(app: FastifyInstance, services: Services): Promise<void> {
  const headers = {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  }
  const onRequest = async (request: FastifyRequest) => {
    if (!services.config.docsRequireSession) return
    const { caller } = await findServerCaller(services, request)
    if (!caller) throw new DomainError('unauthenticated', 'Sign in to read the description.')
  }
  const hidden = { schema: { hide: true }, onRequest }
  app.get('/v3/api-docs', hidden, async (_request, reply) =>
    reply.header('x-content-type-options', 'nosniff').send(app.swagger()),
  )
  app.get('/interactive-docs.html', hidden, async (_request, reply) =>
    reply.headers(headers).type('text/html; charset=utf-8').send(docsPage),
  )

  const files = new Map<string, { body: string | Buffer; type: string }>([
    ['docs.js', { body: docsScript, type: 'text/javascript; charset=utf-8' }],
    ['docs.css', { body: docsStyle, type: 'text/css; charset=utf-8' }],
  ])
  for (const { name, type } of viewerFiles)
    files.set(name, { body: await readFile(join(packageDir, 'static', name)), type })
  for (const [name, file] of files) {
    app.get(`/assets/docs/${name}`, { schema: { hide: true } }, async (_request: FastifyRequest, reply: FastifyReply) =>
      reply
        .headers({ 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' })
        .type(file.type)
        .send(file.body),
    )
  }
}
