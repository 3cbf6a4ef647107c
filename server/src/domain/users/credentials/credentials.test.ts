import { beforeEach, describe, expect, test } from 'vitest'
import { createBrowser, createRealmFor, type TestRealm } from '../../../../test/harness/index.ts'
import { listUsableFactors } from './index.ts'
import { codeAt } from './totp/codes.ts'
import { useRecoveryCode } from './recovery-codes/index.ts'
import { storeRegistration } from './webauthn/index.ts'

let realm: TestRealm
let userId: string
let base: string
beforeEach(async () => {
  realm = await createRealmFor()
  userId = (await realm.call('POST', '/users', { username: 'ada' })).body.userId
  base = `/users/${userId}/credentials`
})

const value = 'lantern-orchid-47-granite'
const add = (type: string, more: object = {}) => realm.call('POST', base, { type, ...more })
const codeOf = ({ secret }: { secret: string }) => codeAt(secret, realm.node.clock.now())
const mfaEnabled = async () => (await realm.call('GET', `/users/${userId}`)).body.mfaEnabled

async function addConfirmedTotp(): Promise<string> {
  const { body } = await add('totp', { label: 'Phone' })
  expect((await realm.call('POST', `${base}/totp/${body.id}/confirm`, { code: codeOf(body) })).status).toBe(200)
  return body.id
}

const addKey = () =>
  realm.run((ctx) =>
    storeRegistration(
      ctx,
      userId,
      {
        credentialId: 'some-key',
        publicKey: Buffer.from('a public key'),
        counter: 0,
        transports: ['usb'],
        aaguid: '00000000-0000-0000-0000-000000000000',
        backedUp: false,
        userVerified: true,
      },
      'Key',
    ),
  )

/** As the verification of an address or number leaves it. */
const verify = (columns: { email_verified?: boolean; phone_verified?: boolean; email?: string; phone?: string }) =>
  realm.run(({ tx }) =>
    tx.updateTable('users').set(columns).where('realm_id', '=', realm.realmId).where('id', '=', userId).execute(),
  )

describe('a password', () => {
  test('is set with 201 and listed without any secret', async () => {
    const answer = await add('password', { value, temporary: true, label: 'first' })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(String),
      type: 'password',
      label: 'first',
      createdAt: expect.any(Number),
      lastUsedAt: null,
      details: {},
    })
    expect(answer.headers.location).toBe(`/admin/realms/${realm.realmId}${base}/password/${answer.body.id}`)
    await addConfirmedTotp()
    const list = await realm.call('GET', base)
    expect(list.body.map((credential: { type: string }) => credential.type)).toEqual(['totp', 'password'])
    expect(list.text).not.toMatch(/argon2|secret/)
    expect((await realm.call('GET', `/users/${userId}`)).body.requiredActions).toEqual(['UPDATE_PASSWORD'])
    expect(await realm.events('&type=CREDENTIAL_RESET')).toHaveLength(1)
  })

  test('gets the first answer again for one Idempotency-Key, though it is now in the history', async () => {
    const send = () => realm.call('POST', base, { type: 'password', value }, { headers: { 'idempotency-key': 'once' } })
    const [one, two] = [await send(), await send()]
    expect([one.status, two.status]).toEqual([201, 201])
    expect(two.body).toEqual(one.body)
  })

  test('that was taken away stays in the history', async () => {
    const { id } = (await add('password', { value })).body
    await realm.call('DELETE', `${base}/password/${id}`)
    const answer = await realm.call('PUT', `/users/${userId}/password`, { newPassword: value })
    expect(answer.body.errors[0].code).toBe('password_history')
  })
})

