// What the example MCP client and server meet when things are not as a realm has them: an issuer that says what the test wants,
// and a front before the MCP server that sees and changes what goes through.
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ArrivedRequest, type HttpHost, startHttpHost } from '../messaging/http-host.ts'

export interface StandIn {
  issuer: string
  origin: string
  requests: ArrivedRequest[]
  /** Where metadata is found, with {path} for the path of the issuer. */
  served: string[]
  /** Members of the metadata that are not as usual; undefined takes one away. */
  metadata: Record<string, unknown>
  /** Members of the token response that are not as usual. */
  tokens: Record<string, unknown>
  /** Somebody who says yes to everything at once, and what comes with the code then. */
  person(change?: Record<string, string | undefined>): (address: URL) => Promise<URL>
  /** An access token of this issuer. */
  makeToken(claims: Record<string, unknown>, options?: TokenOptions): string
  /** All of it as usual. */
  reset(): void
  stop(): Promise<void>
}

export interface TokenOptions {
  header?: Record<string, unknown>
  key?: KeyObject
}

export const insertedOAuth = '/.well-known/oauth-authorization-server{path}'
export const insertedOpenId = '/.well-known/openid-configuration{path}'
export const appendedOpenId = '{path}/.well-known/openid-configuration'

const path = '/tenant'
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const makeKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

export const strangeKey = makeKey()

export async function startStandIn(): Promise<StandIn> {
  const key = makeKey()
  const host: HttpHost = await startHttpHost({ answer: (request) => answerAt(standIn, key, request) })
  const standIn: StandIn = {
    ...{ issuer: '', origin: '', requests: [], served: [], metadata: {}, tokens: {} },
    person:
      (change = {}) =>
      async (address) =>
        answerAs(standIn, address, change),
    makeToken(claims, { header = {}, key: other = key } = {}) {
      const head = encode({ alg: 'ES256', typ: 'at+jwt', kid: 'one', ...header })
      const body = encode({
        iss: standIn.issuer,
        sub: 'ada',
        client_id: 'notes',
        exp: seconds() + 300,
        iat: seconds(),
        ...claims,
      })
      const data = `${head}.${body}`
      const signature = sign('sha256', Buffer.from(data), { key: other, dsaEncoding: 'ieee-p1363' })
      return `${data}.${signature.toString('base64url')}`
    },
    reset() {
      standIn.requests.length = 0
      standIn.served = [insertedOAuth, appendedOpenId]
      standIn.metadata = {}
      standIn.tokens = {}
    },
    stop: () => host.stop(),
  }
  Object.assign(standIn, { origin: host.origin, issuer: host.origin + path, requests: host.requests })
  standIn.reset()
  return standIn
}

const seconds = () => Math.floor(Date.now() / 1000)

function answerAs({ issuer }: StandIn, address: URL, change: Record<string, string | undefined>): URL {
  const asked = Object.fromEntries(address.searchParams)
  const callback = new URL(asked.redirect_uri!)
  const answer: Record<string, string | undefined> = {
    code: encode(asked),
    state: asked.state!,
    iss: issuer,
    ...change,
  }
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) callback.searchParams.set(name, value)
  return callback
}

function answerAt(standIn: StandIn, key: KeyObject, { path: at, body }: ArrivedRequest) {
  const { issuer, served } = standIn
  const json = (value: unknown, status = 200) => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  })
  if (served.some((place) => place.replace('{path}', path) === at)) return json(describe(standIn))
  if (at === `${path}/keys`) {
    return json({ keys: [{ ...createPublicKey(key as never).export({ format: 'jwk' }), kid: 'one', alg: 'ES256' }] })
  }
  if (at === `${path}/register`) return json({ ...(JSON.parse(body) as object), client_id: 'registered' }, 201)
  if (at !== `${path}/token`) return json({ error: 'not_found' }, 404)
  const form = Object.fromEntries(new URLSearchParams(body))
  const asked = JSON.parse(Buffer.from(form.code ?? form.refresh_token!, 'base64url').toString()) as Record<
    string,
    string
  >
  const challenge = createHash('sha256')
    .update(form.code_verifier ?? '')
    .digest('base64url')
  if (form.code && challenge !== asked.code_challenge) return json({ error: 'invalid_grant' }, 400)
  const access = {
    access_token: standIn.makeToken({ aud: form.resource, scope: asked.scope, client_id: asked.client_id }),
  }
  const rest = { token_type: 'Bearer', expires_in: 300, scope: asked.scope, refresh_token: encode(asked), issuer }
  return json({ ...access, ...rest, ...standIn.tokens })
}

function describe({ issuer, metadata }: StandIn) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...metadata,
  }
}

export interface Front {
  url: string
  requests: ArrivedRequest[]
  /** What the client gets in place of what the server said. */
  change: (path: string, response: Response) => Response | Promise<Response>
  stop(): Promise<void>
}

/** Forwards everything to the MCP server of this port. */
export async function startFront(target: number): Promise<Front> {
  const front: Front = { url: '', requests: [], change: (_path, response) => response, stop: async () => undefined }
  const server = createServer((message, reply) => {
    void (async () => {
      const { method = '', url = '' } = message
      const { host: _host, connection: _connection, ...headers } = message.headers as Record<string, string>
      const body = Buffer.concat(await message.toArray()).toString()
      front.requests.push({ method, path: url, headers, body })
      delete headers['content-length']
      const given = await fetch(`http://127.0.0.1:${target}${url}`, { method, headers, ...(body ? { body } : {}) })
      const said = await front.change(url, given)
      reply.writeHead(said.status, Object.fromEntries(said.headers))
      reply.end(await said.text())
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  front.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  front.stop = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  return front
}
