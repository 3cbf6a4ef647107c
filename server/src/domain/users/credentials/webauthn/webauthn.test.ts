import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SettingsService } from '@simplewebauthn/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRealmFor, startTestNode, type TestNode, type TestRealm } from '../../../../../test/harness/index.ts'
import { contextIn } from '../../../../../test/harness/realm.ts'
import { runTransaction } from '../../../../platform/db/index.ts'
import { defaultSettings } from '../../../settings/index.ts'
import {
  applyAssertion,
  consumeChallenge,
  createAuthenticationOptions,
  createRegistrationOptions,
  openChallenge,
  sealChallenge,
  storeRegistration,
  verifyAssertion,
  verifyRegistration,
  type WebauthnRealm,
} from './index.ts'
import { type Answering, createMaker, type Maker, SoftwareAuthenticator } from './software-authenticator.fixture.ts'

// Nodes of their own: time is moved here, and two of them share one database.
let first: TestNode
let second: TestNode
beforeAll(async () => {
  first = await startTestNode()
  const database = { url: first.databaseUrl, adminUrl: first.adminDatabaseUrl }
  second = await startTestNode({ database, env: { GATEHOUSE_WORKER: 'false' } })
})
afterAll(async () => {
  await second.stop()
  await first.stop()
})

const baseUrl = 'https://login.example.org:8443/idp'
const origin = 'https://login.example.org:8443'
type Policy = WebauthnRealm['policy']
const realmWith = (policy: Partial<Policy> = {}): WebauthnRealm => ({
  baseUrl,
  displayName: 'Acme',
  policy: { ...defaultSettings.webauthnPolicy, ...policy },
})

let realm: TestRealm
let userId: string
let key: SoftwareAuthenticator
beforeEach(async () => {
  realm = await createRealmFor({ node: first })
  userId = (await realm.call('POST', '/users', { username: 'ada' })).body.userId
  key = new SoftwareAuthenticator(origin)
})

const challengeOf = (options: object) => (options as { challenge: string }).challenge

const registrationOptions = (policy: Partial<Policy> = {}, of = userId) =>
  createRegistrationOptions(first.services, realmWith(policy), {
    realmId: realm.realmId,
    userId: of,
    username: 'ada',
  })

async function register(answering: Answering = {}, policy: Partial<Policy> = {}, with_ = key) {
  const options = await registrationOptions(policy)
  const response = with_.register(options, answering)
  return verifyRegistration(first.services, realmWith(policy), { challenge: challengeOf(options), response })
}

async function enrol(answering: Answering = {}): Promise<string> {
  const verified = await register(answering)
  const id = await realm.run((ctx) => storeRegistration(ctx, userId, verified!, 'Key'))
  return id!
}

interface Ask {
  purpose?: 'FIRST' | 'SECOND'
  userId?: string | null
  policy?: Partial<Policy>
  realmId?: string
}

async function authenticate(answering: Answering = {}, ask: Ask = {}, edit: (response: object) => unknown = (r) => r) {
  const { purpose = 'SECOND', realmId = realm.realmId, policy = {} } = ask
  const who = ask.userId === undefined ? (purpose === 'SECOND' ? userId : null) : ask.userId
  const user = who === null ? null : { realmId, userId: who }
  const options = await createAuthenticationOptions(first.services, realmWith(policy), user, purpose)
  const response = edit(key.answer(options, answering))
  const request = { realmId, challenge: challengeOf(options), response, purpose, userId: who }
  return verifyAssertion(first.services, realmWith(policy), request)
}