describe('what cannot be given here', () => {
  test.each([
    ['webauthn', /REGISTER_WEBAUTHN/],
    ['sms', /verified/],
    ['email', /verified/],
    ['nonsense', /totp/],
  ])('%s is refused on the member type, with what to do instead', async (type, says) => {
    const answer = await add(type)
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
    expect(answer.body.errors).toEqual([
      expect.objectContaining({ field: 'type', message: expect.stringMatching(says) }),
    ])
  })

  test('a password without value or too weak, and members of another type, are refused on their member', async () => {
    for (const [body, field] of [
      [{ type: 'password' }, 'value'],
      [{ type: 'password', value: 'short' }, 'value'],
      [{ type: 'totp', value }, 'value'],
      [{ type: 'recovery-codes', temporary: true }, 'temporary'],
    ] as const) {
      const answer = await realm.call('POST', base, body)
      expect([answer.status, answer.body.errors[0].field], JSON.stringify(body)).toEqual([400, field])
    }
    expect((await realm.call('GET', base)).body).toEqual([])
  })

  test('a service account gets no factor', async () => {
    const client = (await realm.call('POST', '/clients', { clientId: 'robot', grantTypes: ['client_credentials'] }))
      .body
    const [robot] = (await realm.call('GET', '/users?serviceAccounts=true')).body
    expect(robot.serviceAccountClientId, JSON.stringify(client)).not.toBeNull()
    for (const type of ['totp', 'recovery-codes']) {
      const answer = await realm.call('POST', `/users/${robot.userId}/credentials`, { type })
      expect([answer.status, answer.body.code]).toEqual([409, 'protected'])
    }
  })
})

describe('an authenticator app', () => {
  test('shows its secret once, counts when confirmed, and leaves no secret in the audit trail', async () => {
    const { status, body } = await add('totp', { label: 'Phone' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ type: 'totp', label: 'Phone', details: { pending: true }, pending: true })
    expect(body.otpauthUri).toContain(body.secret)
    expect(await mfaEnabled()).toBe(false)

    const confirm = (code: string) => realm.call('POST', `${base}/totp/${body.id}/confirm`, { code })
    const wrong = await confirm(String((Number(codeOf(body)) + 1) % 1_000_000).padStart(6, '0'))
    expect([wrong.status, wrong.body.errors[0].field]).toEqual([400, 'code'])
    const before = await realm.call('GET', `/users/${userId}`)
    const confirmed = await confirm(codeOf(body))
    expect([confirmed.status, confirmed.body.details]).toEqual([200, { pending: false }])
    const after = await realm.call('GET', `/users/${userId}`)
    expect([after.body.mfaEnabled, after.headers.etag === before.headers.etag]).toEqual([true, false])
    expect((await confirm(codeOf(body))).status).toBe(409)

    const list = await realm.call('GET', base)
    expect(list.text).not.toContain(body.secret)
    expect(list.body[0].details).toEqual({ pending: false })
    const trail = JSON.stringify([
      await realm.events(),
      realm.node.auditLines.filter((line) => line.realm === realm.realmId),
    ])
    expect(trail).not.toContain(body.secret)
    expect(trail).not.toContain('otpauth')
    expect((await realm.events('&type=CREDENTIAL_ADDED')).map((event) => JSON.parse(event.detail))).toEqual([
      { type: 'totp', id: body.id },
    ])
  })

  test('is confirmed under its own address only', async () => {
    const { body } = await add('totp')
    const code = codeOf(body)
    const { id: passwordId } = (await add('password', { value })).body
    const other = await createRealmFor()
    expect((await realm.call('POST', `${base}/totp/${passwordId}/confirm`, { code })).status).toBe(404)
    expect(
      (await realm.call('POST', `/users/${realm.adminId}/credentials/totp/${body.id}/confirm`, { code })).status,
    ).toBe(404)
    expect((await other.call('POST', `${base}/totp/${body.id}/confirm`, { code })).status).toBe(404)
    expect((await realm.call('POST', `${base}/totp/${body.id}/confirm`, { code })).status).toBe(200)
  })
})

test('recovery codes are shown once, count for no second factor, and are not in the audit trail', async () => {
  const first = (await add('recovery-codes')).body
  expect(first.codes).toHaveLength(10)
  const { status, body } = await add('recovery-codes')
  expect([status, body.details]).toEqual([201, { remaining: 10 }])
  expect(await mfaEnabled()).toBe(false)
  expect(await realm.run((ctx) => useRecoveryCode(ctx, userId, first.codes[0]))).toBeNull()
  expect(await realm.run((ctx) => useRecoveryCode(ctx, userId, body.codes[0]))).toMatchObject({ remaining: 9 })
  expect(await realm.events('&type=CREDENTIAL_ADDED')).toHaveLength(2)
  const list = await realm.call('GET', base)
  expect(list.body).toEqual([expect.objectContaining({ type: 'recovery-codes', details: { remaining: 9 } })])
  const trail = JSON.stringify([
    await realm.events(),
    realm.node.auditLines.filter((line) => line.realm === realm.realmId),
  ])
  for (const code of [...body.codes, list.text]) expect(trail).not.toContain(code)
})

