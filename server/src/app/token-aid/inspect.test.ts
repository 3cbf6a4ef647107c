import { createHmac, createPublicKey } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  api,
  createClientIn,
  createRealmFor,
  issuerOf,
  must,
  requestToken,
  signInTo,
  type TestClient,
  type TestRealm,
} from '../../../test/harness/index.ts'
import { runAid, type Surroundings } from './aid.fixture.ts'

let realm: TestRealm
let issuer: string
let machine: TestClient
let app: TestClient
let tokens: Record<string, string>
let access: string

beforeAll(async () => {
  realm = await createRealmFor()
  issuer = issuerOf(realm)
  machine = await createClientIn(realm, { grantTypes: ['client_credentials'], redirectUris: [] })
  app = await createClientIn(realm)
  tokens = await signInTo(realm, app)
  access = await getAccessToken()
})

async function getAccessToken(scope = 'roles'): Promise<string> {
  const answer = await must(requestToken(realm, machine, { grant_type: 'client_credentials', scope }), 200)
  return answer.body.access_token
}

const now = () => Date.now()
const inspect = (token: string, args: string[] = [], around: Surroundings = {}) =>
  runAid(['inspect', token, '--json', ...args], { now, ...around })

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const partsOf = (token: string) => token.split('.') as [string, string, string]
const readPart = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>

