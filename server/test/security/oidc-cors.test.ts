// S33: scripts of other sites read an answer only where the client names their origin, and never with cookies.
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  api,
  authorize,
  basic,
  createClientIn,
  createRealmFor,
  issuerOf,
  redeem,
  signInTo,
  type TestClient,
  type TestRealm,
} from '../harness/index.ts'

const own = 'https://spa.example.org'
const foreign = [
  ...['https://evil.example', 'null', 'http://spa.example.org', 'https://spa.example.org.evil.example'],
  ...[
    'https://spa.example.org:8443',
    'https://SPA.example.org',
    'https://x.spa.example.org',
    'https://app.example.org',
  ],
  ...['file://', '*', 'https://spa.example.org/'],
]

let realm: TestRealm
let spa: TestClient
let confidential: TestClient
beforeAll(async () => {
  realm = await createRealmFor()
  spa = await createClientIn(realm, { publicClient: true, webOrigins: [own] })
  confidential = await createClientIn(realm, { webOrigins: [own] })
})

const allowed = (answer: Answer) => answer.headers['access-control-allow-origin']
const withOrigin = (origin: string, headers: Record<string, string> = {}) => ({ headers: { origin, ...headers } })
const token = (origin: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  api(`${issuerOf(realm)}/token`, 'POST', { form, ...withOrigin(origin, headers) })

describe('S33: the token endpoint', () => {
  const ask = async (origin: string) => {
    const authorization = await authorize(realm, spa)
    return token(origin, {
      client_id: spa.clientId,
      grant_type: 'authorization_code',
      code: authorization.params.code!,
      redirect_uri: spa.redirectUri,
      code_verifier: authorization.verifier,
    })
  }

  test('answers the client’s own origin by name, varies by it, and allows no cookies', async () => {
    const answer = await ask(own)
    expect([answer.status, allowed(answer)]).toEqual([200, own])
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    expect(String(answer.headers.vary).toLowerCase()).toContain('origin')
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test.each(foreign)('refuses the origin %s', async (origin) => {
    const answer = await ask(origin)
    expect(answer.status).toBe(400)
    expect(allowed(answer)).toBeUndefined()
    expect(answer.body.access_token).toBeUndefined()
  })

  test('tells an origin nothing while it does not know the client', async () => {
    const forms = [
      {},
      { client_id: 'no-such-client', grant_type: 'refresh_token', refresh_token: 'x' },
      { grant_type: 'authorization_code', code: 'x' },
      { client_id: spa.clientId, client_secret: 'x', grant_type: 'nonsense' },
    ]
    for (const form of forms) {
      for (const origin of ['https://evil.example', 'null']) {
        expect(allowed(await token(origin, form as Record<string, string>)), JSON.stringify(form)).toBeUndefined()
      }
    }
    const wrong = await token(
      'https://evil.example',
      { grant_type: 'client_credentials' },
      basic({ ...confidential, secret: 'guess' }),
    )
    expect(allowed(wrong)).toBeUndefined()
  })

  test('answers a request without an origin to nobody’s scripts in particular', async () => {
    const authorization = await authorize(realm, spa)
    const answer = await redeem(realm, spa, authorization)
    expect(answer.status).toBe(200)
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  })

  test('allows no cookies in its preflight either', async () => {
    for (const path of ['token', 'userinfo', 'revoke', 'introspect', 'par']) {
      const answer = await api(`${issuerOf(realm)}/${path}`, 'OPTIONS', {
        headers: {
          origin: 'https://evil.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        },
      })
      expect(answer.headers['access-control-allow-credentials'], path).toBeUndefined()
    }
  })
})

describe('S33: userinfo', () => {
  const ask = (origin: string, accessToken: string) =>
    api(`${issuerOf(realm)}/userinfo`, 'GET', withOrigin(origin, { authorization: `Bearer ${accessToken}` }))

  test('answers the origin of the token’s client', async () => {
    const tokens = await signInTo(realm, spa)
    const answer = await ask(own, tokens.access_token!)
    expect([answer.status, allowed(answer)]).toEqual([200, own])
  })

  test.each(foreign)('refuses the origin %s', async (origin) => {
    const tokens = await signInTo(realm, spa)
    const answer = await ask(origin, tokens.access_token!)
    expect(answer.body?.sub).toBeUndefined()
    expect(allowed(answer)).toBeUndefined()
  })

  test('believes no origin because of a token that it cannot verify', async () => {
    const tokens = await signInTo(realm, spa)
    const [head, body] = tokens.access_token!.split('.')
    for (const forged of [`${head}.${body}.AAAA`, `${head}.${body}.`, 'rubbish', tokens.id_token!]) {
      for (const origin of [own, 'https://evil.example']) {
        const answer = await ask(origin, forged)
        expect([answer.status, allowed(answer)]).toEqual([401, undefined])
      }
    }
  })
})

describe('S33: everything else', () => {
  test('introspection, revocation and pushed requests answer no foreign origin', async () => {
    const tokens = await signInTo(realm, confidential)
    for (const path of ['introspect', 'revoke', 'par']) {
      const answer = await api(`${issuerOf(realm)}/${path}`, 'POST', {
        form: { token: tokens.access_token!, client_id: confidential.clientId },
        ...withOrigin('https://evil.example', basic(confidential)),
      })
      expect([path, allowed(answer)]).toEqual([path, undefined])
    }
  })

  test('pages and /authorize answer no origin at all, and documents answer every one without cookies', async () => {
    for (const path of ['authorize', 'login', 'logout']) {
      const answer = await api(`${issuerOf(realm)}/${path}`, 'GET', withOrigin(own, { accept: 'text/html' }))
      expect([path, allowed(answer)]).toEqual([path, undefined])
    }
    for (const path of ['.well-known/openid-configuration', '.well-known/jwks.json']) {
      const answer = await api(`${issuerOf(realm)}/${path}`, 'GET', withOrigin('https://anybody.example'))
      expect(answer.status).toBe(200)
      expect(['*', 'https://anybody.example']).toContain(allowed(answer))
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    }
  })

  test('no client can name an origin that stands for others', async () => {
    for (const origin of [
      '*',
      'null',
      'https://*.example.org',
      'https://spa.example.org/',
      'spa.example.org',
      'file://',
    ]) {
      const answer = await realm.call('POST', '/clients', {
        clientId: `origin-${Math.random().toString(36).slice(2)}`,
        redirectUris: [spa.redirectUri],
        webOrigins: [origin],
      })
      expect([origin, answer.status]).toEqual([origin, 400])
    }
  })

  test('a change of the origins counts with the next request', async () => {
    const changing = await createClientIn(realm, { publicClient: true, webOrigins: [own] })
    const tokens = await signInTo(realm, changing)
    const ask = () =>
      api(`${issuerOf(realm)}/userinfo`, 'GET', withOrigin(own, { authorization: `Bearer ${tokens.access_token}` }))
    expect(allowed(await ask())).toBe(own)
    const { body: record } = await realm.call('GET', `/clients/${changing.id}`)
    expect((await realm.call('PUT', `/clients/${changing.id}`, { ...record, webOrigins: [] })).status).toBe(200)
    expect(allowed(await ask())).toBeUndefined()
  })
})
