import { describe, expect, test } from 'vitest'
import { createEgress } from '../../platform/egress/index.ts'
import type { RealmScope, RealmScopes } from '../client-scopes/index.ts'
import { RegistrationFault } from './faults.ts'
import { parseClientMetadata, type RegistrationRules, toClientInput } from './metadata.ts'

const scope = (name: string, defaultScope: boolean): [string, RealmScope] => {
  const texts = { scopeId: name, name, description: null, consentText: null }
  return [name, { ...texts, defaultScope, includeInTokenScope: true, claims: [] }]
}
const realmScopes: RealmScopes = new Map([
  scope('openid', true),
  scope('profile', true),
  scope('groups', false),
  scope('account', false),
])
const rules: RegistrationRules = {
  allowedGrantTypes: ['authorization_code', 'refresh_token', 'client_credentials', 'device'],
  allowedScopes: ['groups', 'removed-since'],
  allowedRedirectHosts: [],
  realmScopes,
  egress: createEgress({ allow: [] }),
}
const web = { redirect_uris: ['https://app.example.com/cb'] }
const native = { application_type: 'native', token_endpoint_auth_method: 'none' }

const judge = (document: unknown, over: Partial<RegistrationRules> = {}) =>
  toClientInput(parseClientMetadata(document), 'dcr-1', { ...rules, ...over })

function faultOf(document: unknown, over: Partial<RegistrationRules> = {}): RegistrationFault {
  try {
    judge(document, over)
  } catch (error) {
    if (error instanceof RegistrationFault) return error
    throw error
  }
  throw new Error(`accepted: ${JSON.stringify(document)}`)
}

