// Transactions over HTTP (contract 4.36): made, read, signed in every way, verified without us, and consumed once.
import { createHash } from 'node:crypto'
import { compactVerify, createLocalJWKSet, decodeJwt, decodeProtectedHeader, importJWK, type JWK } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  addTotp,
  api,
  createRealmFor,
  issuerOf,
  type Person,
  type TestClient,
  type TestRealm,
} from '../../../test/harness/index.ts'
import { addKey } from '../../../test/harness/authenticator.ts'
import { adminPassword } from '../../../test/harness/realm.ts'
import {
  callTx,
  consumeTx,
  createShop,
  machineToken,
  payment,
  personToken,
  signTx,
  startTx,
} from '../../../test/harness/transactions.ts'
import { canonicalJson } from '../../platform/text/index.ts'

let realm: TestRealm
let shop: TestClient
let machine: string
let ada: Person
let token: string

beforeAll(async () => {
  realm = await createRealmFor()
  shop = await createShop(realm)
  ada = await addPerson(realm, 'ada')
  ;[machine, token] = await Promise.all([machineToken(realm, shop), personToken(realm, shop, 'ada')])
})

const byPassword = { decision: 'APPROVE', method: 'PASSWORD', password: adminPassword }
const jwksOf = async () => (await api(`${issuerOf(realm)}/.well-known/jwks.json`, 'GET')).body as { keys: JWK[] }
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

describe('a transaction', () => {
  test('is made by an application for a person, with the hash of exactly what it shows', async () => {
    const answer = await callTx(realm, machine, 'POST', '', { ...payment, userId: ada.userId })
    expect(answer.status).toBe(201)
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      location: `/realms/${realm.realmId}/tx/${answer.body.id}`,
    })
    expect(answer.body).toEqual({
      ...payment,
      id: expect.any(String),
      status: 'PENDING',
      hash: sha256(canonicalJson({ ...payment, userId: ada.userId, clientId: shop.clientId })),
      userId: ada.userId,
      clientId: shop.clientId,
      ...{ requiredAcr: null, callbackUrl: null, method: null, signature: null },
      createdAt: expect.any(Number),
      expiresAt: answer.body.createdAt + 300_000,
      ...{ signedAt: null, rejectedAt: null, consumedAt: null },
      signUrl: `${issuerOf(realm)}/tx/${answer.body.id}/sign`,
    })
    const [event] = await realm.events('&type=TX_CREATED')
    expect(event).toMatchObject({ category: 'AUTHN', actor: `client:${shop.clientId}`, resourceId: answer.body.id })
    expect(event.detail).toContain(payment.title)
  })

  test('is made with a person’s token for that person only, and they are told the challenge for a passkey', async () => {
    const made = await startTx(realm, token)
    expect(made).toMatchObject({ userId: ada.userId, clientId: shop.clientId })
    expect(made.challenge).toBe(sha256(`tx:${made.id}:${made.hash}`))
    expect((await callTx(realm, machine, 'GET', `/${made.id}`)).body.challenge).toBeUndefined()
    const forOther = await callTx(realm, token, 'POST', '', { ...payment, userId: realm.adminId })
    expect([forOther.status, forOther.body.errors[0].field]).toEqual([400, 'userId'])
  })

  test('is signed, verified without us, and consumed', async () => {
    const made = await startTx(realm, token)
    const signed = await signTx(realm, token, made.id, byPassword)
    expect(signed.body).toMatchObject({ status: 'SIGNED', method: 'PASSWORD', signedAt: expect.any(Number) })
    // With jose, from the key set and the document alone.
    const { payload, protectedHeader } = await compactVerify(signed.body.signature, createLocalJWKSet(await jwksOf()))
    expect(protectedHeader).toEqual({ alg: 'RS256', kid: expect.any(String), typ: 'tx+jwt' })
    const { type, title, details, userId, clientId } = signed.body
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({
      iss: issuerOf(realm),
      tx: made.id,
      hash: sha256(canonicalJson({ type, title, details, userId, clientId })),
      sub: ada.userId,
      client_id: shop.clientId,
      amr: ['pwd'],
      iat: Math.floor(signed.body.signedAt / 1000),
    })
    const used = await consumeTx(realm, machine, made.id)
    expect([used.status, used.body.status, used.body.signature]).toEqual([200, 'CONSUMED', signed.body.signature])
    expect((await consumeTx(realm, machine, made.id)).body.code).toBe('already_consumed')
    const events = await realm.events(`&resourceId=${made.id}`)
    expect(events.map((event) => event.type).toSorted()).toEqual(['TX_CONSUMED', 'TX_CREATED', 'TX_SIGNED'])
  })

  test('keeps a signature that verifies after the realm’s key was rotated', async () => {
    const made = await startTx(realm, token)
    const { signature } = (await signTx(realm, token, made.id, byPassword)).body
    await realm.call('POST', '/keys/rotate')
    const { kid } = decodeProtectedHeader(signature)
    const key = (await jwksOf()).keys.find((one) => one.kid === kid)
    await expect(compactVerify(signature, await importJWK(key!, 'RS256'))).resolves.toBeDefined()
    const [head, body, end] = signature.split('.')
    const forged = Buffer.from(Buffer.from(body, 'base64url').toString().replace(made.id, ada.userId)).toString(
      'base64url',
    )
    await expect(compactVerify(`${head}.${forged}.${end}`, await importJWK(key!, 'RS256'))).rejects.toThrow()
  })

  test('is rejected without a proof, and cannot be signed any more', async () => {
    const made = await startTx(realm, token)
    const rejected = await signTx(realm, token, made.id, { decision: 'REJECT' })
    expect(rejected.body).toMatchObject({ status: 'REJECTED', signature: null, rejectedAt: expect.any(Number) })
    expect((await signTx(realm, token, made.id, byPassword)).body.code).toBe('invalid_transition')
    expect((await consumeTx(realm, machine, made.id)).body.code).toBe('invalid_transition')
    expect(await realm.events(`&type=TX_REJECTED&resourceId=${made.id}`)).toHaveLength(1)
  })
})

