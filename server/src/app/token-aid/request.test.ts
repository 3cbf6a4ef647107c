import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createBrowser,
  createClientIn,
  createRealmFor,
  issuerOf,
  type TestClient,
  type TestRealm,
} from '../../../test/harness/index.ts'
import { answerPage } from '../../../test/harness/approvals.ts'
import { adminPassword } from '../../../test/harness/realm.ts'
import { runAid, type SmallIssuer, startIssuer } from './aid.fixture.ts'

let realm: TestRealm
let issuer: string
let machine: TestClient

beforeAll(async () => {
  realm = await createRealmFor()
  issuer = issuerOf(realm)
  machine = await createClientIn(realm, { grantTypes: ['client_credentials'], redirectUris: [] })
})

const argsFor = (client: TestClient, ...more: string[]) => [
  'request',
  '--issuer',
  issuer,
  '--client',
  client.clientId,
  ...more,
]

describe('gatehouse token request', () => {
  test('gets a token with the client’s own credentials and inspects it', async () => {
    const env = { GATEHOUSE_CLIENT_SECRET: machine.secret! }
    const { code, out } = await runAid(argsFor(machine, '--scope', 'roles'), { env })
    expect(out).toContain('Access token (RFC 9068)')
    expect(out).toContain('✓ signature')
    expect(code).toBe(0)
    const piped = await runAid(argsFor(machine, '--secret-stdin', '--raw'), { input: `${machine.secret}\n` })
    expect(piped.code).toBe(0)
    expect((await runAid(['inspect', piped.out, '--json', '--issuer', issuer])).code).toBe(0)
    for (const text of [out, piped.out, piped.err]) expect(text).not.toContain(machine.secret)
  })

  test('says why it was refused', async () => {
    const refused = await runAid(argsFor(machine), { env: { GATEHOUSE_CLIENT_SECRET: 'wrong-secret' } })
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('invalid_client (401)')
    expect(refused.err).toContain('tokenEndpointAuthMethod')
    expect(refused.out + refused.err).not.toContain('wrong-secret')
    const env = { GATEHOUSE_CLIENT_SECRET: machine.secret! }
    const target = await runAid(argsFor(machine, '--resource', 'https://api.example.org', '--json'), { env })
    expect([target.code, target.json().code]).toEqual([1, 'invalid_target'])
  })

  test('S51: takes no secret among its arguments', async () => {
    for (const option of ['--secret=hidden', '--client-secret', '--secret']) {
      const { code, out, err } = await runAid(argsFor(machine, option, 'hidden'))
      expect(code).toBe(2)
      expect(out + err).not.toContain('hidden')
    }
  })

  test('gets a token for a device that a person answers elsewhere', async () => {
    const device = await createClientIn(realm, { grantTypes: ['device'], publicClient: true, redirectUris: [] })
    const browser = createBrowser(realm.node.url)
    await browser.login(realm.realmId, 'admin', adminPassword)
    let waits = 0
    let answered = 0
    const outcome = await runAid(argsFor(device, '--grant', 'device', '--scope', 'openid'), {
      async onWait(told) {
        waits++
        const path = new URL(/^Or +(\S+)/m.exec(told)![1]!)
        answered = (await answerPage(browser, path.pathname + path.search, 'allow')).status
      },
    })
    expect([outcome.code, waits, answered]).toEqual([0, 1, 200])
    expect(outcome.err).toMatch(/Enter {3}\S+/)
    expect(outcome.out).toContain('ID token (OpenID Connect Core)')
  })
})

describe('polling for a device', () => {
  let answers: { status: number; body: object }[]
  let issuerOfDevices: SmallIssuer
  let extra: Record<string, unknown> = {}

  beforeAll(async () => {
    issuerOfDevices = await startIssuer(
      () => extra,
      (request) => {
        if (request.url === '/device') {
          const body = { device_code: 'dc', user_code: 'BCDF-GHJK', verification_uri: 'https://id.example/device' }
          const complete = 'https://id.example/device?user_code=BCDF-GHJK'
          return { status: 200, body: { ...body, verification_uri_complete: complete, expires_in: 60 } }
        }
        return request.url === '/token' ? (answers.shift() ?? refuse('authorization_pending')) : null
      },
    )
  })
  afterAll(() => issuerOfDevices.stop())

  const refuse = (error: string) => ({ status: 400, body: { error } })
  const poll = () =>
    runAid(['request', '--issuer', issuerOfDevices.url, '--client', 'tv', '--grant', 'device', '--json'])

  test('waits five seconds by default, and five more after slow_down for good', async () => {
    answers = [refuse('authorization_pending'), refuse('slow_down'), refuse('authorization_pending')]
    answers.push({ status: 200, body: { access_token: await issuerOfDevices.sign({}), token_type: 'Bearer' } })
    const { code, waits, err } = await poll()
    expect(waits).toEqual([5, 5, 10, 10])
    expect(code).toBe(0)
    // A QR code of the address, in block characters, beside the code to type.
    expect(err).toContain('BCDF-GHJK')
    expect(err).toMatch(/█{10,}/)
  })

  test('backs off when the server fails', async () => {
    answers = [{ status: 502, body: {} }, refuse('access_denied')]
    const { code, waits, json } = await poll()
    expect(waits).toEqual([5, 10])
    expect([code, json().code]).toEqual([1, 'access_denied'])
  })

  test('ends with the code’s lifetime', async () => {
    answers = []
    const { code, waits, json } = await poll()
    expect(waits.reduce((sum, seconds) => sum + seconds)).toBeLessThan(60)
    expect([code, json().code]).toEqual([1, 'expired_token'])
  })

  test('S51: sends a secret to no other host than the issuer’s', async () => {
    extra = { token_endpoint: 'http://127.0.0.2:9/token' }
    const args = ['request', '--issuer', issuerOfDevices.url, '--client', 'app']
    const { code, err } = await runAid(args, { env: { GATEHOUSE_CLIENT_SECRET: 'kept-secret' } })
    expect(code).toBe(1)
    expect(err).toContain('not at the issuer’s own host')
    expect(issuerOfDevices.seen.join()).not.toContain(Buffer.from('app:kept-secret').toString('base64'))
  })
})
