import { createHash } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAid, type SmallIssuer, startIssuer } from './aid.fixture.ts'

const started: SmallIssuer[] = []
afterAll(async () => {
  for (const issuer of started) await issuer.stop()
})

async function start(...args: Parameters<typeof startIssuer>): Promise<SmallIssuer> {
  const issuer = await startIssuer(...args)
  started.push(issuer)
  return issuer
}

const inspect = (token: string, ...args: string[]) => runAid(['inspect', token, '--json', ...args])

describe('what the aid asks of an issuer', () => {
  test('is its documents: the token is never sent', async () => {
    const issuer = await start()
    const token = await issuer.sign({})
    expect((await inspect(token)).code).toBe(0)
    expect(issuer.seen.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'GET /.well-known/openid-configuration',
      'GET /keys',
    ])
    for (const part of token.split('.')) expect(issuer.seen.join()).not.toContain(part)
  })

  test('is nothing with --offline, nor when the token names an address that is not http or https', async () => {
    const issuer = await start()
    expect((await inspect(await issuer.sign({}), '--offline')).code).toBe(0)
    expect(issuer.seen).toEqual([])
    for (const iss of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:application/json,{}', 'issuer']) {
      expect((await inspect(await issuer.sign({ iss }))).failed()).toContain('issuer')
    }
  })

  test('is asked of the issuer alone: no redirect is followed, no keys come from another host', async () => {
    const elsewhere = await start()
    const headers = { location: `${elsewhere.url}/.well-known/openid-configuration` }
    const redirecting = await start(undefined, () => ({ status: 302, body: {}, headers }))
    expect((await inspect(await redirecting.sign({}))).failed()).toEqual(['discovery'])
    const pointing = await start(() => ({ jwks_uri: `${elsewhere.url}/keys` }))
    expect((await inspect(await pointing.sign({}))).failed()).toEqual(['discovery'])
    expect(elsewhere.seen).toEqual([])
  })

  test('must name itself as it was asked, and be of bounded size', async () => {
    const lying = await start(() => ({ issuer: 'https://another.example' }))
    expect((await inspect(await lying.sign({}))).failed()).toEqual(['discovery'])
    const endless = await start(undefined, () => ({ status: 200, body: `"${'x'.repeat(1_100_000)}"` }))
    const { failed, out } = await inspect(await endless.sign({}))
    expect(failed()).toEqual(['discovery'])
    expect(out).toContain('more than 1024 KiB')
  })

  test('cannot write to the terminal with escape sequences', async () => {
    const issuer = await start()
    const token = await issuer.sign({ name: '\u001b]0;owned\u0007\u009b31m\u202egnp', '\u001b[2J': 'x' })
    for (const args of [[], ['--json']]) {
      const { out } = await runAid(['inspect', token, ...args])
      // oxlint-disable-next-line no-control-regex -- Control characters are what is looked for.
      expect(out.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
      expect(out).toContain('owned')
    }
  })
})

describe('a token that is bound to a key', () => {
  const url = 'https://api.example.org/orders'
  let issuer: SmallIssuer
  let token: string
  let keys: CryptoKeyPair
  let jwk: Awaited<ReturnType<typeof exportJWK>>

  beforeAll(async () => {
    issuer = await start()
    keys = await generateKeyPair('ES256', { extractable: true })
    jwk = await exportJWK(keys.publicKey)
    const { crv, kty, x, y } = jwk
    const jkt = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
    token = await issuer.sign({ cnf: { jkt } })
  })

  const hash = (text: string) => createHash('sha256').update(text).digest('base64url')
  const prove = (claims: object = {}, header: object = {}, key = keys.privateKey) =>
    new SignJWT({ jti: 'one', htm: 'GET', htu: url, ath: hash(token), iat: Math.floor(Date.now() / 1000), ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
      .sign(key)
  const judge = (proof: string) =>
    inspect(token, '--dpop-proof', proof, '--method', 'get', '--url', `${url}?page=2`).then((outcome) =>
      outcome.failed(),
    )

  test('is good with its proof', async () => {
    expect(await judge(await prove())).toEqual([])
    expect((await inspect(token)).out).toContain('It is bound to the key')
  })

  test('is not with a proof for something else, of another key, or badly made', async () => {
    const other = await generateKeyPair('ES256')
    const otherJwk = await exportJWK(other.publicKey)
    expect(await judge(await prove({ htm: 'POST' }))).toEqual(['proof-method'])
    expect(await judge(await prove({ htu: 'https://api.example.org/other' }))).toEqual(['proof-address'])
    expect(await judge(await prove({ ath: hash('another') }))).toEqual(['proof-hash'])
    expect(await judge(await prove({ iat: 1_700_000_000 }))).toEqual(['proof-age'])
    expect(await judge(await prove({ jti: undefined }))).toEqual(['proof-id'])
    expect(await judge(await prove({}, { typ: 'JWT' }))).toEqual(['proof-type'])
    expect(await judge(await prove({}, {}, other.privateKey))).toEqual(['proof-signature'])
    expect(await judge(await prove({}, { jwk: otherJwk }, other.privateKey))).toEqual(['binding'])
    expect(await judge(await prove({}, { jwk: await exportJWK(keys.privateKey) }))).toEqual(['proof-key'])
    expect(await judge('no proof')).toEqual(['proof'])
  })

  test('is told apart from a bearer token that came with a proof', async () => {
    const bearer = await issuer.sign({})
    expect((await inspect(bearer, '--dpop-proof', await prove())).failed()).toEqual(['binding'])
  })

  test('leaves a proof that can be looked at alone', async () => {
    const { json, failed } = await inspect(await prove(), '--method', 'GET', '--url', url)
    expect([json().kind, failed()]).toEqual(['dpop-proof', []])
  })
})
