import { beforeAll, describe, expect, test } from 'vitest'
import { api, issuerOf, startTestNode, type TestNode, type TestRealm } from '../harness/index.ts'
import { createUnmovedRealm } from '../relying-parties/unmoved-node.ts'
import { createParty } from './party.ts'

let realm: TestRealm

beforeAll(async () => {
  realm = await createUnmovedRealm()
})

const read = (url: string) => api(`${url}/.well-known/openid-configuration`, 'GET')
const isEndpoint = (name: string) => name === 'issuer' || name.endsWith('_endpoint') || name.endsWith('_uri')

describe('oidcc-config-certification-test-plan', () => {
  test('oidcc-discovery-endpoint-verification: the document says what the standards require', async () => {
    const answer = await read(issuerOf(realm))
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
    expect(answer.body).toMatchObject({
      issuer: issuerOf(realm),
      response_types_supported: ['code'],
      subject_types_supported: expect.arrayContaining(['public']),
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
      claims_parameter_supported: true,
      scopes_supported: expect.arrayContaining(['openid', 'profile', 'email', 'address', 'phone']),
      claims_supported: expect.arrayContaining(['sub', 'name', 'email']),
      grant_types_supported: expect.arrayContaining(['authorization_code', 'refresh_token']),
      code_challenge_methods_supported: ['S256'],
    })
    // Absent, the former means no and the latter yes (OpenID Connect Discovery 3). What is pushed has an address of our own.
    expect(answer.body.request_parameter_supported).toBe(true)
    expect(answer.body.request_uri_parameter_supported).toBe(false)
    // Nothing is offered unsigned.
    expect(JSON.stringify(answer.body)).not.toMatch(/_alg_values_supported":\[[^\]]*"none"/)
    for (const name of ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri']) {
      expect(answer.body[name], name).toMatch(new RegExp(`^${issuerOf(realm)}/`))
    }
    await expectPublicKeys(answer.body.jwks_uri)
    // A relying party reads it without complaint.
    expect((await createParty(realm)).config.serverMetadata().issuer).toBe(issuerOf(realm))
  })

  test('every address in the document is https where the service is reached so', async () => {
    const base = 'https://id.example.org'
    const node: TestNode = await startTestNode({ env: { GATEHOUSE_BASE_URL: base } })
    const port = node.services.config.port
    const { body } = await read(`http://127.0.0.1:${port}/realms/master`)
    await node.stop()
    expect(body.issuer).toBe(`${base}/realms/master`)
    const addresses = Object.entries(body).filter(([name]) => isEndpoint(name))
    expect(addresses.length).toBeGreaterThan(7)
    for (const [name, value] of addresses)
      expect(String(value), name).toMatch(/^https:\/\/id\.example\.org\/realms\/master/)
  })
})

async function expectPublicKeys(uri: string): Promise<void> {
  const { body } = await api(uri, 'GET')
  expect(body.keys.length).toBeGreaterThan(0)
  for (const key of body.keys) {
    expect(key).toMatchObject({ kty: 'RSA', use: 'sig', kid: expect.any(String), n: expect.any(String) })
    for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(key).not.toHaveProperty(member)
  }
  const ids = body.keys.map((key: { kid: string }) => key.kid)
  expect(new Set(ids).size).toBe(ids.length)
}