describe('the options of a registration', () => {
  test('follow the policy, exclude keys that are there, and name the person by nothing that can be read', async () => {
    await enrol()
    const policy = {
      residentKey: 'required',
      userVerification: 'required',
      attestation: 'indirect',
      authenticatorAttachment: 'platform',
      algorithms: [-7],
      timeoutSeconds: 60,
      rpId: 'example.org',
      rpName: 'Bank',
    } as const
    const options = (await registrationOptions({ ...policy, algorithms: [...policy.algorithms] })) as {
      user: { id: string }
    }
    expect(options).toMatchObject({
      rp: { id: 'example.org', name: 'Bank' },
      user: { name: 'ada' },
      pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
      timeout: 60_000,
      attestation: 'indirect',
      authenticatorSelection: {
        residentKey: 'required',
        userVerification: 'required',
        authenticatorAttachment: 'platform',
      },
      excludeCredentials: [{ id: key.credentialId.toString('base64url'), transports: ['usb'] }],
    })
    const handle = Buffer.from(options.user.id, 'base64url')
    expect(handle).toHaveLength(32)
    const again = (await registrationOptions()) as { user: { id: string }; rp: object }
    expect(again.user.id).toBe(options.user.id)
    expect(again.rp).toEqual({ id: 'login.example.org', name: 'Acme' })
    const other = (await registrationOptions({}, realm.adminId)) as { user: { id: string } }
    expect(other.user.id).not.toBe(options.user.id)
  })

  test('have another challenge every time', async () => {
    const challenges = await Promise.all(Array.from({ length: 5 }, () => registrationOptions().then(challengeOf)))
    expect(new Set(challenges).size).toBe(5)
    for (const challenge of challenges) expect(Buffer.from(challenge, 'base64url').length).toBeGreaterThanOrEqual(32)
  })
})