describe('metadata becomes a client', () => {
  test('with the defaults of RFC 7591, and people are always asked', () => {
    expect(judge(web)).toMatchObject({
      clientId: 'dcr-1',
      publicClient: false,
      tokenEndpointAuthMethod: 'client_secret_basic',
      grantTypes: ['authorization_code', 'refresh_token'],
      redirectUris: ['https://app.example.com/cb'],
      webOrigins: [],
      scopes: [],
      consentRequired: true,
      requirePkce: true,
      securityProfile: 'DEFAULT',
    })
    expect(judge({ ...web, token_endpoint_auth_method: 'none' })).toMatchObject({
      publicClient: true,
      webOrigins: ['+'],
    })
  })

  test('by every member of the standards that is acted on', () => {
    const input = judge({
      ...web,
      client_name: 'The shop',
      client_uri: 'https://app.example.com/',
      post_logout_redirect_uris: ['https://app.example.com/bye'],
      backchannel_logout_uri: 'https://app.example.com/logout',
      backchannel_logout_session_required: true,
      frontchannel_logout_uri: 'https://app.example.com/front',
      id_token_signed_response_alg: 'PS256',
      require_pushed_authorization_requests: true,
      dpop_bound_access_tokens: true,
      default_acr_values: ['gold'],
      subject_type: 'pairwise',
    })
    expect(input).toMatchObject({
      name: 'The shop',
      baseUrl: 'https://app.example.com/',
      postLogoutRedirectUris: ['https://app.example.com/bye'],
      backchannelLogoutUri: 'https://app.example.com/logout',
      backchannelLogoutSessionRequired: true,
      frontchannelLogoutUri: 'https://app.example.com/front',
      tokenSigningAlg: 'PS256',
      requirePushedAuthorizationRequests: true,
      dpopBoundAccessTokens: true,
      defaultAcrValues: ['gold'],
      subjectClaim: { strategy: 'PAIRWISE', attribute: null },
    })
  })

  test('S31: by no member of ours', () => {
    const ours = {
      ...{ consentRequired: false, consent_required: false, enabled: false, requirePkce: false, publicClient: true },
      ...{ audiences: ['https://api.example.com'], allowedResources: ['https://api.example.com'], mappers: [{}] },
      ...{
        serviceAccountEnabled: true,
        roles: ['admin'],
        securityProfile: 'FAPI2',
        accessTokenLifetimeSeconds: 86_400,
      },
      ...{ clientId: 'mine', client_id: 'mine', sectorIdentifierUri: 'https://other.example/s', description: 'x' },
      ...{ 'client_name#nl': 'x', createdBy: 'ADMIN' },
    }
    expect(judge({ ...web, ...ours })).toEqual(judge(web))
    expect(judge({ ...web, subject_type: 'public', logo_uri: null, __proto__: { scope: 'groups' } })).toEqual(
      judge(web),
    )
  })

  test('with no sector of somebody else, and with one host where subjects are pairwise', () => {
    const others = { redirect_uris: ['https://app.example.com/a', 'https://other.example/b'] }
    expect(() => judge({ ...web, sector_identifier_uri: 'https://other.example/s' })).toThrow('sector_identifier_uri')
    expect(() => judge({ ...web, ...others, subject_type: 'pairwise' })).toThrow('same host')
    expect(judge({ ...web, ...others }).redirectUris).toHaveLength(2)
  })

  test('with the scopes and grants that are allowed; the others are left out', () => {
    expect(judge({ ...web, scope: 'openid groups account unknown removed-since profile' }).scopes).toEqual(['groups'])
    expect(judge({ ...web, scope: 'account' }).scopes).toEqual([])
    const wanted = ['authorization_code', 'password', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code']
    expect(judge({ ...web, grant_types: wanted }).grantTypes).toEqual(['authorization_code', 'device'])
    expect(judge({ grant_types: ['client_credentials'] }).grantTypes).toEqual(['client_credentials'])
  })

  test('with addresses on the device for native applications', () => {
    const uris = [
      'com.example.app:/cb',
      'http://127.0.0.1/cb',
      'http://[::1]:8080/cb',
      'https://app.example.com/claimed',
    ]
    expect(judge({ ...native, redirect_uris: uris }).redirectUris).toEqual(uris)
    // An application that says nothing shows it by its addresses, as it did before there was an application_type.
    expect(judge({ redirect_uris: uris, token_endpoint_auth_method: 'none' }).redirectUris).toEqual(uris)
    const hosts = ['com.example.app:', '127.0.0.1', '[::1]', '*.example.com']
    expect(judge({ ...native, redirect_uris: uris }, { allowedRedirectHosts: hosts }).redirectUris).toEqual(uris)
  })
})

describe('S31, S23: a redirect URI is refused', () => {
  test.each([
    ['none where one is needed', {}],
    ['javascript', { redirect_uris: ['javascript:alert(1)'] }],
    ['data', { redirect_uris: ['data:text/html,x'] }],
    ['plain http', { redirect_uris: ['http://app.example.com/cb'] }],
    ['wildcard', { redirect_uris: ['https://*.example.com/cb'] }],
    ['fragment', { redirect_uris: ['https://app.example.com/cb#x'] }],
    ['user name', { redirect_uris: ['https://a@app.example.com/cb'] }],
    ['backslash', { redirect_uris: ['https://app.example.com\\@evil.example/cb'] }],
    ['dot segment', { redirect_uris: ['https://app.example.com/..;/cb'] }],
    ['relative', { redirect_uris: ['/cb'] }],
    [
      'custom scheme of a web application',
      { ...native, application_type: 'web', redirect_uris: ['com.example.app:/cb'] },
    ],
    ['custom scheme with a secret', { application_type: 'native', redirect_uris: ['com.example.app:/cb'] }],
    ['second of two', { redirect_uris: ['https://app.example.com/cb', 'http://evil.example/'] }],
  ])('%s', (_what, document) => {
    expect(faultOf(document).error).toBe('invalid_redirect_uri')
  })

  test.each([
    ['another host', 'https://evil.example/cb'],
    ['a host that only ends alike', 'https://evilshop.example.com/cb'],
    ['the host as a user name', 'https://shop.example.com.evil.example/cb'],
    ['a host of the device', 'http://127.0.0.1/cb'],
    ['a custom scheme', 'com.example.app:/cb'],
  ])('where the realm names its hosts: %s', (_what, uri) => {
    const document = { ...native, redirect_uris: [uri] }
    expect(faultOf(document, { allowedRedirectHosts: ['shop.example.com'] }).error).toBe('invalid_redirect_uri')
  })

  test('also after sign-out', () => {
    const document = { ...web, post_logout_redirect_uris: ['https://evil.example/'] }
    const fault = faultOf(document, { allowedRedirectHosts: ['app.example.com'] })
    expect([fault.error, fault.description]).toEqual([
      'invalid_client_metadata',
      expect.stringMatching(/^post_logout_redirect_uris\[0\]: /),
    ])
  })
})

describe('S31: metadata is refused', () => {
  const rsa1024 = { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(128, 0xcb).toString('base64url') }
  test.each([
    ['nothing at all', 'metadata', undefined],
    ['a list', 'metadata', []],
    ['a name that turns the writing', 'client_name', { ...web, client_name: 'Bank\u202egro.live' }],
    ['a name with a line break', 'client_name', { ...web, client_name: 'a\nb' }],
    ['redirect_uris as a text', 'redirect_uris', { redirect_uris: 'https://app.example.com/cb' }],
    ['too many redirect URIs', 'redirect_uris', { redirect_uris: Array(101).fill('https://app.example.com/cb') }],
    ['no grant that is allowed', 'grant_types', { ...web, grant_types: ['password', 'implicit'] }],
    [
      'client_credentials of a public client',
      'grant_types',
      { grant_types: ['client_credentials'], token_endpoint_auth_method: 'none' },
    ],
    ['another response type', 'response_types', { ...web, response_types: ['token'] }],
    ['another method', 'token_endpoint_auth_method', { ...web, token_endpoint_auth_method: 'tls_client_auth' }],
    ['another algorithm', 'id_token_signed_response_alg', { ...web, id_token_signed_response_alg: 'none' }],
    ['a weak key', 'jwks.keys[0]', { ...web, jwks: { keys: [rsa1024] } }],
    ['a private key', 'jwks.keys[0].d', { ...web, jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'x', d: 'd' }] } }],
    ['keys at the metadata service', 'jwks_uri', { ...web, jwks_uri: 'https://169.254.169.254/latest' }],
    ['keys on this machine', 'jwks_uri', { ...web, jwks_uri: 'https://127.0.0.1/jwks' }],
    ['keys in the clear', 'jwks_uri', { ...web, jwks_uri: 'http://app.example.com/jwks' }],
    ['logout at an inner address', 'backchannel_logout_uri', { ...web, backchannel_logout_uri: 'https://[::1]/x' }],
    ['logout at ten dot', 'backchannel_logout_uri', { ...web, backchannel_logout_uri: 'https://10.0.0.1/x' }],
    [
      'a frame of somebody else',
      'frontchannel_logout_uri',
      { ...web, frontchannel_logout_uri: 'https://other.example/x' },
    ],
    ['a script as the home page', 'client_uri', { ...web, client_uri: 'javascript:alert(1)' }],
  ])('%s', (_what, member, document) => {
    const { error, description } = faultOf(document)
    expect(description.startsWith(`${member}: `), description).toBe(true)
    expect(error).toBe(member === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata')
  })

  test('with every fault at once, in the names of the request', () => {
    const { description } = faultOf({
      redirect_uris: ['http://a.example/'],
      jwks_uri: 'https://10.1.1.1/',
      ...{ scope: 7 },
    })
    expect(description).toMatch(/^scope: /)
    const more = faultOf({ redirect_uris: ['http://a.example/'], jwks_uri: 'https://10.1.1.1/' })
    expect(more.description).toMatch(/redirect_uris\[0\]: .* jwks_uri: /)
    expect(more.error).toBe('invalid_client_metadata')
  })
})
