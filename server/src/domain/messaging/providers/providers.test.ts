import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRealmFor, type TestNode, type TestRealm } from '../../../../test/harness/index.ts'
import { httpProvider, smtpProvider, startMessagingNode } from '../../../../test/messaging/messaging-node.ts'
import { type SmtpHost, startSmtpHost } from '../../../../test/messaging/smtp-host.ts'
import { runSql } from '../../../../test/faults/parts.ts'
import { hasProvider } from './section.ts'
import { openProviders } from './service.ts'

let node: TestNode
let realm: TestRealm
let host: SmtpHost
beforeAll(async () => {
  node = await startMessagingNode()
  realm = await createRealmFor({ node })
  host = await startSmtpHost({ auth: { user: 'login@example.com', pass: 'Canary-Password-1' } })
})
afterAll(async () => {
  await host.stop()
  await node.stop()
})

const path = '/messaging/providers'
const put = (body: object, to = realm) => to.call('PUT', path, body)
const smtp = () => smtpProvider(host.port)
const withAuth = (change: object = {}) =>
  smtpProvider(host.port, {
    config: { host: '127.0.0.1', port: host.port, tls: 'NONE', username: 'login@example.com' },
    secret: 'Canary-Password-1',
    ...change,
  })

describe('providers', () => {
  test('a fresh realm has none', async () => {
    const fresh = await createRealmFor({ node })
    expect((await fresh.call('GET', path)).body).toEqual([])
    expect(await hasProvider((await node.services.snapshots.find(fresh.realmId))!, 'EMAIL')).toBe(false)
  })

  test('are made and replaced by channel and driver, with every default shown, and seen by the next request', async () => {
    const fresh = await createRealmFor({ node })
    const made = await put({ ...smtp(), config: { host: 'smtp.example.com' } }, fresh)
    expect(made.status, made.text).toBe(200)
    expect(made.body).toMatchObject({
      ...{ realmId: fresh.realmId, channel: 'EMAIL', driver: 'smtp', enabled: true, priority: 0 },
      ...{ secret: null, secretSet: false, lastError: null, fromAddress: 'login@example.com', fromName: 'Example' },
      config: { host: 'smtp.example.com', port: 587, username: null, tls: 'STARTTLS', timeoutMs: 10_000 },
    })
    // GET, edit, PUT.
    const [read] = (await fresh.call('GET', path)).body
    const again = await put({ ...read, priority: 7 }, fresh)
    expect(again.body).toEqual({ ...read, priority: 7 })
    expect((await fresh.call('GET', path)).body).toHaveLength(1)
    const snapshot = await node.services.snapshots.refresh(fresh.realmId)
    expect(await hasProvider(snapshot!, 'EMAIL')).toBe(true)
    expect(await hasProvider(snapshot!, 'SMS')).toBe(false)
    await put({ ...read, enabled: false }, fresh)
    expect(await hasProvider((await node.services.snapshots.find(fresh.realmId))!, 'EMAIL')).toBe(false)
  })

  test('are listed in the order in which they are tried', async () => {
    const fresh = await createRealmFor({ node })
    await put(smtp(), fresh)
    await put(httpProvider('EMAIL', 'http://127.0.0.1:1', { priority: 5 }), fresh)
    const drivers = (await fresh.call('GET', path)).body.map((entry: { driver: string }) => entry.driver)
    expect(drivers).toEqual(['http', 'smtp'])
  })

  test.each([
    ['driver', { channel: 'EMAIL', driver: 'twilio', config: {} }],
    ['driver', { channel: 'SMS', driver: 'carrier-pigeon', config: {} }],
    ['channel', { channel: 'FAX', driver: 'smtp', config: {} }],
    ['config.host', { channel: 'EMAIL', driver: 'smtp', config: {} }],
    ['config.hots', { channel: 'EMAIL', driver: 'smtp', config: { host: 'smtp.example.com', hots: 'x' } }],
    ['config.port', { channel: 'EMAIL', driver: 'smtp', config: { host: 'smtp.example.com', port: 70_000 } }],
    ['config.host', { channel: 'EMAIL', driver: 'smtp', config: { host: '169.254.169.254' } }],
    ['config.host', { channel: 'EMAIL', driver: 'smtp', config: { host: 'a b' } }],
    ['config.tls', { channel: 'EMAIL', driver: 'smtp', config: { host: '93.184.215.14', tls: 'NONE' } }],
    ['config.url', { channel: 'SMS', driver: 'http', config: { url: 'http://169.254.169.254/latest' } }],
    ['config.url', { channel: 'SMS', driver: 'http', config: { url: 'ftp://example.com/' } }],
    [
      'config.bodyTemplate',
      { channel: 'SMS', driver: 'http', config: { url: 'https://x.test/', bodyTemplate: '{{to}}' } },
    ],
    [
      'config.bodyTemplate',
      { channel: 'SMS', driver: 'http', config: { url: 'https://x.test/', bodyTemplate: '"{{x}}"' } },
    ],
    [
      'config.headers.x-a',
      { channel: 'SMS', driver: 'http', config: { url: 'https://x.test/', headers: { 'x-a': 'a\r\nb' } } },
    ],
    [
      'config.headers.Host',
      { channel: 'SMS', driver: 'http', config: { url: 'https://x.test/', headers: { Host: 'a' } } },
    ],
    [
      'config.headers',
      { channel: 'SMS', driver: 'http', config: { url: 'https://x.test/', headers: { 'Content-Type': 'text/xml' } } },
    ],
    ['config.accountSid', { channel: 'SMS', driver: 'twilio', config: { accountSid: '../x' } }],
    [
      'config.teamId',
      { channel: 'PUSH', driver: 'apns', config: { teamId: 'x', keyId: 'KEY1234567', bundleId: 'a.b' } },
    ],
    [
      'secret',
      { channel: 'PUSH', driver: 'fcm', config: { projectId: 'example-1', clientEmail: 'a@b.c' }, secret: 'x' },
    ],
    ['fromName', { ...smtpProvider(25), fromName: 'a\r\nBcc: eve@example.net' }],
    ['fromAddress', { ...smtpProvider(25), fromAddress: 'a@b.c\r\nBcc: eve@example.net' }],
    ['fromAddress', { ...smtpProvider(25), fromAddress: 'no address' }],
  ])('S47: are refused with %s named', async (field, body) => {
    const answer = await put(body)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toContain(field)
  })

  test('are removed, once', async () => {
    const fresh = await createRealmFor({ node })
    await put(smtp(), fresh)
    expect((await fresh.call('DELETE', `${path}/EMAIL/smtp`)).status).toBe(204)
    for (const place of ['EMAIL/smtp', 'EMAIL/twilio', 'FAX/smtp']) {
      expect((await fresh.call('DELETE', `${path}/${place}`)).status).toBe(404)
    }
  })

  test('of another realm are neither seen nor removed', async () => {
    const other = await createRealmFor({ node })
    await put(withAuth(), other)
    const fresh = await createRealmFor({ node })
    expect((await fresh.call('GET', path)).body).toEqual([])
    expect((await fresh.call('DELETE', `${path}/EMAIL/smtp`)).status).toBe(404)
    expect((await fresh.call('POST', `${path}/EMAIL/test`, { to: 'ada@example.org' })).body.code).toBe('no_provider')
    expect((await other.call('GET', path)).body).toHaveLength(1)
  })

  test('need manage-realm', async () => {
    const other = await realm.signInWith(['manage-users', 'manage-clients'])
    expect((await realm.callAs(other.browser, 'GET', path)).status).toBe(403)
    expect((await realm.callAs(other.browser, 'PUT', path, smtp())).status).toBe(403)
    expect((await realm.callAs(other.browser, 'POST', `${path}/EMAIL/test`, { to: 'a@b.c' })).status).toBe(403)
  })
})

