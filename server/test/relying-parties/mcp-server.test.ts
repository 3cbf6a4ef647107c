// The example MCP server (examples/mcp/server.mjs) as a resource server: what it says of itself, and which tokens it takes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type McpServer, startMcpServer } from './mcp-example.ts'
import { type StandIn, startStandIn, strangeKey, type TokenOptions } from './mcp-stand-in.ts'

let issuer: StandIn
let server: McpServer

beforeAll(async () => {
  issuer = await startStandIn()
  server = await startMcpServer(issuer.issuer)
})
afterAll(async () => {
  await server.stop()
  await issuer.stop()
})

const wellKnown = '/.well-known/oauth-protected-resource'
const metadataUrl = () => new URL(`${wellKnown}/mcp`, server.url).href
const read = { name: 'list-notes', arguments: {} }
const write = { name: 'add-note', arguments: { text: 'Milk' } }

/** One request of the protocol of revision 2025-06-18, which needs no handshake with a server that keeps nothing. */
async function call(tool: object, headers: Record<string, string>, query = '') {
  const answer = await fetch(server.url + query, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }),
  })
  return {
    status: answer.status,
    challenge: readChallenge(answer.headers.get('www-authenticate')),
    text: await answer.text(),
  }
}

function readChallenge(header: string | null): Record<string, string> | null {
  if (header === null) return null
  expect(header).toMatch(/^Bearer /)
  return Object.fromEntries([...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]))
}

const bearer = (claims: Record<string, unknown>, options?: TokenOptions) => ({
  authorization: `Bearer ${issuer.makeToken({ aud: server.url, scope: 'notes:read', ...claims }, options)}`,
})

describe('what it says', () => {
  test('mcp-server-metadata mcp-server-canonical-uri mcp-server-well-known: who issues its tokens, at both places', async () => {
    for (const place of [wellKnown, `${wellKnown}/mcp`]) {
      const answer = await fetch(new URL(place, server.url))
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
      expect(await answer.json()).toEqual({
        resource: server.url,
        authorization_servers: [issuer.issuer],
        scopes_supported: ['notes:read'],
        bearer_methods_supported: ['header'],
        resource_name: 'Notes',
      })
      expect((await fetch(new URL(place, server.url), { method: 'POST' })).status).toBe(405)
    }
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
  })

  test('mcp-server-challenge mcp-server-scope-challenge mcp-server-no-offline: without a token, where to get one', async () => {
    for (const tool of [read, write]) {
      const { status, challenge } = await call(tool, {})
      expect(status).toBe(401)
      expect(challenge).toMatchObject({ resource_metadata: metadataUrl(), scope: 'notes:read' })
    }
  })

  test('mcp-server-insufficient-scope mcp-server-one-challenge mcp-server-consistent: all that is missing, at once', async () => {
    const { status, challenge, text } = await call(write, bearer({}))
    expect(status).toBe(403)
    const expected = {
      error: 'insufficient_scope',
      resource_metadata: metadataUrl(),
      error_description: expect.any(String),
    }
    expect(challenge).toEqual({ ...expected, scope: 'notes:write' })
    expect(text).not.toContain('Kept')
    const other = await call(read, bearer({ scope: 'notes:write' }))
    expect([other.status, other.challenge]).toEqual([403, { ...expected, scope: 'notes:read' }])
    expect((await call(read, bearer({ scope: undefined }))).status).toBe(403)
    expect((await call(write, bearer({ scope: 'notes:write2 xnotes:write' }))).status).toBe(403)
  })

  test('mcp-server-status-codes mcp-server-query: a token in the address is a bad request, anything else no token at all', async () => {
    const token = issuer.makeToken({ aud: server.url, scope: 'notes:read' })
    expect((await call(read, {}, `?access_token=${token}`)).status).toBe(400)
    expect((await call(read, { authorization: `Basic ${token}` })).status).toBe(401)
    expect((await call(read, { authorization: 'Bearer' })).status).toBe(401)
  })
})

describe('a token', () => {
  test('mcp-server-validates mcp-server-audience mcp-server-own-tokens: a good token works, each time it is sent', async () => {
    const both = { scope: 'notes:read notes:write' }
    expect((await call(write, bearer({ ...both, sub: 'grace' }))).text).toContain('Kept. That makes 1.')
    expect((await call(read, bearer({ ...both, sub: 'grace' }))).text).toContain('Milk')
    expect((await call(read, bearer({ sub: 'grace', aud: ['https://other.example/', server.url] }))).status).toBe(200)
    // Everybody has their own, and who was let in once is nobody the next time.
    expect((await call(read, bearer({}))).text).not.toContain('Milk')
    expect((await call(read, {})).status).toBe(401)
  })

  const past = () => Math.floor(Date.now() / 1000) - 60
  test.each<[string, () => Record<string, string>]>([
    ['that has ended', () => bearer({ exp: past() })],
    ['that never ends', () => bearer({ exp: undefined })],
    ['for another resource', () => bearer({ aud: 'https://other.example/mcp' })],
    ['for the origin alone', () => bearer({ aud: new URL(server.url).origin })],
    ['for a longer address', () => bearer({ aud: `${server.url}/more` })],
    ['for the issuer', () => bearer({ aud: issuer.issuer })],
    ['for the client, as ID tokens are', () => bearer({ aud: 'notes' })],
    ['for nobody', () => bearer({ aud: undefined })],
    ['of another issuer', () => bearer({ iss: 'https://other.example' })],
    ['signed by somebody else', () => bearer({}, { key: strangeKey })],
    ['of another kind', () => bearer({}, { header: { typ: 'JWT' } })],
    ['without a kind', () => bearer({}, { header: { typ: undefined } })],
    [
      'without a signature',
      () => ({ authorization: bearer({}, { header: { alg: 'none' } }).authorization!.replace(/[^.]*$/, '') }),
    ],
    ['without a client', () => bearer({ client_id: undefined })],
    ['bound to a key', () => bearer({ cnf: { jkt: 'some-thumbprint' } })],
    ['that is none', () => ({ authorization: 'Bearer e30.e30.e30' })],
  ])('mcp-server-rejects: one %s gets 401', async (_kind, headersOf) => {
    const { status, challenge, text } = await call(read, headersOf())
    expect([status, challenge?.error, challenge?.resource_metadata]).toEqual([401, 'invalid_token', metadataUrl()])
    expect(text).not.toContain('jsonrpc')
  })

  test('mcp-server-passthrough mcp-server-storage: a token goes nowhere, into no call and no log', async () => {
    const headers = bearer({ sub: 'linus' })
    issuer.requests.length = 0
    expect((await call(read, headers)).status).toBe(200)
    expect(issuer.requests).toEqual([])
    expect(server.output()).not.toContain(headers.authorization!.slice(-30))
  })

  test('pages of other sites are refused', async () => {
    expect((await call(read, { ...bearer({}), origin: 'https://evil.example' })).status).toBe(403)
  })
})

test('an issuer that is away makes no token bad', async () => {
  const away = await startMcpServer('http://127.0.0.1:1/nobody')
  try {
    const headers = {
      authorization: `Bearer ${issuer.makeToken({ aud: away.url })}`,
      'content-type': 'application/json',
    }
    expect((await fetch(away.url, { method: 'POST', headers, body: '{}' })).status).toBe(500)
  } finally {
    await away.stop()
  }
})