describe('signing', () => {
  test('with the code of an authenticator app', async () => {
    const grace = await addPerson(realm, 'grace')
    const own = await personToken(realm, shop, 'grace')
    const code = await addTotp(realm, grace.userId)
    const made = await startTx(realm, own)
    const signed = await signTx(realm, own, made.id, { decision: 'APPROVE', method: 'TOTP', code: code(30_000) })
    expect(signed.body).toMatchObject({ status: 'SIGNED', method: 'TOTP' })
    expect(claimsOf(signed.body.signature).amr).toEqual(['otp'])
  })

  test('with a passkey that made sure who holds it, of the very challenge', async () => {
    const edith = await addPerson(realm, 'edith')
    const own = await personToken(realm, shop, 'edith')
    const key = await addKey(realm, edith.userId)
    const made = await startTx(realm, own)
    const answer = (challenge: string, more = {}) => key.answer({ challenge, rpId: '127.0.0.1' }, more)
    const sign = (assertion: object) =>
      signTx(realm, own, made.id, { decision: 'APPROVE', method: 'WEBAUTHN', assertion })
    expect((await sign(answer(made.challenge!, { userVerified: false }))).status).toBe(401)
    const signed = await sign(answer(made.challenge!))
    expect(signed.body).toMatchObject({ status: 'SIGNED', method: 'WEBAUTHN' })
    expect(claimsOf(signed.body.signature).amr).toEqual(['pop', 'user', 'mfa'])
  })

  test('with a wrong password is told as such, and with what the person does not have as 400', async () => {
    const made = await startTx(realm, token)
    const wrong = await signTx(realm, token, made.id, { ...byPassword, password: 'not-the-password' })
    expect([wrong.status, wrong.body.code, wrong.body.errors[0].field]).toEqual([401, 'unauthenticated', 'password'])
    expect(wrong.headers['www-authenticate']).toMatch(/^Bearer resource_metadata="[^"]+"$/)
    for (const [answer, field] of [
      [{ decision: 'APPROVE' }, 'method'],
      [{ decision: 'APPROVE', method: 'TOTP', code: '123456' }, 'method'],
      [{ decision: 'APPROVE', method: 'WEBAUTHN', assertion: {} }, 'method'],
      [{ decision: 'APPROVE', method: 'DEVICE', deviceId: ada.userId, signature: 'x' }, 'method'],
      [{ decision: 'APPROVE', method: 'PASSWORD' }, 'password'],
      [{ decision: 'MAYBE' }, 'decision'],
      [{ ...byPassword, pasword: 'x' }, 'pasword'],
    ] as const) {
      const answered = await signTx(realm, token, made.id, answer)
      expect([answered.status, answered.body.errors[0].field]).toEqual([400, field])
    }
    expect((await callTx(realm, token, 'GET', `/${made.id}`)).body.status).toBe('PENDING')
  })

  test('reaches the class that the application asks for together with the sign-in, or is refused', async () => {
    const rosa = await addPerson(realm, 'rosa')
    const own = await personToken(realm, shop, 'rosa')
    const code = await addTotp(realm, rosa.userId)
    const made = await startTx(realm, own, { requiredAcr: 'urn:gatehouse:acr:2' })
    const weak = await signTx(realm, own, made.id, byPassword)
    expect([weak.status, weak.body.code, weak.body.errors[0].field]).toEqual([403, 'forbidden', 'method'])
    const strong = { decision: 'APPROVE', method: 'TOTP', code: code(30_000) }
    expect((await signTx(realm, own, made.id, strong)).body.status).toBe('SIGNED')
    const third = await startTx(realm, own, { requiredAcr: 'urn:gatehouse:acr:3' })
    expect((await signTx(realm, own, third.id, { ...strong, code: '000000' })).status).toBe(403)
  })
})

function claimsOf(jws: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(jws.split('.')[1]!, 'base64url').toString())
}

