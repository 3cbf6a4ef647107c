import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { issuerOf, type Services } from '../../domain/context/index.ts'
import { oneAlgorithmSection } from '../../domain/clients/index.ts'
import { keysSection } from '../../domain/keys/index.ts'
import { scopesSection } from '../../domain/client-scopes/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import { notFound } from '../../platform/errors/index.ts'
import { refuseOtherMethods } from '../../platform/http/index.ts'
import { toPublicJwk } from './access-tokens.ts'
import { documentDescription } from './describe.ts'
import { findIssuer } from './issuer.ts'
import { handOver } from './hand-over.ts'
import { routes } from './paths.ts'
import { proofAlgorithms } from './profiles/index.ts'

// Verifiers ask again when they meet a key they do not know, so they may keep what they have for a while.
const cacheSeconds = 300

interface Document {
  text: string
  etag: string
}

const documents = new WeakMap<RealmSnapshot, Map<string, Promise<Document>>>()

/** Documents that anybody may read and keep: keys and what protects this issuer's own resources. */
export function registerDocuments(app: FastifyInstance, services: Services, kit: PageKit): void {
  const serve = (
    url: string,
    name: string,
    description: object,
    make: (realm: RealmSnapshot) => Promise<object>,
    fresh: boolean,
  ) => {
    const config = { renderError: kit.renderError }
    app.get(url, { config, schema: description }, async (request, reply) => {
      let realm = await kit.findOpenRealm(request)
      // A verifier asks because it met a key it does not know: this node must know it, whatever it heard so far.
      if (fresh) realm = (await services.snapshots.refresh(realm.realmId)) ?? realm
      return send(request, reply, await cached(realm, name, make))
    })
    app.options(url, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .headers({ ...openCors, 'access-control-allow-methods': 'GET' })
        .code(204)
        .send(),
    )
    refuseOtherMethods(app, url, ['GET', 'OPTIONS'])
  }

  const jwks = (realm: RealmSnapshot) => describeKeys(realm)
  const resource = (realm: RealmSnapshot) => describeProtectedResource(services, realm)
  const jwksDescription = documentDescription('Public keys of the realm', 'RFC 7517.')
  const resourceDescription = documentDescription('What protects this issuer as a resource', 'RFC 9728.')
  serve(`/realms/:realm${routes.jwks}`, 'jwks', jwksDescription, jwks, true)
  serve('/realms/:realm/.well-known/oauth-protected-resource', 'resource', resourceDescription, resource, false)
  serve('/.well-known/oauth-protected-resource/realms/:realm', 'resource', resourceDescription, resource, false)

  const inserted = '/.well-known/oauth-authorization-server/realms/:realm'
  const description = documentDescription('What this issuer offers', 'RFC 8414, path-insertion form.')
  app.get(inserted, { schema: description, config: { renderError: kit.renderError } }, async (request, reply) => {
    const issuer = await findIssuer(services, await kit.findOpenRealm(request))
    await handOver(services, issuer, request, reply, '/.well-known/oauth-authorization-server')
  })
  refuseOtherMethods(app, inserted, ['GET'])
}

async function describeKeys(realm: RealmSnapshot): Promise<object> {
  const keys = await realm.section(keysSection)
  if (keys.length === 0) throw notFound()
  const alg = (await realm.section(oneAlgorithmSection)) ? 'RS256' : null
  return { keys: keys.map((key) => toPublicJwk(key, alg)) }
}

async function describeProtectedResource(services: Services, realm: RealmSnapshot): Promise<object> {
  const issuer = issuerOf(services, realm.realmId)
  const scopes = await realm.section(scopesSection)
  return {
    resource: issuer,
    authorization_servers: [issuer],
    jwks_uri: issuer + routes.jwks,
    scopes_supported: [...scopes.keys()],
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: proofAlgorithms,
    resource_name: realm.displayName ?? realm.realmId,
  }
}

function cached(
  realm: RealmSnapshot,
  name: string,
  make: (realm: RealmSnapshot) => Promise<object>,
): Promise<Document> {
  let known = documents.get(realm)
  if (!known) documents.set(realm, (known = new Map()))
  let document = known.get(name)
  if (!document) {
    document = make(realm).then((value) => {
      const text = JSON.stringify(value)
      return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
    })
    known.set(name, document)
    document.catch(() => known.delete(name))
  }
  return document
}

const openCors = { 'access-control-allow-origin': '*' }

function send(request: FastifyRequest, reply: FastifyReply, { text, etag }: Document): FastifyReply {
  reply.headers({ ...openCors, etag, 'cache-control': `public, max-age=${cacheSeconds}` })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(text)
}
