import { describe, expect, test } from 'vitest'
import { api, createRealmFor } from '../../../test/harness/index.ts'
import { defaultSettings } from './index.ts'

describe('GET and PUT /settings', () => {
  test('a fresh realm answers every setting, without a look of its own', async () => {
    const realm = await createRealmFor()
    const answer = await realm.call('GET', '/settings')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ realmId: realm.realmId, ...defaultSettings })
    expect(answer.headers.etag).toMatch(/^"\d+"$/)
  })

  test('PUT merges, echoes the whole object and is recorded with what changed', async () => {
    const realm = await createRealmFor()
    const look = {
      displayName: 'Example',
      logoUrl: '/assets/logo.svg',
      primaryColor: '#123456',
      customCss: '.gh-main{}',
    }
    expect((await realm.call('PUT', '/settings', { ...look, passwordPolicy: { minLength: 14 } })).status).toBe(200)
    const answer = await realm.call('PUT', '/settings', { logoUrl: null, passwordPolicy: { minDigits: 1 } })
    expect(answer.body).toMatchObject({ ...look, logoUrl: null, passwordPolicy: { minLength: 14, minDigits: 1 } })
    expect((await realm.call('GET', '/settings')).body).toEqual(answer.body)

    const [event] = await realm.events('&resourceType=settings')
    expect(event).toMatchObject({ type: 'ADMIN_UPDATE', outcome: 'SUCCESS', resourceId: realm.realmId })
    expect(JSON.parse(event.detail)).toEqual({ logoUrl: null, passwordPolicy: { minDigits: 1 } })
  })

  test('what was read can be written back and changes nothing', async () => {
    const realm = await createRealmFor()
    const read = await realm.call('GET', '/settings')
    const written = await realm.call('PUT', '/settings', read.body)
    expect(written.status).toBe(200)
    expect(written.body).toEqual(read.body)
    expect(written.headers.etag).toBe(read.headers.etag)
  })

  test('refuses a change of what was changed meanwhile', async () => {
    const realm = await createRealmFor()
    const { etag } = (await realm.call('GET', '/settings')).headers
    const ifMatch = { headers: { 'if-match': String(etag) } }
    const first = await realm.call('PUT', '/settings', { rememberMe: false }, ifMatch)
    expect(first.headers.etag).not.toBe(etag)
    const second = await realm.call('PUT', '/settings', { rememberMe: true }, ifMatch)
    expect([second.status, second.body.code]).toEqual([412, 'precondition_failed'])
  })

  test('a dry run answers the result and keeps nothing', async () => {
    const realm = await createRealmFor()
    const answer = await realm.call('PUT', '/settings?dryRun=true', { welcomeText: 'Hello' })
    expect(answer.body.welcomeText).toBe('Hello')
    expect((await realm.call('GET', '/settings')).body.welcomeText).toBeNull()
  })

  test('refuses unknown members, wrong values and contradictions, naming each', async () => {
    const realm = await createRealmFor()
    const fieldsOf = async (json: unknown) => {
      const { status, body } = await realm.call('PUT', '/settings', json)
      return [status, body.code, body.errors.map((error: { field: string }) => error.field)]
    }
    expect(await fieldsOf({ colour: '#fff', bruteForce: { tries: 1 } })).toEqual([
      400,
      'unknown_field',
      ['bruteForce.tries', 'colour'],
    ])
    expect(await fieldsOf({ primaryColor: 'red', passwordPolicy: { minLength: 3 } })).toEqual([
      400,
      'validation_failed',
      ['primaryColor', 'passwordPolicy.minLength'],
    ])
    expect(await fieldsOf({ customCss: '@import "x";', defaultLocale: 'nl' })).toEqual([
      400,
      'validation_failed',
      ['defaultLocale', 'customCss'],
    ])
  })

  test('S51 the captcha secret is in no answer, no event and no log line', async () => {
    const realm = await createRealmFor()
    const change = { captcha: { provider: 'turnstile', siteKey: 'key', secret: 'canary-secret-4711' } }
    const answer = await realm.call('PUT', '/settings', change)
    expect(answer.body.captcha).toEqual({ provider: 'turnstile', siteKey: 'key', secret: null, secretSet: true })
    const kept = await realm.call('PUT', '/settings', { captcha: { siteKey: 'other' } })
    expect(kept.body.captcha).toMatchObject({ siteKey: 'other', secretSet: true })
    const seen = JSON.stringify([answer, kept, await realm.events(), realm.node.lines, realm.node.auditLines])
    expect(seen).not.toContain('canary-secret-4711')
  })

  test('the name and state are those of the realm itself', async () => {
    const realm = await createRealmFor()
    await realm.call('PUT', '/settings', { displayName: 'Example' })
    expect((await realm.node.services.snapshots.find(realm.realmId))?.displayName).toBe('Example')
    expect((await realm.call('PUT', '/settings', { enabled: false })).body.enabled).toBe(false)
    expect((await realm.call('GET', '/settings')).body.code).toBe('realm_disabled')
  })

  test('any administrator reads, only manage-realm writes', async () => {
    const realm = await createRealmFor()
    const auditor = await realm.signInWith(['view-events'])
    expect((await realm.callAs(auditor.browser, 'GET', '/settings')).status).toBe(200)
    expect((await realm.callAs(auditor.browser, 'PUT', '/settings', { rememberMe: false })).status).toBe(403)
    const manager = await realm.signInWith(['manage-realm'])
    expect((await realm.callAs(manager.browser, 'PUT', '/settings', { rememberMe: false })).status).toBe(200)
    const nobody = await realm.signInWith([])
    expect((await realm.callAs(nobody.browser, 'GET', '/settings')).status).toBe(403)
  })

  test('a new theme is served at once', async () => {
    const realm = await createRealmFor()
    await realm.call('PUT', '/settings', { primaryColor: '#123456' })
    const theme = await api(`${realm.node.url}/realms/${realm.realmId}/branding/theme.css`, 'GET')
    expect([theme.status, theme.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
    expect(theme.text).toContain('--gh-primary: #123456')
    expect(theme.headers['content-security-policy']).toBe("default-src 'none'")
    const logo = await api(`${realm.node.url}/realms/${realm.realmId}/branding/logo`, 'GET')
    expect(logo.status).toBe(404)
  })
})