describe('gatehouse token inspect', () => {
  test('finds nothing wrong with a good access token', async () => {
    const args = ['--issuer', issuer, '--audience', issuer, '--client', machine.clientId, '--scope', 'roles']
    const { code, json } = await inspect(access, args)
    const { kind, checks } = json()
    expect(kind).toBe('access-token')
    const passed = checks.filter(({ ok }) => ok === true).map(({ name }) => name)
    expect(passed).toEqual([
      ...['issuer', 'discovery', 'algorithm', 'key', 'signature', 'type', 'expiry', 'issued'],
      ...['audience', 'client', 'scope', 'binding'],
    ])
    expect(checks.filter(({ ok }) => ok === false)).toEqual([])
    expect(code).toBe(0)
  })

  test('shows it to people with times as text, and takes it from standard input with what was copied along', async () => {
    const { out, code } = await runAid(['inspect', '-'], { input: `Authorization: Bearer ${access}\n`, now })
    expect(out).toMatch(/^Access token \(RFC 9068\)\n\nHeader\n {2}alg +RS256\n/)
    expect(out).toMatch(/\n {2}exp +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(in \d min\)\n/)
    expect(out).toContain('✓ signature')
    // The issuer was taken from the token, which is told.
    expect(out).toContain('Give --issuer')
    expect(out).toContain('No check failed.')
    expect(code).toBe(0)
    expect(out).not.toContain('\u001b')
    expect((await runAid(['inspect', access], { now, colour: true })).out).toContain('\u001b[32m✓')
  })

  test('says which check failed, and ends with 1', async () => {
    const failing = async (token: string, args: string[] = [], around: Surroundings = {}) => {
      const outcome = await inspect(token, ['--issuer', issuer, ...args], around)
      expect(outcome.code).toBe(1)
      return outcome.failed()
    }
    const [header, claims, signature] = partsOf(access)
    const altered = encode({ ...readPart(claims), scope: 'roles admin' })
    expect(await failing(`${header}.${altered}.${signature}`)).toEqual(['signature'])
    expect(await failing(access, [], { now: () => now() + 7_200_000 })).toEqual(['expiry'])
    expect(await failing(access, [], { now: () => now() - 60_000 })).toEqual(['issued'])
    expect(await failing(access, ['--audience', 'https://api.example.org'])).toEqual(['audience'])
    expect(await failing(access, ['--client', 'another'])).toEqual(['client'])
    expect(await failing(access, ['--scope', 'roles email'])).toEqual(['scope'])
    expect(await failing(tokens.id_token!, ['--as', 'access-token'])).toEqual(['type'])
    expect(await failing(tokens.id_token!, ['--client', app.clientId, '--nonce', 'another'])).toEqual(['nonce'])
  })

  test('says when a token ended', async () => {
    const { json } = await inspect(access, [], { now: () => now() + 7_500_000 })
    expect(json().checks.find(({ name }) => name === 'expiry')!.text).toBe('It ended 2 h ago.')
  })

  test('S28: takes no token for signed that is signed with nothing, or with the public key as a secret', async () => {
    const [header, claims] = partsOf(access)
    const none = `${encode({ ...readPart(header), alg: 'none' })}.${claims}.`
    const { keys } = (await api(`${issuer}/.well-known/jwks.json`, 'GET')).body
    const pem = createPublicKey({ key: keys[0], format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    const body = `${encode({ ...readPart(header), alg: 'HS256' })}.${claims}`
    const shared = `${body}.${createHmac('sha256', pem).update(body).digest('base64url')}`
    for (const token of [none, shared]) {
      expect((await inspect(token, ['--issuer', issuer])).failed()).toEqual(['algorithm', 'signature'])
      expect((await inspect(token, ['--issuer', issuer, '--offline'])).failed()).toEqual(['algorithm'])
    }
  })

  test('recognises an ID token, and a refresh token as something only the issuer can read', async () => {
    const id = await inspect(tokens.id_token!, ['--issuer', issuer, '--client', app.clientId, '--nonce', 'some-nonce'])
    expect([id.code, id.json().kind, id.failed()]).toEqual([0, 'id-token', []])
    const refresh = await inspect(tokens.refresh_token!)
    expect([refresh.code, refresh.json().kind]).toEqual([0, 'opaque'])
  })

  test('takes no token of another realm', async () => {
    const other = await createRealmFor()
    const { code, failed } = await inspect(access, ['--issuer', issuerOf(other)])
    expect(code).toBe(1)
    expect(failed()).toContain('issuer')
  })

  test('knows a retired key as long as the realm publishes it', async () => {
    const own = await createRealmFor()
    const client = await createClientIn(own, { grantTypes: ['client_credentials'], redirectUris: [] })
    const token = (await must(requestToken(own, client, { grant_type: 'client_credentials' }), 200)).body.access_token
    await must(own.call('POST', '/keys/rotate'), 201)
    const args = ['--issuer', issuerOf(own)]
    expect((await inspect(token, args)).code).toBe(0)
    await must(own.call('DELETE', `/keys/${readPart(partsOf(token)[0]).kid as string}`), 204)
    expect((await inspect(token, args)).failed()).toEqual(['key', 'signature'])
  })

  test('looks at a client assertion without its keys', async () => {
    const seconds = Math.floor(now() / 1000)
    const good = { iss: 'app', sub: 'app', aud: issuer, jti: 'one', iat: seconds, exp: seconds + 60 }
    const assertion = (claims: object) => `${encode({ alg: 'ES256', kid: 'k' })}.${encode({ ...good, ...claims })}.c2ln`
    const first = await inspect(assertion({}), ['--issuer', issuer, '--client', 'app'])
    expect([first.json().kind, first.failed()]).toEqual(['client-assertion', []])
    const bad = assertion({ aud: 'https://other.example', exp: seconds + 3600, jti: undefined })
    expect((await inspect(bad, ['--issuer', issuer, '--client', 'app'])).failed()).toEqual([
      'id',
      'lifetime',
      'audience',
    ])
    const shared = assertion({ aud: [issuer, 'https://other.example'] })
    expect((await inspect(shared, ['--issuer', issuer, '--client', 'app'])).failed()).toEqual(['audience'])
  })

  test('tells a command that cannot be understood, with 2', async () => {
    for (const args of [
      ['inspect'],
      ['inspect', 'a', 'b'],
      ['inspect', 'a', '--no-such'],
      ['inspect', 'a', '--as', 'x'],
    ]) {
      expect((await runAid(args)).code).toBe(2)
    }
    expect((await runAid(['no-such'])).code).toBe(2)
    expect((await runAid(['help'])).code).toBe(0)
  })
})
