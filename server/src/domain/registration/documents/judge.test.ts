import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createEgress } from '../../../platform/egress/index.ts'
import { type DocumentRules, judgeDocument } from './judge.ts'
import { DocumentRefusal } from './refusal.ts'

const address = 'https://app.example.com/client.json'
const redirectUri = 'https://app.example.com/callback'
const document = { client_id: address, client_name: 'Weather', redirect_uris: [redirectUri] }
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwks = { keys: [publicKey.export({ format: 'jwk' })] }

const scope = (name: string, defaultScope: boolean) => [name, { name, defaultScope }]
const rules: DocumentRules = {
  enabled: true,
  allowedHosts: [],
  maxClients: 200,
  registration: {
    allowedGrantTypes: ['authorization_code', 'refresh_token', 'client_credentials', 'device'],
    allowedScopes: ['calendar'],
    allowedRedirectHosts: [],
    realmScopes: new Map([scope('openid', true), scope('calendar', false), scope('payroll', false)] as never),
    egress: createEgress({ allow: [] }),
  },
}
const judge = (change: object, other: Partial<DocumentRules> = {}) =>
  judgeDocument(address, { ...document, ...change }, { ...rules, ...other })

describe('a document becomes a client', () => {
  test('that is public, needs PKCE and always asks people', () => {
    expect(judge({})).toMatchObject({
      clientId: address,
      name: 'Weather',
      publicClient: true,
      tokenEndpointAuthMethod: 'none',
      grantTypes: ['authorization_code', 'refresh_token'],
      redirectUris: [redirectUri],
      ...{ consentRequired: true, requirePkce: true, serviceAccountEnabled: false, enabled: true },
    })
  })

  test('that proves itself with its own key', () => {
    const client = judge({ token_endpoint_auth_method: 'private_key_jwt', jwks })
    expect(client).toMatchObject({ publicClient: false, tokenEndpointAuthMethod: 'private_key_jwt' })
    const uri = { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://keys.example.com/jwks' }
    expect(judge(uri).jwksUri).toBe(uri.jwks_uri)
    expect(() => judge(uri, { allowedHosts: ['app.example.com'] })).toThrow(/host of jwks_uri/)
    expect(judge(uri, { allowedHosts: ['*.example.com'] }).jwksUri).toBe(uri.jwks_uri)
  })

  test('with no more than strangers may have, whatever it wishes', () => {
    const wishes = {
      consentRequired: false,
      consent_required: false,
      scope: 'openid calendar payroll',
      grant_types: [
        'authorization_code',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:device_code',
        'password',
      ],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks,
      audiences: ['https://api.example.com'],
      backchannel_logout_uri: 'https://victim.example/flood',
      frontchannel_logout_uri: 'https://app.example.com/frame',
      default_acr_values: ['urn:gatehouse:acr:1'],
      require_pkce: false,
    }
    expect(judge(wishes)).toMatchObject({
      consentRequired: true,
      requirePkce: true,
      scopes: ['calendar'],
      grantTypes: ['authorization_code'],
      serviceAccountEnabled: false,
      audiences: [],
      backchannelLogoutUri: null,
      frontchannelLogoutUri: null,
      defaultAcrValues: [],
    })
  })

  test('with a home page at its own origin, or none', () => {
    expect(judge({ client_uri: 'https://app.example.com/about' }).baseUrl).toBe('https://app.example.com/about')
    for (const client_uri of ['https://bank.example/', 'http://app.example.com/', 'https://app.example.com:8443/'])
      expect(judge({ client_uri }).baseUrl).toBeNull()
  })
})

test.each([
  ['the address of another document', { client_id: 'https://app.example.com/other.json' }],
  ['its own address in another spelling', { client_id: 'https://APP.example.com/client.json' }],
  ['no client_id', { client_id: undefined }],
  ['a list for its client_id', { client_id: [address] }],
  ['a secret', { client_secret: 'x' }],
  ['an empty secret', { client_secret: null }],
  ['the end of a secret', { client_secret_expires_at: 0 }],
  ['a shared secret', { token_endpoint_auth_method: 'client_secret_basic' }],
  ['a shared secret in the body', { token_endpoint_auth_method: 'client_secret_post' }],
  ['a JWT under a shared secret', { token_endpoint_auth_method: 'client_secret_jwt' }],
  [
    'private_key_jwt with a symmetric key',
    { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } },
  ],
  [
    'the private half of its key',
    { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [privateKey.export({ format: 'jwk' })] } },
  ],
  ['keys at an address inside', { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://127.0.0.1/jwks' }],
  ['no redirect URI', { redirect_uris: undefined }],
  ['an empty list of them', { redirect_uris: [] }],
  ['one that is no list', { redirect_uris: redirectUri }],
  ['one without TLS', { redirect_uris: ['http://app.example.com/callback'] }],
  ['one that runs script', { redirect_uris: ['javascript:alert(1)'] }],
  ['one with a wildcard', { redirect_uris: ['https://*.example.com/callback'] }],
  ['no way to sign people in', { grant_types: ['client_credentials'] }],
  ['refresh alone', { grant_types: ['refresh_token'] }],
  ['another response type', { response_types: ['token'] }],
  ['a name that turns around', { client_name: 'Bank\u202egro.live' }],
])('refuses a document with %s', (_what, change) => {
  expect(() => judge(change)).toThrow(DocumentRefusal)
})