describe('what is asked for', () => {
  const create = (members: object) => callTx(realm, machine, 'POST', '', { ...payment, userId: ada.userId, ...members })
  const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) })

  test.each<[string, string, object]>([
    ['a title over two lines', 'title', { title: 'Pay\nnothing' }],
    ['a title that turns around', 'title', { title: 'Pay \u202e05.21' }],
    ['a title with something invisible', 'title', { title: 'Pay\u200b' }],
    ['an endless title', 'title', { title: 'x'.repeat(201) }],
    ['no title', 'title', { title: '' }],
    ['a type with a control', 'type', { type: 'pay\u0007ment', details: {} }],
    ['details of another type', 'details.type', { details: { type: 'loan' } }],
    ['details that are a list', 'details', { details: [] }],
    ['details that are nested too deep', 'details.a.a.a.a.a.a.a.a', { details: deep(8) }],
    ['a text that is too long', 'details.a[1]', { details: { a: [1, 'x'.repeat(4097)] } }],
    ['details that are too large', 'details', { details: { a: Array(5).fill('x'.repeat(4000)) } }],
    ['a number that would not be kept', 'details.a', { details: { a: 2 ** 53 } }],
    ['a class that nobody knows', 'requiredAcr', { requiredAcr: 'urn:example:gold' }],
    ['a time that is too long', 'ttlSeconds', { ttlSeconds: 3601 }],
    ['a time that is none', 'ttlSeconds', { ttlSeconds: 0 }],
    ['a call to another host', 'callbackUrl', { callbackUrl: 'https://evil.example/' }],
    ['a call to a place inside', 'callbackUrl', { callbackUrl: 'http://127.0.0.1/' }],
    ['a member that is ours', 'status', { status: 'SIGNED' }],
  ])('is refused with %s', async (_what, field, members) => {
    const answer = await create(members)
    expect([answer.status, answer.body.errors?.[0].field]).toEqual([400, field])
  })

  test('is taken up to its limits, and a call back to where the application leads', async () => {
    const callbackUrl = 'https://app.example.org/transactions?from=here'
    const made = await create({ callbackUrl, details: deep(7), ttlSeconds: 3600, title: 'é'.repeat(200) })
    expect(made.body).toMatchObject({ callbackUrl, expiresAt: made.body.createdAt + 3_600_000 })
  })

  test('looks the same for nobody, a machine and somebody disabled', async () => {
    const gone = await addPerson(realm, 'gone')
    await realm.call('PUT', `/users/${gone.userId}`, { username: 'gone', enabled: false })
    const robot = await createShop(realm, { serviceAccountEnabled: true })
    const machineId = decodeJwt(await machineToken(realm, robot)).sub!
    const answers = []
    for (const userId of [gone.userId, machineId, '00000000-0000-4000-8000-000000000000']) {
      const { status, body } = await create({ userId })
      answers.push({ status, detail: body.detail, errors: body.errors })
    }
    expect(answers[0]).toMatchObject({ status: 400, errors: [{ field: 'userId' }] })
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    expect((await callTx(realm, machine, 'POST', '', payment)).body.errors[0]).toMatchObject({
      field: 'userId',
      code: 'required',
    })
  })

  test('has one hash for two spellings of one number, and two for two normal forms of one letter', async () => {
    const hashOf = async (details: string) => {
      const raw = `{"type":"t","title":"T","userId":"${ada.userId}","details":${details}}`
      const headers = { authorization: `Bearer ${machine}` }
      return (await api(`${issuerOf(realm)}/tx`, 'POST', { headers, raw, type: 'application/json' })).body
        .hash as string
    }
    expect(await hashOf('{"a":1.0,"b":[1e1]}')).toBe(await hashOf('{"b":[10],"a":1}'))
    expect(await hashOf('{"a":"\u00e9"}')).not.toBe(await hashOf('{"a":"e\u0301"}'))
    expect(await hashOf('{"a":"1"}')).not.toBe(await hashOf('{"a":1}'))
    expect(await hashOf('{"a":null}')).not.toBe(await hashOf('{}'))
  })
})

test('programs are told methods, media types and where tokens come from', async () => {
  const metadata = `${realm.node.url}/.well-known/oauth-protected-resource/realms/${realm.realmId}`
  const none = await callTx(realm, null, 'POST', '', payment)
  expect([none.status, none.headers['www-authenticate']]).toEqual([401, `Bearer resource_metadata="${metadata}"`])
  const bad = await callTx(realm, 'nonsense', 'GET', '/x')
  expect(bad.headers['www-authenticate']).toBe(`Bearer resource_metadata="${metadata}", error="invalid_token"`)
  expect(bad.headers['content-type']).toContain('application/problem+json')
  expect((await callTx(realm, machine, 'GET', '')).headers.allow).toBe('POST')
  expect((await callTx(realm, machine, 'DELETE', '/x')).headers.allow).toBe('GET, HEAD')
  const headers = { authorization: `Bearer ${machine}` }
  expect((await api(`${issuerOf(realm)}/tx`, 'POST', { headers, form: { type: 'x' } })).status).toBe(415)
})