describe('S51: the secret of a provider', () => {
  test('is kept when omitted or null, cleared by an empty text, and never shown', async () => {
    const fresh = await createRealmFor({ node })
    const answers = [await put(withAuth(), fresh)]
    const { secret: _, ...rest } = withAuth() as { secret?: string }
    answers.push(await put(rest, fresh), await put({ ...rest, secret: null }, fresh))
    expect(answers.map(({ body }) => [body.secret, body.secretSet])).toEqual(Array(3).fill([null, true]))
    expect((await openProviders(node.services, fresh.realmId, 'EMAIL'))[0]!.secret).toBe('Canary-Password-1')
    const cleared = await put({ ...rest, secret: '' }, fresh)
    expect([cleared.body.secret, cleared.body.secretSet]).toEqual([null, false])
    expect((await openProviders(node.services, fresh.realmId, 'EMAIL'))[0]!.secret).toBeNull()
    const seen = [...answers, await fresh.call('GET', path), await fresh.call('GET', '/events?size=500')]
    expect(seen.map(({ text }) => text).join('')).not.toContain('Canary-Password-1')
    expect(node.lines.join('') + JSON.stringify(node.auditLines)).not.toContain('Canary-Password-1')
  })

  test('S51: never goes to another host than the one it was given for', async () => {
    const fresh = await createRealmFor({ node })
    expect((await put(withAuth(), fresh)).status).toBe(200)
    const elsewhere = { host: '127.0.0.1', port: host.port + 1, tls: 'NONE', username: 'login@example.com' }
    const moved = await put(withAuth({ config: elsewhere, secret: undefined }), fresh)
    expect([moved.status, moved.body.errors]).toMatchObject([400, [{ field: 'secret', code: 'required' }]])
    expect((await put(withAuth({ config: elsewhere, secret: 'another-one' }), fresh)).status).toBe(200)
    expect((await put(withAuth({ config: elsewhere, secret: null, priority: 3 }), fresh)).status).toBe(200)
  })

  test('is sealed for its own row: moved to another realm it does not open', async () => {
    const [one, other] = [await createRealmFor({ node }), await createRealmFor({ node })]
    await put(withAuth(), one)
    await put(withAuth({ secret: 'another-password' }), other)
    const { rows } = await runSql(
      node.adminDatabaseUrl,
      `update messaging_providers p set secret_sealed = o.secret_sealed from messaging_providers o
       where p.realm_id = $1 and o.realm_id = $2 returning encode(p.secret_sealed, 'escape') as text`,
      [other.realmId, one.realmId],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].text).not.toContain('Canary')
    await expect(openProviders(node.services, other.realmId, 'EMAIL')).rejects.toThrow()
  })
})