test('a key shows what it is, and no more', async () => {
  await addKey()
  const [shown] = (await realm.call('GET', base)).body
  expect(shown).toMatchObject({
    type: 'webauthn',
    label: 'Key',
    details: {
      aaguid: '00000000-0000-0000-0000-000000000000',
      transports: ['usb'],
      backedUp: false,
      userVerified: true,
    },
  })
  expect(await mfaEnabled()).toBe(true)
})

describe('a verified address', () => {
  test('is a credential while it is verified, behind the others, and on its page', async () => {
    await add('password', { value })
    await verify({ email: 'ada@example.org', email_verified: true, phone: '+41791234567', phone_verified: true })
    const { body, headers } = await realm.call('GET', `${base}?count=true`)
    expect(body.map(({ type }: { type: string }) => type)).toEqual(['password', 'sms', 'email'])
    expect(headers['x-total-count']).toBe('3')
    expect(body[1].id[14]).toBe('8')
    const seen: string[] = []
    for (let path: string | null = `${base}?size=1`; path; ) {
      const page = await realm.call('GET', path)
      seen.push(...page.body.map(({ type }: { type: string }) => type))
      const next = /<([^>]*)>/.exec(String(page.headers.link ?? ''))?.[1]
      path = next ? base + new URL(next, realm.node.url).search : null
    }
    expect(seen).toEqual(['password', 'sms', 'email'])
    await verify({ phone_verified: false })
    expect((await realm.call('GET', base)).body.map(({ type }: { type: string }) => type)).toEqual([
      'password',
      'email',
    ])
  })

  test('is removed only where it is verified', async () => {
    await verify({ email: 'ada@example.org', email_verified: true, phone: '+41791234567', phone_verified: true })
    for (const { id, type } of (await realm.call('GET', base)).body) {
      const removed = await realm.call('DELETE', `${base}/${type}/${id}`)
      expect([removed.status, removed.body.code]).toEqual([409, 'conflict'])
      expect(removed.body.detail).toMatch(/verified/)
      expect((await realm.call('PUT', `${base}/${type}/${id}`, { label: 'x' })).status).toBe(409)
      expect((await realm.call('DELETE', `${base}/password/${id}`)).status).toBe(404)
    }
  })

  test('counts as a second factor where the realm allows it', async () => {
    await verify({ email: 'ada@example.org', email_verified: true })
    expect(await mfaEnabled()).toBe(false)
    await realm.call('PUT', '/settings', { mfaPolicy: { allowed: ['email'] } })
    expect(await mfaEnabled()).toBe(true)
    expect((await realm.call('GET', '/users?username=ada')).body[0].mfaEnabled).toBe(true)
    await addConfirmedTotp()
    await verify({ email_verified: false })
    expect(await mfaEnabled()).toBe(false)
    await realm.call('PUT', '/settings', { mfaPolicy: { allowed: ['email', 'totp'] } })
    expect(await mfaEnabled()).toBe(true)
  })
})

test('the factors somebody can use are told in one answer', async () => {
  const { services } = realm.node
  const ask = () => listUsableFactors(services, realm.realmId, userId)
  const none = { totp: false, webauthn: false, recoveryCodes: false, email: null, phone: null }
  await verify({ email: 'ada@example.org', phone: '+41791234567' })
  await add('totp')
  expect(await ask()).toEqual(none)
  await addConfirmedTotp()
  await addKey()
  const { codes } = (await add('recovery-codes')).body
  await verify({ email_verified: true, phone_verified: true })
  const all = { totp: true, webauthn: true, recoveryCodes: true, email: 'ada@example.org', phone: '+41791234567' }
  expect(await ask()).toEqual(all)
  expect(await realm.run((ctx) => listUsableFactors(ctx, realm.realmId, userId))).toEqual(all)
  for (const code of codes) await realm.run((ctx) => useRecoveryCode(ctx, userId, code))
  expect(await ask()).toEqual({ ...all, recoveryCodes: false })
  const other = await createRealmFor()
  expect(await listUsableFactors(services, other.realmId, userId)).toEqual(none)
})

