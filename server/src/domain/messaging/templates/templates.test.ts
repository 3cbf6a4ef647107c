import { beforeAll, describe, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../../test/harness/index.ts'
import { templateKeys } from './keys.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await createRealmFor()
})

const list = async (from: TestRealm = realm) => (await from.call('GET', '/messaging/templates')).body
const own = { templateKey: 'otp-sms', channel: 'SMS', body: 'Code {{code}}' }

describe('templates', () => {
  test('a fresh realm has every built-in one, and its id stays when it is changed and changed back', async () => {
    const fresh = await createRealmFor()
    const before = await list(fresh)
    expect(before.map((template: { templateKey: string }) => template.templateKey)).toEqual(templateKeys)
    expect(before.every((template: { customized: boolean }) => !template.customized)).toBe(true)
    const sms = before.find((template: { templateKey: string }) => template.templateKey === 'otp-sms')
    expect(Object.keys(sms)).toEqual([
      ...['id', 'realmId', 'templateKey', 'channel', 'locale', 'subject', 'body', 'enabled', 'html', 'customized'],
    ])
    // GET, edit, PUT.
    const changed = await fresh.call('PUT', '/messaging/templates', { ...sms, body: 'Code {{code}}' })
    expect([changed.status, changed.body]).toEqual([200, { ...sms, body: 'Code {{code}}', customized: true }])
    expect((await list(fresh)).filter((template: { customized: boolean }) => template.customized)).toEqual([
      changed.body,
    ])
    expect((await fresh.call('DELETE', `/messaging/templates/${sms.id}`)).status).toBe(204)
    expect(await list(fresh)).toEqual(before)
    expect((await fresh.call('DELETE', `/messaging/templates/${sms.id}`)).status).toBe(404)
  })

  test('have one text for each language, replaced by the next', async () => {
    for (const [locale, body] of [
      [null, 'all'],
      ['de', 'deutsch'],
      ['de', 'noch einmal'],
    ]) {
      expect((await realm.call('PUT', '/messaging/templates', { ...own, locale, body })).status).toBe(200)
    }
    const texts = (await list()).filter((template: { templateKey: string }) => template.templateKey === 'otp-sms')
    expect(texts.map(({ locale, body }: { locale: string; body: string }) => [locale, body])).toEqual([
      [null, 'all'],
      ['de', 'noch einmal'],
    ])
  })

  test('of another realm are neither seen nor touched', async () => {
    const other = await createRealmFor()
    await other.call('PUT', '/messaging/templates', { ...own, body: 'only there' })
    expect(JSON.stringify(await list())).not.toContain('only there')
    const [theirs] = (await list(other)).filter((template: { customized: boolean }) => template.customized)
    expect((await realm.call('DELETE', `/messaging/templates/${theirs.id}`)).status).toBe(404)
    const shown = await realm.call('POST', '/messaging/templates/preview', { templateKey: 'otp-sms' })
    expect(shown.body.body).not.toContain('only there')
  })

  test.each([
    ['subject', { templateKey: 'otp-email', channel: 'EMAIL', subject: 'a\r\nBcc: x@y.z', body: 'x' }],
    ['subject', { templateKey: 'otp-email', channel: 'EMAIL', subject: 'a\u0085b', body: 'x' }],
    ['subject', { templateKey: 'otp-email', channel: 'EMAIL', body: 'x' }],
    ['channel', { templateKey: 'otp-email', channel: 'SMS', subject: 'x', body: 'x' }],
    ['html', { templateKey: 'otp-sms', channel: 'SMS', body: 'x', html: true }],
    ['body', { templateKey: 'otp-sms', channel: 'SMS', body: 'x'.repeat(1601) }],
    ['body', { templateKey: 'otp-sms', channel: 'SMS', body: 'a\u0007b' }],
    ['locale', { templateKey: 'otp-sms', channel: 'SMS', body: 'x', locale: 'not a tag' }],
    ['templateKey', { templateKey: 'no-such-key', channel: 'SMS', body: 'x' }],
  ])('S47: are refused with the member %s named', async (field, body) => {
    const answer = await realm.call('PUT', '/messaging/templates', body)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toContain(field)
  })

  test('need manage-realm', async () => {
    const other = await realm.signInWith(['manage-users', 'manage-clients', 'view-users'])
    for (const [method, path, json] of [
      ['GET', '/messaging/templates', undefined],
      ['PUT', '/messaging/templates', own],
      ['POST', '/messaging/templates/preview', { templateKey: 'otp-sms' }],
    ] as const) {
      expect((await realm.callAs(other.browser, method, path, json)).status).toBe(403)
    }
  })
})

describe('a preview', () => {
  const preview = (body: object) => realm.call('POST', '/messaging/templates/preview', body)

  test('shows the subject and body and what is missing', async () => {
    const answer = await preview({ templateKey: 'otp-email', sample: { code: '123456', user: 'Ada' } })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      templateKey: 'otp-email',
      channel: 'EMAIL',
      subject: `Your code for ${realm.realmId}`,
      missing: ['ttl'],
    })
    expect(answer.body.body).toContain('Hello Ada,')
    expect(answer.body.html).toContain('123456')
  })

  test('S47: escapes values in HTML and nowhere else', async () => {
    const html = { templateKey: 'invite-email', channel: 'EMAIL', subject: 'Hi {{user}}', body: '<p>{{user}}</p>' }
    await realm.call('PUT', '/messaging/templates', { ...html, html: true })
    const sample = { user: '<b>"Ada" & co</b>' }
    const shown = (await preview({ templateKey: 'invite-email', sample })).body
    expect(shown).toMatchObject({
      subject: `Hi ${sample.user}`,
      body: '<p>&lt;b&gt;&quot;Ada&quot; &amp; co&lt;/b&gt;</p>',
    })
    const text = (await preview({ templateKey: 'approval-push', sample })).body
    expect(text.body).toContain(sample.user)
  })

  test('in another language, of a key that is not there, and of rubbish', async () => {
    expect((await preview({ templateKey: 'verify-email', locale: 'nl', sample: {} })).body.subject).toMatch(/Bevestig/)
    expect((await preview({ templateKey: 'no-such-key' })).status).toBe(404)
    expect((await preview({ templateKey: 'otp-sms', sample: { a: 1 } })).status).toBe(400)
    expect((await preview({ templateKey: 'otp-sms', surprise: 1 })).body.code).toBe('unknown_field')
  })
})