describe('S44: a registration', () => {
  test('stores the key with what it told', async () => {
    const id = await enrol({ backedUp: true })
    const [shown] = (await realm.call('GET', `/users/${userId}/credentials`)).body
    expect(shown).toMatchObject({ id, type: 'webauthn', label: 'Key' })
    expect(shown.details).toEqual({
      aaguid: '00000000-0000-0000-0000-000000000000',
      transports: ['usb'],
      backedUp: true,
      userVerified: true,
    })
  })

  const hostile: [string, Answering, Partial<Policy>?][] = [
    ['from another origin', { origin: 'https://login.example.org' }],
    ['from a site that looks alike', { origin: 'https://login.example.org.evil.example:8443' }],
    ['for another relying party', { rpId: 'example.org' }],
    ['to another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['of another ceremony', { type: 'webauthn.get' }],
    ['inside a frame of another site', { crossOrigin: true }],
    ['without anybody present', { userPresent: false }],
    ['without user verification where it is required', { userVerified: false }, { userVerification: 'required' }],
    ['with an algorithm that is not allowed', {}, { algorithms: [-8] }],
    ['without attestation where it is required', {}, { attestation: 'direct' }],
    [
      'that vouches for its make itself where makes are limited',
      { selfAttestation: true, aaguid: '00000000-0000-4000-8000-000000000001' },
      { attestation: 'direct', allowedAaguids: ['00000000-0000-4000-8000-000000000001'] },
    ],
    [
      'without attestation where makes are limited',
      { aaguid: '00000000-0000-4000-8000-000000000001' },
      { attestation: 'indirect', allowedAaguids: ['00000000-0000-4000-8000-000000000001'] },
    ],
  ]
  test.each(hostile)('%s is refused', async (_what, answering, policy = {}) => {
    expect(await register(answering, policy)).toBeNull()
    // The same without what is wrong with it is taken, so it was refused for that.
    expect(await register()).not.toBeNull()
  })

  test('without user verification is taken where the policy does not require it', async () => {
    expect(await register({ userVerified: false })).toMatchObject({ userVerified: false })
  })

  test('with a statement is verified where the realm asks for one, and otherwise the statement is not looked at', async () => {
    expect(await register({ selfAttestation: true }, { attestation: 'direct' })).not.toBeNull()
    expect(await register({ selfAttestation: true })).not.toBeNull()
    const forge = async (attestation: 'none' | 'direct') => {
      const options = await registrationOptions({ attestation })
      const response = key.register(options, { selfAttestation: true })
      const forged = new SoftwareAuthenticator(origin).register(options, { selfAttestation: true })
      // The statement of one key with the data of another: the signature is over something else.
      const [mine, theirs] = [response, forged].map((entry) =>
        Buffer.from(entry.response.attestationObject, 'base64url'),
      )
      const mark = Buffer.from('authData')
      const spliced = Buffer.concat([mine!.subarray(0, mine!.indexOf(mark)), theirs!.subarray(theirs!.indexOf(mark))])
      return verifyRegistration(first.services, realmWith({ attestation }), {
        challenge: challengeOf(options),
        response: { ...forged, response: { ...forged.response, attestationObject: spliced.toString('base64url') } },
      })
    }
    expect(await forge('direct')).toBeNull()
    expect(await forge('none')).not.toBeNull()
  })

  test('whose id is not the one that the authenticator gave is refused', async () => {
    const options = await registrationOptions()
    const response = key.register(options)
    const id = Buffer.alloc(32, 7).toString('base64url')
    const renamed = { ...response, id, rawId: id }
    const verify = (sent: unknown) =>
      verifyRegistration(first.services, realmWith(), { challenge: challengeOf(options), response: sent })
    expect(await verify(renamed)).toBeNull()
    expect(await verify(response)).not.toBeNull()
  })

  test('with rubbish or too much of it is refused before it is read', async () => {
    const options = await registrationOptions()
    const sound = key.register(options)
    const verify = (response: unknown) =>
      verifyRegistration(first.services, realmWith(), { challenge: challengeOf(options), response })
    const within = (members: object) => ({ ...sound, response: { ...sound.response, ...members } })
    const long = 'A'.repeat(60 * 1024)
    for (const rubbish of [
      ...[null, undefined, 1, '', '{', '[]', '{}', [], {}, { ...sound, response: null }],
      ...[{ ...sound, type: 'other' }, { ...sound, id: long, rawId: long }, within({ attestationObject: long })],
      ...[
        within({ attestationObject: 'oWNmbXQ' }),
        within({ attestationObject: '!' }),
        within({ clientDataJSON: long }),
      ],
      ...[within({ clientDataJSON: 'e30' }), within({ transports: 'usb' }), within({ transports: [long] })],
      ' '.repeat(70_000) + JSON.stringify(sound),
    ]) {
      expect(await verify(rubbish), JSON.stringify(rubbish)?.slice(0, 80)).toBeNull()
    }
    expect(await verify(JSON.stringify(sound))).not.toBeNull()
    // Sound but for its size.
    expect(await verify(key.register(options, { paddingBytes: 10_000 }))).not.toBeNull()
    expect(await verify(key.register(options, { paddingBytes: 40_000 }))).toBeNull()
  })

  test('of a key that the realm has, is refused, whosever it is; another realm may have it', async () => {
    await enrol()
    const verified = await register()
    expect(await realm.run((ctx) => storeRegistration(ctx, realm.adminId, verified!, null))).toBeNull()
    expect((await realm.call('GET', `/users/${realm.adminId}/credentials`)).body).toHaveLength(1)
    const other = await createRealmFor({ node: first })
    expect(await other.run((ctx) => storeRegistration(ctx, other.adminId, verified!, null))).not.toBeNull()
  })

  test('of one key by two requests at once is stored once', async () => {
    const verified = await register()
    const store = (node: TestNode, of: string) =>
      runTransaction(node.services.db, (work) =>
        storeRegistration(contextIn(node, realm.realmId, work), of, verified!, null),
      )
    const stored = await Promise.all([store(first, userId), store(second, realm.adminId), store(second, userId)])
    expect(stored.filter((id) => id !== null)).toHaveLength(1)
  })

  test('ends at twenty keys', async () => {
    for (let at = 0; at < 20; at++) {
      key = new SoftwareAuthenticator(origin)
      await enrol()
    }
    key = new SoftwareAuthenticator(origin)
    await expect(enrol()).rejects.toMatchObject({ code: 'limit_reached' })
  })
})

describe('the options of an authentication', () => {
  test('name the keys of the person at a second step, and nobody’s at a first', async () => {
    await enrol()
    const user = { realmId: realm.realmId, userId }
    expect(await createAuthenticationOptions(first.services, realmWith(), user, 'SECOND')).toMatchObject({
      rpId: 'login.example.org',
      userVerification: 'preferred',
      allowCredentials: [{ id: key.credentialId.toString('base64url'), transports: ['usb'], type: 'public-key' }],
    })
    const open = await createAuthenticationOptions(first.services, realmWith(), null, 'FIRST')
    expect(open).toMatchObject({ userVerification: 'required' })
    expect((open as { allowCredentials?: unknown }).allowCredentials).toBeUndefined()
  })
})

describe('S44: an authentication', () => {
  test('tells whose key it is and how it was used', async () => {
    const credentialId = await enrol()
    expect(await authenticate({ counter: 5, backedUp: true })).toEqual({
      credentialId,
      userId,
      userVerified: true,
      counter: 5,
      previousCounter: 0,
      backedUp: true,
    })
    expect(await authenticate({}, { purpose: 'FIRST' })).toMatchObject({ credentialId, userId })
    expect(await authenticate({}, { purpose: 'FIRST', userId })).toMatchObject({ credentialId, userId })
    expect(await authenticate({ userHandle: null })).toMatchObject({ userId })
    expect(await authenticate({ userHandle: '', userVerified: false })).toMatchObject({ userVerified: false })
  })

  const hostile: [string, Answering, Ask?][] = [
    ['from another origin', { origin: 'http://login.example.org:8443' }],
    ['for another relying party', { rpId: 'example.org' }],
    ['to another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['of another ceremony', { type: 'webauthn.create' }],
    ['inside a frame of another site', { crossOrigin: true }],
    ['without anybody present', { userPresent: false }],
    ['without user verification as a first factor', { userVerified: false }, { purpose: 'FIRST' }],
    [
      'without user verification where it is required',
      { userVerified: false },
      { policy: { userVerification: 'required' } },
    ],
    ['as a first factor without a user handle', { userHandle: null }, { purpose: 'FIRST' }],
    ['with somebody else’s user handle', { userHandle: Buffer.alloc(32).toString('base64url') }, { purpose: 'FIRST' }],
    ['with somebody else’s user handle at a second step', { userHandle: Buffer.alloc(32).toString('base64url') }],
    ['with a key nobody has', { credentialId: Buffer.alloc(32) }],
    ['at a second step of nobody', {}, { purpose: 'SECOND', userId: null }],
  ]
  test.each(hostile)('%s is refused', async (_what, answering, ask = {}) => {
    await enrol()
    expect(await authenticate(answering, ask)).toBeNull()
    expect(await authenticate({}, { ...ask, userId: ask.purpose === 'FIRST' ? null : userId })).not.toBeNull()
  })

  test('with a key of somebody else is refused where the person is known', async () => {
    await enrol()
    for (const purpose of ['FIRST', 'SECOND'] as const) {
      expect(await authenticate({}, { purpose, userId: realm.adminId })).toBeNull()
    }
  })

  test('with a key of another realm is refused, also under the same user handle', async () => {
    await enrol()
    const other = await createRealmFor({ node: first })
    expect(await authenticate({}, { purpose: 'FIRST', realmId: other.realmId })).toBeNull()
    expect(await authenticate({}, { purpose: 'SECOND', realmId: other.realmId })).toBeNull()
  })

  test('with the signature of another key is refused', async () => {
    await enrol()
    const impostor = new SoftwareAuthenticator(origin)
    impostor.credentialId = key.credentialId
    impostor.userHandle = key.userHandle
    const real = key
    key = impostor
    expect(await authenticate()).toBeNull()
    key = real
    expect(await authenticate()).not.toBeNull()
  })

  test('with rubbish or too much of it is refused before it is read', async () => {
    await enrol()
    const long = 'A'.repeat(9000)
    for (const rubbish of [null, '', '{', {}, [], 'A'.repeat(70_000)]) {
      expect(await authenticate({}, {}, () => rubbish)).toBeNull()
    }
    for (const member of ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']) {
      for (const value of [long, '!', 1, {}]) {
        const edit = (sent: object) => ({
          ...sent,
          response: { ...(sent as { response: object }).response, [member]: value },
        })
        expect(await authenticate({}, {}, edit), member).toBeNull()
      }
    }
    expect(await authenticate({}, {}, (sent) => JSON.stringify(sent))).not.toBeNull()
  })

  test('counts once for each value of the counter, also for two requests at once on two nodes', async () => {
    await enrol({ counter: 1 })
    const verified = (await authenticate({ counter: 2 }))!
    const apply = (node: TestNode) =>
      runTransaction(node.services.db, (work) => applyAssertion(contextIn(node, realm.realmId, work), verified))
    const applied = await Promise.all([apply(first), apply(second), apply(first), apply(second)])
    expect(applied.filter(Boolean)).toHaveLength(1)
    const [shown] = (await realm.call('GET', `/users/${userId}/credentials`)).body
    expect(shown.lastUsedAt).toEqual(expect.any(Number))
  })

  test('with a counter that went back or stood still is refused: somebody has a copy of the key', async () => {
    await enrol({ counter: 5 })
    for (const counter of [0, 4, 5]) expect(await authenticate({ counter })).toBeNull()
    const late = (await authenticate({ counter: 6 }))!
    const newer = (await authenticate({ counter: 7 }))!
    expect(await realm.run((ctx) => applyAssertion(ctx, newer))).toBe(true)
    // Verified before the other one was applied, so only the statement that writes can see it.
    expect(await realm.run((ctx) => applyAssertion(ctx, late))).toBe(false)
  })

  test('with a key that does not count works again and again', async () => {
    await enrol()
    for (let at = 0; at < 3; at++) {
      const verified = (await authenticate({ backedUp: true }))!
      expect(await realm.run((ctx) => applyAssertion(ctx, verified))).toBe(true)
    }
    const [shown] = (await realm.call('GET', `/users/${userId}/credentials`)).body
    expect(shown.details.backedUp).toBe(true)
  })

  test('with a key that was removed meanwhile does not count', async () => {
    const id = await enrol()
    const verified = (await authenticate())!
    await realm.call('DELETE', `/users/${userId}/credentials/webauthn/${id}`)
    expect(await realm.run((ctx) => applyAssertion(ctx, verified))).toBe(false)
    expect(await authenticate()).toBeNull()
  })
})

describe('S44: a challenge', () => {
  const seal = () => sealChallenge(first.services, realm.realmId, 'browser', 'challenge')

  test('opens in its realm and browser only, for ten minutes', async () => {
    const sealed = seal()
    expect(sealed).not.toContain('challenge')
    const open = (realmId: string, browser: string, text: string) =>
      openChallenge(first.services, realmId, browser, text)
    expect(openChallenge(second.services, realm.realmId, 'browser', sealed)).toMatchObject({ challenge: 'challenge' })
    expect(open(realm.realmId, 'other', sealed)).toBeNull()
    expect(open('other', 'browser', sealed)).toBeNull()
    for (const text of ['', 'x', sealed.slice(1), 'A'.repeat(5000)])
      expect(open(realm.realmId, 'browser', text)).toBeNull()
    first.clock.advance(9 * 60_000)
    expect(open(realm.realmId, 'browser', sealed)).not.toBeNull()
    first.clock.advance(60_000)
    expect(open(realm.realmId, 'browser', sealed)).toBeNull()
  })

  test('is used once, by one of many requests at once on two nodes', async () => {
    const { challenge, expiresAt } = openChallenge(first.services, realm.realmId, 'browser', seal())!
    const consume = (node: TestNode) =>
      runTransaction(node.services.db, (work) =>
        consumeChallenge(contextIn(node, realm.realmId, work), challenge, expiresAt),
      )
    const consumed = await Promise.all([first, second, first, second, first, second].map(consume))
    expect(consumed.filter(Boolean)).toHaveLength(1)
    expect(await consume(first)).toBe(false)
  })
})

describe('S44: the make of an authenticator', () => {
  const make = '00000000-0000-4000-8000-00000000000a'
  let calls = 0
  let listener: Server
  let maker: Maker
  beforeAll(async () => {
    listener = createServer((_request, response) => {
      calls += 1
      response.end()
    }).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    maker = await createMaker(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/revoked`)
  })
  afterAll(() => listener.close())

  test('is taken where it is allowed, and refused where another one is', async () => {
    const attested = (allowedAaguids: string[]) =>
      register({ maker, aaguid: make }, { attestation: 'direct', allowedAaguids })
    expect(await attested([])).toMatchObject({ aaguid: make })
    expect(await attested([make.toUpperCase()])).toMatchObject({ aaguid: make })
    expect(await attested(['00000000-0000-4000-8000-00000000000b'])).toBeNull()
  })

  test('is believed only with the maker’s signature', async () => {
    const forger = { ...maker, privateKey: (await createMaker('http://127.0.0.1:1/')).privateKey }
    expect(await register({ maker: forger, aaguid: make }, { attestation: 'direct' })).toBeNull()
  })

  test('is verified without any call to an address that the certificate names', async () => {
    expect(await register({ maker, aaguid: make }, { attestation: 'enterprise' })).not.toBeNull()
    expect(await register({ maker, aaguid: make })).not.toBeNull()
    expect(calls).toBe(0)
    for (const identifier of ['apple', 'android-key', 'android-safetynet', 'packed', 'tpm', 'fido-u2f'] as const) {
      expect(SettingsService.getRootCertificates({ identifier }), 'roots make the library fetch').toEqual([])
    }
  })
})
