import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import { api, createClientIn, createRealmFor, issuerOf, signInTo } from '../../../test/harness/index.ts'

describe('discovery', () => {
  test('says what the issuer offers, in both documents and both forms of the address', async () => {
    const realm = await createRealmFor()
    const issuer = issuerOf(realm)
    const { status, headers, body } = await api(`${issuer}/.well-known/openid-configuration`, 'GET')
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('public, max-age=300')
    expect(body).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      end_session_endpoint: `${issuer}/logout`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      introspection_endpoint: `${issuer}/introspect`,
      revocation_endpoint: `${issuer}/revoke`,
      pushed_authorization_request_endpoint: `${issuer}/par`,
      require_pushed_authorization_requests: false,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      frontchannel_logout_supported: true,
      subject_types_supported: ['public', 'pairwise'],
      acr_values_supported: ['urn:gatehouse:acr:1', 'urn:gatehouse:acr:2', 'urn:gatehouse:acr:3'],
    })
    expect(body.grant_types_supported.toSorted()).toEqual([
      ...['authorization_code', 'client_credentials', 'refresh_token'],
      'urn:ietf:params:oauth:grant-type:device_code',
      'urn:ietf:params:oauth:grant-type:token-exchange',
      'urn:openid:params:grant-type:ciba',
    ])
    expect(body).toMatchObject({
      token_endpoint_auth_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
      request_object_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
      dpop_signing_alg_values_supported: ['ES256', 'PS256', 'EdDSA', 'Ed25519'],
      authorization_signing_alg_values_supported: ['RS256'],
      request_parameter_supported: true,
      request_uri_parameter_supported: false,
    })
    expect(body.response_modes_supported).toEqual(
      expect.arrayContaining(['query', 'form_post', 'jwt', 'query.jwt', 'form_post.jwt']),
    )
    expect(body.scopes_supported).toContain('roles')
    const metadata = await api(`${issuer}/.well-known/oauth-authorization-server`, 'GET')
    expect(metadata.body).toEqual(body)
    const inserted = `${realm.node.url}/.well-known/oauth-authorization-server/realms/${realm.realmId}`
    expect((await api(inserted, 'GET')).body).toEqual(body)
  })

  test('S46: says the configured address, whatever host a request names', async () => {
    const realm = await createRealmFor()
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const { text } = await api(`${issuerOf(realm)}/.well-known/openid-configuration`, 'GET', { headers })
    expect(text).not.toContain('evil.example')
    expect(JSON.parse(text).token_endpoint).toBe(`${issuerOf(realm)}/token`)
  })

  test('names the protected resource in both forms of the address (RFC 9728)', async () => {
    const realm = await createRealmFor()
    const own = await api(`${issuerOf(realm)}/.well-known/oauth-protected-resource`, 'GET')
    expect(own.body).toMatchObject({
      resource: issuerOf(realm),
      authorization_servers: [issuerOf(realm)],
      bearer_methods_supported: ['header'],
    })
    const inserted = `${realm.node.url}/.well-known/oauth-protected-resource/realms/${realm.realmId}`
    expect((await api(inserted, 'GET')).body).toEqual(own.body)
  })

  test('answers 404 for a realm that does not exist and 403 for one that is disabled', async () => {
    const realm = await createRealmFor()
    const path = '/.well-known/openid-configuration'
    expect((await api(`${realm.node.url}/realms/no-such-realm${path}`, 'GET')).status).toBe(404)
    await realm.run((ctx) =>
      ctx.tx.updateTable('realms').set({ enabled: false }).where('realm_id', '=', realm.realmId).execute(),
    )
    realm.node.services.snapshots.drop(realm.realmId)
    expect((await api(issuerOf(realm) + path, 'GET')).status).toBe(403)
  })
})

