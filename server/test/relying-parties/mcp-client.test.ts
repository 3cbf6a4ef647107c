// The example MCP client (examples/mcp/client.mjs) with issuers and servers that are not as they should be, or only just.
import { statSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMcpClient, findPort, type McpClient, type McpServer, startMcpServer } from './mcp-example.ts'
import {
  appendedOpenId,
  type Front,
  insertedOAuth,
  insertedOpenId,
  type StandIn,
  startFront,
  startStandIn,
} from './mcp-stand-in.ts'

let issuer: StandIn
let server: McpServer
let front: Front
const clients: McpClient[] = []

beforeAll(async () => {
  issuer = await startStandIn()
  const port = await findPort()
  front = await startFront(port)
  server = await startMcpServer(issuer.issuer, { port, resource: front.url })
})
afterAll(async () => {
  await server.stop()
  await front.stop()
  await issuer.stop()
})
beforeEach(() => {
  issuer.reset()
  front.requests.length = 0
  front.change = (_path, response) => response
})
afterEach(() => {
  for (const client of clients.splice(0)) client.stop()
})

type Person = (address: URL) => Promise<URL>

function create(env: Record<string, string> = {}, person: Person = issuer.person(), address = front.url): McpClient {
  const client = createMcpClient({ server: address, env, person })
  clients.push(client)
  return client
}

const bodies = (path: string) =>
  issuer.requests.filter((request) => request.path === `/tenant${path}`).map(({ body }) => body)
const forms = () => bodies('/token').map((body) => Object.fromEntries(new URLSearchParams(body)))

/** Nobody was sent anywhere, or at least nobody's code was given to anybody. */
async function expectRefusal(client: McpClient, complaint: RegExp, asked = 0) {
  const outcome = await client.run('list')
  expect(outcome.complaints).toMatch(complaint)
  expect([outcome.code, outcome.asked.length, bodies('/token')]).toEqual([1, asked, []])
  return outcome
}

describe('discovery', () => {
  test('mcp-client-metadata-order mcp-client-both-metadata: the three places of an issuer with a path, one after the other', async () => {
    issuer.served = [appendedOpenId]
    const { code } = await create().run('list')
    const places = [insertedOAuth, insertedOpenId, appendedOpenId].map((place) => place.replace('{path}', '/tenant'))
    expect([code, issuer.requests.slice(0, 3).map(({ path }) => path)]).toEqual([0, places])
  })

  test('mcp-client-root-order: the two places of an issuer without a path', async () => {
    front.change = async (path, response) =>
      path.startsWith('/.well-known')
        ? Response.json({ ...((await response.json()) as object), authorization_servers: [issuer.origin] })
        : response
    await expectRefusal(create(), /has no metadata/)
    const places = [insertedOAuth, insertedOpenId].map((place) => place.replace('{path}', ''))
    expect(issuer.requests.map(({ path }) => path)).toEqual(places)
  })

  test('mcp-client-issuer-identical: metadata in the name of another issuer is not used', async () => {
    issuer.metadata = { issuer: 'https://honest.example' }
    await expectRefusal(create(), /IssuerMismatchError/)
  })

  test('mcp-client-resource-metadata mcp-client-well-known: without a hint both well-known places are tried, in order', async () => {
    front.change = (path, { status, body, headers }) => {
      if (path === '/.well-known/oauth-protected-resource/mcp') return new Response(null, { status: 404 })
      return new Response(body, { status, headers: [...headers].filter(([name]) => name !== 'www-authenticate') })
    }
    const { code, asked } = await create().run('list')
    const places = front.requests.map(({ path }) => path).filter((path) => path.startsWith('/.well-known'))
    expect([code, places.slice(0, 2)]).toEqual([
      0,
      ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'],
    ])
    // And with no scope in a challenge either, those of the document.
    expect(asked[0]?.searchParams.get('scope')).toBe('notes:read')
  })

  test('mcp-client-scope-selection: what no challenge and no document names is not asked for', async () => {
    front.change = async (path, response) => {
      if (!path.startsWith('/.well-known')) {
        const hint = response.headers.get('www-authenticate')?.replace(/, scope="[^"]*"/, '')
        return new Response(response.body, {
          status: response.status,
          headers: hint ? { 'www-authenticate': hint } : {},
        })
      }
      const { scopes_supported: _scopes, ...rest } = (await response.json()) as Record<string, unknown>
      return Response.json(rest)
    }
    const { asked } = await create().run('list')
    expect(asked[0]?.searchParams.has('scope')).toBe(false)
  })

  test('mcp-client-uses-resource-metadata: a server that does not name its issuer gets nobody signed in', async () => {
    front.change = (path, response) =>
      path.startsWith('/.well-known') ? new Response(null, { status: 404 }) : response
    await expectRefusal(create(), /./)
  })
})

