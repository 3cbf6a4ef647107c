import { beforeAll, describe, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../test/harness/index.ts'
import { provisioningSection } from './index.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await createRealmFor()
})

const readSection = async () => (await realm.node.services.snapshots.find(realm.realmId))!.section(provisioningSection)

const defaults = {
  dcrEnabled: true,
  dcrAnonymousAllowed: false,
  dcrAllowedGrantTypes: ['authorization_code', 'refresh_token', 'client_credentials', 'device'],
  dcrAllowedScopes: [],
  dcrAllowedRedirectHosts: [],
  dcrAllowedResources: [],
  dcrMaxClients: 200,
  dcrClientTtlDays: null,
  cimdEnabled: false,
  cimdAllowedHosts: [],
  scimEnabled: false,
  jitEnabled: true,
}

describe('/provisioning', () => {
  test('starts with the defaults of the contract', async () => {
    const { status, body, headers } = await realm.call('GET', '/provisioning')
    const scimBaseUrl = `${realm.node.url}/realms/${realm.realmId}/scim/v2`
    expect([status, body]).toEqual([200, { ...defaults, scimBaseUrl }])
    expect(headers.etag).toBe('"0"')
    expect(await readSection()).toEqual(defaults)
  })

  test('is replaced as a whole, reaches the snapshot, and sent back as read changes nothing', async () => {
    const change = {
      dcrAnonymousAllowed: true,
      dcrAllowedGrantTypes: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code', 'device'],
      dcrAllowedScopes: ['offline_access', 'groups', 'groups'],
      dcrAllowedRedirectHosts: ['shop.example.com', '*.example.org', 'com.example.app:', '127.0.0.1', '[::1]'],
      dcrAllowedResources: ['https://notes.example.com/mcp', 'https://notes.example.com/mcp', 'urn:example:api'],
      dcrClientTtlDays: 30,
      cimdAllowedHosts: ['*.example.net'],
    }
    const expected = {
      ...defaults,
      ...change,
      dcrAllowedGrantTypes: ['authorization_code', 'device'],
      dcrAllowedScopes: ['offline_access', 'groups'],
      dcrAllowedResources: ['https://notes.example.com/mcp', 'urn:example:api'],
    }
    const changed = await realm.call('PUT', '/provisioning', change)
    expect(changed.status, changed.text).toBe(200)
    expect(changed.body).toMatchObject(expected)
    expect(await readSection()).toEqual(expected)
    const again = await realm.call('PUT', '/provisioning', { ...changed.body, scimBaseUrl: 'https://elsewhere' })
    expect([again.status, again.body]).toEqual([200, changed.body])
    expect(again.headers.etag).toBe(changed.headers.etag)
    const back = await realm.call('PUT', '/provisioning', {})
    expect(back.body).toMatchObject(defaults)
    expect(back.headers.etag).not.toBe(changed.headers.etag)
  })

  test.each([
    ['dcrAllowedGrantTypes[0]', { dcrAllowedGrantTypes: ['password'] }],
    ['dcrAllowedGrantTypes[0]', { dcrAllowedGrantTypes: ['CIBA'] }],
    ['dcrAllowedGrantTypes[0]', { dcrAllowedGrantTypes: ['urn:openid:params:grant-type:ciba'] }],
    ['dcrAllowedGrantTypes[0]', { dcrAllowedGrantTypes: ['implicit'] }],
    ['dcrAllowedScopes', { dcrAllowedScopes: ['no-such-scope'] }],
    ['dcrAllowedRedirectHosts[0]', { dcrAllowedRedirectHosts: ['https://shop.example.com'] }],
    ['dcrAllowedRedirectHosts[0]', { dcrAllowedRedirectHosts: ['Shop.example.com'] }],
    ['dcrAllowedRedirectHosts[0]', { dcrAllowedRedirectHosts: ['*'] }],
    ['dcrAllowedResources[0]', { dcrAllowedResources: ['/mcp'] }],
    ['dcrAllowedResources[0]', { dcrAllowedResources: ['https://notes.example.com/mcp#top'] }],
    ['cimdAllowedHosts[0]', { cimdAllowedHosts: ['com.example.app:'] }],
    ['dcrMaxClients', { dcrMaxClients: -1 }],
    ['dcrClientTtlDays', { dcrClientTtlDays: 0 }],
    ['dcrMode', { dcrMode: 'open' }],
  ])('refuses %s that makes no sense', async (field, body) => {
    const answer = await realm.call('PUT', '/provisioning', body)
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, field])
  })

  test('lets nobody name this service itself as what strangers may have tokens for', async () => {
    const { url } = realm.node
    for (const own of [`${url}/admin`, url, `${url}/`, `${url.replace('http', 'HTTP')}/realms/../admin`]) {
      const body = { dcrAllowedResources: ['https://notes.example.com/mcp', own] }
      const answer = await realm.call('PUT', '/provisioning', body)
      expect([answer.status, answer.body.errors[0].field]).toEqual([400, 'dcrAllowedResources[1]'])
    }
  })

  test('needs manage-realm, to look and to change', async () => {
    const other = await realm.signInWith(['manage-clients', 'view-users'])
    const manager = await realm.signInWith(['manage-realm'])
    for (const [method, path, body] of [
      ['GET', '/provisioning'],
      ['PUT', '/provisioning', {}],
      ['GET', '/provisioning/initial-access-tokens'],
      ['POST', '/provisioning/initial-access-tokens', {}],
    ] as const) {
      expect((await realm.callAs(other.browser, method, path, body)).status).toBe(403)
      expect((await realm.callAs(manager.browser, method, path, body)).status).toBeLessThan(300)
    }
  })
})