describe('the keys', () => {
  test('are published with an ETag and may be kept', async () => {
    const realm = await createRealmFor()
    const url = `${issuerOf(realm)}/.well-known/jwks.json`
    const first = await api(url, 'GET')
    expect(first.headers['cache-control']).toBe('public, max-age=300')
    expect(first.headers['access-control-allow-origin']).toBe('*')
    expect(first.body.keys).toEqual([
      { kty: 'RSA', use: 'sig', alg: 'RS256', kid: expect.any(String), n: expect.any(String), e: 'AQAB' },
    ])
    const again = await api(url, 'GET', { headers: { 'if-none-match': String(first.headers.etag) } })
    expect(again.status).toBe(304)
  })

  test('after a rotation the new one signs at once, the old one still verifies and is listed behind it', async () => {
    const realm = await createRealmFor()
    const client = await createClientIn(realm)
    const before = await signInTo(realm, client)
    const rotated = await realm.call('POST', '/keys/rotate')
    const after = await signInTo(realm, client)
    expect(decodeProtectedHeader(after.access_token!).kid).toBe(rotated.body.keyId)
    const { body } = await api(`${issuerOf(realm)}/.well-known/jwks.json`, 'GET')
    expect(body.keys.map((key: { kid: string }) => key.kid)).toEqual([
      rotated.body.keyId,
      decodeProtectedHeader(before.access_token!).kid,
    ])
    const userinfo = await api(`${issuerOf(realm)}/userinfo`, 'GET', {
      headers: { authorization: `Bearer ${before.access_token}` },
    })
    expect(userinfo.status).toBe(200)
  })

  test('name no algorithm while a client has its tokens signed with another', async () => {
    const realm = await createRealmFor()
    const client = await createClientIn(realm, { tokenSigningAlg: 'PS256' })
    const { body } = await api(`${issuerOf(realm)}/.well-known/jwks.json`, 'GET')
    expect(body.keys[0]).not.toHaveProperty('alg')
    const tokens = await signInTo(realm, client)
    expect(decodeProtectedHeader(tokens.access_token!).alg).toBe('PS256')
    expect(decodeProtectedHeader(tokens.id_token!).alg).toBe('PS256')
  })
})

describe('what a person is called', () => {
  test('follows the realm’s strategy and the client’s own, in every token alike', async () => {
    const realm = await createRealmFor()
    const usual = await createClientIn(realm)
    const own = await createClientIn(realm, { subjectClaim: { strategy: 'PAIRWISE', attribute: null } })
    await realm.call('PUT', '/subject-claim', { strategy: 'USERNAME' })
    const first = await signInTo(realm, usual)
    expect([decodeJwt(first.access_token!).sub, decodeJwt(first.id_token!).sub]).toEqual(['admin', 'admin'])
    const userinfo = await api(`${issuerOf(realm)}/userinfo`, 'GET', {
      headers: { authorization: `Bearer ${first.access_token}` },
    })
    expect(userinfo.body.sub).toBe('admin')
    const second = await signInTo(realm, own)
    const { sub } = decodeJwt(second.id_token!)
    expect(sub).not.toBe('admin')
    expect(sub).not.toBe(realm.adminId)
    expect(decodeJwt(second.access_token!).sub).toBe(sub)
    expect(decodeJwt((await signInTo(realm, own)).id_token!).sub).toBe(sub)
  })

  test('is refused to people who have no such name', async () => {
    const realm = await createRealmFor()
    const client = await createClientIn(realm, { subjectClaim: { strategy: 'EMAIL', attribute: null } })
    await expect(signInTo(realm, client)).rejects.toThrow()
  })
})

describe('lifetimes', () => {
  test('are the client’s own where it has some', async () => {
    const realm = await createRealmFor()
    const client = await createClientIn(realm, { accessTokenLifetimeSeconds: 77, idTokenLifetimeSeconds: 88 })
    const tokens = await signInTo(realm, client)
    const access = decodeJwt(tokens.access_token!)
    const id = decodeJwt(tokens.id_token!)
    expect([access.exp! - access.iat!, id.exp! - id.iat!]).toEqual([77, 88])
  })
})

test('a page about a request that cannot be accepted says what the reference of errors says', async () => {
  const realm = await createRealmFor()
  const client = await createClientIn(realm)
  const query = new URLSearchParams({ client_id: client.clientId, redirect_uri: 'https://elsewhere.example/' })
  const answer = await api(`${issuerOf(realm)}/authorize?${query}`, 'GET', { headers: { accept: 'text/html' } })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('The address to return to is not registered')
  expect(answer.text).toContain('Compare scheme, host, port, path and the slash at the end')
})