describe('its request', () => {
  test('mcp-client-resource mcp-client-resource-always mcp-client-canonical-uri: names the server, as the server names itself', async () => {
    // Typed by somebody who does not care about letters.
    const client = create({}, issuer.person(), front.url.replace('http', 'HTTP'))
    const { asked, code } = await client.run('list')
    expect([code, asked[0]?.searchParams.getAll('resource')]).toEqual([0, [front.url]])
    client.spoilToken()
    expect((await client.run('list')).code).toBe(0)
    expect(forms().map(({ grant_type, resource }) => [grant_type, resource])).toEqual([
      ['authorization_code', front.url],
      ['refresh_token', front.url],
    ])
  })

  test('mcp-client-pkce mcp-client-s256: carries a challenge, and its code the verifier', async () => {
    const { asked, code } = await create().run('list')
    expect(code).toBe(0)
    expect(asked[0]?.searchParams.get('code_challenge_method')).toBe('S256')
    // The stand-in compares them.
    expect(forms()[0]?.code_verifier).toMatch(/^[\w.~-]{43,128}$/)
  })

  test.each([
    ['OAuth', [insertedOAuth]],
    ['OpenID Connect', [appendedOpenId]],
  ])('mcp-client-pkce-support: goes to no issuer whose %s metadata says nothing of PKCE', async (_kind, served) => {
    issuer.served = served
    issuer.metadata = { code_challenge_methods_supported: undefined }
    await expectRefusal(create(), /PKCE/)
  })

  test('mcp-client-header mcp-client-every-request: comes with the token in its header every time, and never in the address', async () => {
    const client = create()
    await client.run('list')
    front.requests.length = 0
    expect((await client.run('list')).code).toBe(0)
    const { access_token: token } = client.readState().tokens[front.url]!
    expect(front.requests.length).toBeGreaterThan(1)
    for (const { path, headers } of front.requests) {
      expect([path, headers.authorization]).toEqual(['/mcp', `Bearer ${token}`])
    }
  })
})

describe('the answer', () => {
  test.each<[string, Record<string, string | undefined>]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['of nobody', { iss: undefined }],
    ['of an issuer that is almost the one', { iss: 'http://127.0.0.1:{port}/tenant/' }],
    ['of the issuer in other letters', { iss: 'HTTP://127.0.0.1:{port}/tenant' }],
    [
      'of another issuer, about an error',
      { iss: 'https://evil.example', code: undefined, error_description: 'Call 555-0100' },
    ],
  ])('mcp-client-iss mcp-client-iss-exact mcp-client-iss-errors: %s is not taken', async (_kind, change) => {
    const iss = change.iss?.replace('{port}', new URL(issuer.origin).port)
    const error = change.error_description ? { error: 'access_denied' } : {}
    const { complaints } = await expectRefusal(
      create({}, issuer.person({ ...change, ...error, iss })),
      /IssuerMismatchError/,
      1,
    )
    expect(complaints).not.toContain('555')
  })

  test('mcp-client-state: to a question that was not asked is left alone, and the right one is waited for', async () => {
    const statuses: number[] = []
    const person: Person = async (address) => {
      for (const state of ['somebody-elses', undefined]) {
        statuses.push((await fetch(await issuer.person({ state })(address))).status)
      }
      return issuer.person()(address)
    }
    expect((await create({}, person).run('list')).code).toBe(0)
    expect([statuses, forms().length]).toEqual([[400, 400], 1])
  })

  test('mcp-client-no-refresh-token: may hold no refresh token, then people are asked again', async () => {
    issuer.tokens = { refresh_token: undefined }
    const client = create()
    expect((await client.run('list')).code).toBe(0)
    client.spoilToken()
    const again = await client.run('list')
    expect([again.code, again.asked.length]).toEqual([0, 1])
  })

  test('mcp-client-token-storage: is kept where only its owner can read it', async () => {
    const client = create()
    await client.run('list')
    expect(statSync(client.file).mode & 0o777).toBe(0o600)
  })
})

describe('who it is', () => {
  const document = 'https://client.example/mcp-client.json'
  const knows = { client_id_metadata_document_supported: true }

  test('mcp-client-priority mcp-client-preregistered: the client it was given, before its document, before a registration', async () => {
    issuer.metadata = knows
    const given = { CLIENT_ID: 'given', ISSUER: issuer.issuer, CLIENT_METADATA_URL: document }
    const idOf = async (env: Record<string, string>) =>
      (await create(env).run('list')).asked[0]?.searchParams.get('client_id')
    expect(await idOf(given)).toBe('given')
    expect(await idOf({ CLIENT_METADATA_URL: document })).toBe(document)
    expect(bodies('/register')).toEqual([])
    issuer.metadata = {}
    expect(await idOf({ CLIENT_METADATA_URL: document })).toBe('registered')
    expect(bodies('/register')).toHaveLength(1)
    issuer.metadata = { registration_endpoint: undefined }
    await expectNobody(create())
  })

  async function expectNobody(client: McpClient) {
    const { code, complaints, asked } = await client.run('list')
    expect([code, asked]).toEqual([1, []])
    expect(complaints).toContain('does not support dynamic client registration')
  }

  test('mcp-client-preregistered-binding: the client it was given is of no use at another issuer', async () => {
    const { complaints } = await expectRefusal(
      create({ CLIENT_ID: 'given', ISSUER: 'https://honest.example' }),
      /Mismatch/,
    )
    expect(complaints).toContain('https://honest.example')
  })
})

test('mcp-client-retry-limit: a server that wants more each time is given up', async () => {
  let wish = 0
  front.change = (path, response) => {
    if (path !== '/mcp' || response.status !== 200) return response
    const challenge = `Bearer error="insufficient_scope", scope="more-${wish++}", resource_metadata="${new URL(front.url).origin}/.well-known/oauth-protected-resource/mcp"`
    return new Response(null, { status: 403, headers: { 'www-authenticate': challenge } })
  }
  const { code, asked, complaints } = await create().run('list')
  expect([code, asked.length]).toEqual([1, 3])
  expect(complaints).toContain('no sign-in is enough')
  // Each time with all that was asked for before.
  expect(asked.at(-1)?.searchParams.get('scope')).toBe('notes:read more-0 more-1')
})