describe('a delivery test', () => {
  test('sends at once, tells how it went, and stores nothing', async () => {
    await put(withAuth())
    const answer = await realm.call('POST', `${path}/EMAIL/test`, { to: 'ada@example.org' })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({
      ...{ channel: 'EMAIL', driver: 'smtp', to: 'ada@example.org', delivered: true, error: null },
      ...{ messageId: expect.any(String), durationMs: expect.any(Number) },
    })
    expect(host.mails.at(-1)).toMatchObject({ to: ['ada@example.org'], user: 'login@example.com' })
    expect(host.mails.at(-1)!.html).toContain(realm.realmId)
    const { rows } = await runSql(node.adminDatabaseUrl, 'select * from messages where realm_id = $1', [realm.realmId])
    expect(rows).toEqual([])
    expect((await realm.events('&type=ADMIN_ACTION'))[0]).toMatchObject({
      resourceType: 'messaging',
      resourceId: 'EMAIL',
    })
  })

  test('that fails is an answer, too, without the password and without the address', async () => {
    await put(withAuth({ secret: 'Wrong-Password-2' }))
    const { status, body, text } = await realm.call('POST', `${path}/EMAIL/test`, { to: 'ada@example.org' })
    expect([status, body.delivered, body.messageId]).toEqual([200, false, null])
    expect(body.error).toMatch(/refused the username and password/)
    expect(text).not.toContain('Wrong-Password-2')
  })

  test('on a dry run sends nothing', async () => {
    await put(withAuth())
    const before = host.connections()
    const answer = await realm.call('POST', `${path}/EMAIL/test?dryRun=true`, { to: 'ada@example.org' })
    expect([answer.status, answer.body.delivered]).toEqual([200, false])
    expect(host.connections()).toBe(before)
  })

  test.each([
    ['EMAIL', 'no address'],
    ['EMAIL', 'a@x.org\r\nBcc: eve@example.net'],
    ['EMAIL', 'a@x.org, eve@example.net'],
    ['SMS', 'ada@example.org'],
    ['SMS', '+31\n20'],
    ['PUSH', '../../x'],
  ])('S47: to a bad address is refused: %s %j', async (channel, to) => {
    const answer = await realm.call('POST', `${path}/${channel}/test`, { to })
    expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, 'to'])
  })

  test('without a provider is 409, and over a channel that is not there 404', async () => {
    const answer = await realm.call('POST', `${path}/SMS/test`, { to: '+31201234567' })
    expect([answer.status, answer.body.code]).toEqual([409, 'no_provider'])
    expect((await realm.call('POST', `${path}/FAX/test`, { to: '1' })).status).toBe(404)
  })
})
