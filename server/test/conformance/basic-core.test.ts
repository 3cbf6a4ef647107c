import { decodeProtectedHeader } from 'jose'
import * as openid from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { api, issuerOf } from '../harness/index.ts'
import { createUnmovedRealm } from '../relying-parties/unmoved-node.ts'
import { readCallback } from '../relying-parties/walk.ts'
import { arrivedBy, ask, codePlans, createParty, type Party, signIn } from './party.ts'

let party: Party

beforeAll(async () => {
  party = await createParty(await createUnmovedRealm())
})

const userinfo = (token: string, method: string, how: 'header' | 'body' = 'header') =>
  api(`${issuerOf(party.realm)}/userinfo`, method, {
    ...(how === 'header' ? { headers: { authorization: `Bearer ${token}` } } : { form: { access_token: token } }),
  })

describe.each(codePlans)('$plan', ({ mode }) => {
  test('oidcc-server: the code flow ends with an ID token that the relying party accepts', async () => {
    const { tokens, claims, callback, expectedState, pages } = await signIn(party, { mode })
    expect(pages).toContain('sign-in')
    expect(arrivedBy(callback)).toBe(mode)
    const answer = Object.fromEntries(await readCallback(callback!))
    expect(answer).toEqual({ code: expect.any(String), state: expectedState, iss: issuerOf(party.realm) })
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: expect.any(Number) })
    expect(claims).toMatchObject({ sub: party.realm.adminId, aud: party.client.clientId })
    expect(claims.exp - claims.iat).toBeGreaterThan(0)
    const person = await openid.fetchUserInfo(party.config, tokens.access_token, claims.sub)
    expect(person.sub).toBe(claims.sub)
  })

  test('oidcc-response-type-missing: is refused as invalid_request, or on a page', async () => {
    const { callback, expectedState, pages } = await ask(party, { mode, params: { response_type: '' } })
    expect(pages).not.toContain('sign-in')
    const answer = await readCallback(callback!)
    expect(['invalid_request', 'unsupported_response_type']).toContain(answer.get('error'))
    expect([answer.get('state'), answer.get('iss')]).toEqual([expectedState, issuerOf(party.realm)])
    expect(answer.has('code')).toBe(false)
  })

  test('oidcc-idtoken-signature: an ID token names its key and is signed with RS256 unless told otherwise', async () => {
    const { tokens } = await signIn(party, { mode })
    const { alg, kid } = decodeProtectedHeader(tokens.id_token!)
    expect(alg).toBe('RS256')
    const { body } = await api(`${issuerOf(party.realm)}/.well-known/jwks.json`, 'GET')
    expect(body.keys.map((key: { kid: string }) => key.kid)).toContain(kid)
  })

  test('oidcc-userinfo-get: answers a bearer token in the header', async () => {
    const { tokens, claims } = await signIn(party, { mode })
    const answer = await userinfo(tokens.access_token, 'GET')
    expect([answer.status, answer.body.sub]).toEqual([200, claims.sub])
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
  })

  test('oidcc-userinfo-post-header: answers a POST with the token in the header', async () => {
    const { tokens, claims } = await signIn(party, { mode })
    const answer = await userinfo(tokens.access_token, 'POST')
    expect([answer.status, answer.body?.sub]).toEqual([200, claims.sub])
  })

  test('oidcc-userinfo-post-body: answers a POST with the token in the form', async () => {
    const { tokens, claims } = await signIn(party, { mode })
    const answer = await userinfo(tokens.access_token, 'POST', 'body')
    expect([answer.status, answer.body?.sub]).toEqual([200, claims.sub])
  })

  test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow: and the ID token has none', async () => {
    const { claims } = await signIn(party, { mode, withoutNonce: true })
    expect(claims).not.toHaveProperty('nonce')
  })

  test('oidcc-ensure-request-with-unknown-parameter-succeeds: what is not understood is ignored', async () => {
    const { claims } = await signIn(party, { mode, params: { extra: 'foobar' } })
    expect(claims.sub).toBe(party.realm.adminId)
  })

  test('oidcc-ensure-registered-redirect-uri: nobody is sent to an address that is not registered', async () => {
    const elsewhere = `${party.client.redirectUri}/elsewhere`
    const { callback, answer, pages } = await ask(party, { mode, params: { redirect_uri: elsewhere } })
    expect(callback).toBeNull()
    expect(pages).toEqual(['other'])
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(elsewhere)
  })

  test('oidcc-ensure-post-request-succeeds: an authorization request may come as a form', async () => {
    const { claims } = await signIn(party, { mode, post: true })
    expect(claims.sub).toBe(party.realm.adminId)
  })

  test('oidcc-server-client-secret-post: the secret may be sent in the form', async () => {
    const posting = await createParty(party.realm, { tokenEndpointAuthMethod: 'client_secret_post' })
    const { tokens } = await signIn(posting, { mode })
    expect(tokens.access_token).toBeTypeOf('string')
  })

  test('oidcc-ensure-request-with-valid-pkce-succeeds: and a wrong verifier does not', async () => {
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const params = {
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    }
    const { claims } = await signIn(party, { mode, params, pkceCodeVerifier })
    expect(claims.sub).toBe(party.realm.adminId)
    const wrong = signIn(party, { mode, params, pkceCodeVerifier: openid.randomPKCECodeVerifier() })
    await expect(wrong).rejects.toMatchObject({ error: 'invalid_grant' })
  })
})