test('renames a credential, and changes nothing else of it', async () => {
  const id = await addConfirmedTotp()
  const [before] = (await realm.call('GET', base)).body
  const patch = { type: 'application/merge-patch+json' }
  const renamed = await realm.call(
    'PATCH',
    `${base}/totp/${id}`,
    { label: 'Tablet', details: { pending: true } },
    patch,
  )
  expect([renamed.status, renamed.body]).toEqual([200, { ...before, label: 'Tablet' }])
  expect((await realm.call('GET', base)).body).toEqual([{ ...before, label: 'Tablet' }])
  expect((await realm.call('PATCH', `${base}/totp/${id}`, { label: null }, patch)).body.label).toBeNull()
  expect((await realm.call('PUT', `${base}/totp/${id}`, { label: 'x'.repeat(256) })).status).toBe(400)
})

test('revokes a credential of this user and type, and nothing else', async () => {
  const { id } = (await add('password', { value })).body
  const factor = await addConfirmedTotp()
  expect((await realm.call('DELETE', `${base}/totp/${id}`)).status).toBe(404)
  expect((await realm.call('DELETE', `${base}/password/nonsense`)).status).toBe(404)
  expect((await realm.call('DELETE', `/users/${realm.adminId}/credentials/password/${id}`)).status).toBe(404)
  const other = await createRealmFor()
  expect((await other.call('DELETE', `${base}/password/${id}`)).status).toBe(404)

  const before = await realm.call('GET', `/users/${userId}`)
  expect(before.body).toMatchObject({ mfaEnabled: true, passwordSet: true })
  expect((await realm.call('DELETE', `${base}/totp/${factor}`)).status).toBe(204)
  expect((await realm.call('DELETE', `${base}/password/${id}`)).status).toBe(204)
  const after = await realm.call('GET', `/users/${userId}`)
  expect(after.body).toMatchObject({ mfaEnabled: false, passwordSet: false })
  expect(after.headers.etag).not.toBe(before.headers.etag)
  expect((await createBrowser(realm.node.url).login(realm.realmId, 'ada', value)).status).toBe(401)
  const removed = await realm.events('&type=CREDENTIAL_REMOVED')
  expect(removed.map((event) => JSON.parse(event.detail).type)).toEqual(['password', 'totp'])
  expect(removed[0]).toMatchObject({ category: 'SECURITY', actor: realm.adminId, resourceId: userId })
})

test('S9: nobody gives, confirms, renames or takes a factor of somebody who holds more', async () => {
  userId = realm.adminId
  base = `/users/${userId}/credentials`
  const { body: app } = await add('totp')
  const codes = (await add('recovery-codes')).body
  const { browser, userId: callerId } = await realm.signInWith(['manage-users'])
  const before = await realm.call('GET', base)
  const calls: [string, string, unknown][] = [
    ['POST', base, { type: 'totp' }],
    ['POST', base, { type: 'recovery-codes' }],
    ['POST', `${base}/totp/${app.id}/confirm`, { code: codeOf(app) }],
    ['PUT', `${base}/totp/${app.id}`, { label: 'mine' }],
    ['DELETE', `${base}/totp/${app.id}`, undefined],
    ['DELETE', `${base}/recovery-codes/${codes.id}`, undefined],
  ]
  for (const [method, path, body] of calls) {
    const answer = await realm.callAs(browser, method, path, body)
    expect([answer.status, answer.body?.code], `${method} ${path}`).toEqual([403, 'escalation'])
  }
  expect((await realm.call('GET', base)).body).toEqual(before.body)
  const own = await realm.callAs(browser, 'POST', `/users/${callerId}/credentials`, { type: 'totp' })
  expect(own.status).toBe(201)
})
