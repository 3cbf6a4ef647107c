import { createPublicKey, sign, verify } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../test/harness/index.ts'
import { keysContribution, keysSection, openSigningKey } from './index.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await createRealmFor()
})

test('a fresh realm has one ACTIVE RSA key and shows no private half', async () => {
  const answer = await realm.call('GET', '/keys')
  expect(answer.body).toEqual([
    {
      keyId: expect.any(String),
      algorithm: 'RSA',
      status: 'ACTIVE',
      publicKey: expect.stringMatching(/^MII/),
      createdAt: expect.any(Number),
      rotatedAt: null,
      certificate: expect.stringMatching(/^MII/),
      size: 2048,
      deletableAt: null,
    },
  ])
  const der = Buffer.from(answer.body[0].publicKey, 'base64')
  expect(createPublicKey({ key: der, format: 'der', type: 'spki' }).asymmetricKeyType).toBe('rsa')
})

test('rotation answers the new ACTIVE key; the one before is RETIRED and newest come first', async () => {
  const [first] = (await realm.call('GET', '/keys')).body
  const answer = await realm.call('POST', '/keys/rotate')
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({ status: 'ACTIVE', rotatedAt: null })
  expect(answer.headers.location).toBe(`/admin/realms/${realm.realmId}/keys/${answer.body.keyId}`)
  const { body } = await realm.call('GET', '/keys')
  expect(body[0]).toEqual(answer.body)
  expect(body[1]).toMatchObject({ keyId: first.keyId, status: 'RETIRED', rotatedAt: expect.any(Number) })
  // Refresh tokens live longest by default: ten hours.
  expect(body[1].deletableAt).toBe(body[1].rotatedAt + 36_000_000)
  const page = await realm.call('GET', '/keys?size=1&count=true')
  expect([page.body[0].keyId, page.headers['x-total-count']]).toEqual([answer.body.keyId, '2'])
  expect(
    (await realm.call('GET', `/keys?after=${answer.body.keyId}`)).body.map((key: { keyId: string }) => key.keyId),
  ).toEqual([first.keyId])
})

test('the time after which a key may go follows the longest token lifetime of the realm', async () => {
  await realm.call('PUT', '/settings', {
    accessTokenLifetimeSeconds: 7200,
    refreshTokenLifetimeSeconds: 3600,
    refreshTokenIdleSeconds: 600,
  })
  await realm.call('POST', '/keys/rotate')
  const [, retired] = (await realm.call('GET', '/keys')).body
  expect(retired.deletableAt - retired.rotatedAt).toBe(7_200_000)
})

test('parallel rotations all succeed and leave one ACTIVE key', async () => {
  const answers = await Promise.all(Array.from({ length: 4 }, () => realm.call('POST', '/keys/rotate')))
  expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201])
  const { body } = await realm.call('GET', '/keys')
  expect(body).toHaveLength(5)
  expect(body.map((key: { status: string }) => key.status)).toEqual([
    'ACTIVE',
    'RETIRED',
    'RETIRED',
    'RETIRED',
    'RETIRED',
  ])
})

test('refuses to delete the ACTIVE key', async () => {
  const [key] = (await realm.call('GET', '/keys')).body
  const answer = await realm.call('DELETE', `/keys/${key.keyId}`)
  expect([answer.status, answer.body.code]).toEqual([409, 'key_active'])
  expect((await realm.call('GET', '/keys')).body).toHaveLength(1)
})

test('deletes a RETIRED key early and says in the audit trail that live tokens are cut off', async () => {
  const [key] = (await realm.call('GET', '/keys')).body
  await realm.call('POST', '/keys/rotate')
  expect((await realm.call('DELETE', `/keys/${key.keyId}`)).status).toBe(204)
  expect((await realm.call('DELETE', `/keys/${key.keyId}`)).status).toBe(404)
  const [event] = await realm.events('&type=ADMIN_DELETE')
  expect(event).toMatchObject({ resourceType: 'keys', resourceId: key.keyId })
  expect(JSON.parse(event.detail)).toMatchObject({ tokensCutOff: true, note: expect.stringContaining('cut off') })
  expect(await realm.events('&type=KEY_DELETED')).toHaveLength(1)
})

test('a rotation and a deletion at once both end, with one ACTIVE key', async () => {
  const [first] = (await realm.call('GET', '/keys')).body
  await realm.call('POST', '/keys/rotate')
  const [rotated, deleted] = await Promise.all([
    realm.call('POST', '/keys/rotate'),
    realm.call('DELETE', `/keys/${first.keyId}`),
  ])
  expect([rotated.status, deleted.status]).toEqual([201, 204])
})

test('rotation is an ADMIN_ACTION and a SECURITY event on the new key', async () => {
  const { body: key } = await realm.call('POST', '/keys/rotate')
  expect((await realm.events('&type=ADMIN_ACTION'))[0]).toMatchObject({ resourceType: 'keys', resourceId: key.keyId })
  expect((await realm.events('&type=KEY_ROTATED'))[0]).toMatchObject({
    category: 'SECURITY',
    resourceId: key.keyId,
    actor: realm.adminId,
  })
})

test('writes need a recent sign-in when the realm asks for it', async () => {
  await realm.call('PUT', '/settings', { adminReauth: true })
  expect((await realm.call('POST', '/keys/rotate')).status).toBe(201)
  const proofs = JSON.stringify([{ method: 'password', at: realm.node.clock.now() - 16 * 60_000 }])
  await realm.run(({ tx }) =>
    tx.updateTable('sessions').set({ proofs }).where('realm_id', '=', realm.realmId).execute(),
  )
  const [, retired] = (await realm.call('GET', '/keys')).body
  expect((await realm.call('POST', '/keys/rotate')).body.code).toBe('reauthentication_required')
  expect((await realm.call('DELETE', `/keys/${retired.keyId}`)).body.code).toBe('reauthentication_required')
})

test('S1: a key of another realm is not there', async () => {
  const other = await createRealmFor()
  const [key] = (await other.call('GET', '/keys')).body
  expect((await realm.call('DELETE', `/keys/${key.keyId}`)).status).toBe(404)
})

test('the snapshot signs with the new key at once and keeps the old one for verification', async () => {
  const { services } = realm.node
  const before = await openSigningKey(services, realm.realmId)
  const signature = sign('sha256', Buffer.from('hello'), before.privateKey)
  const rotated = (await realm.call('POST', '/keys/rotate')).body
  const after = await openSigningKey(services, realm.realmId)
  expect(after.keyId).toBe(rotated.keyId)
  const keys = await (await services.snapshots.find(realm.realmId))!.section(keysSection)
  expect(keys.map((key) => [key.keyId, key.active])).toEqual([
    [rotated.keyId, true],
    [before.keyId, false],
  ])
  const old = createPublicKey({ key: Buffer.from(keys[1]!.publicKey, 'base64'), format: 'der', type: 'spki' })
  expect(verify('sha256', Buffer.from('hello'), old, signature)).toBe(true)
})

test('S51: a sealed private key moved to another realm does not open, and health says so', async () => {
  const other = await createRealmFor()
  const health = keysContribution.health![0]!
  expect(await realm.run((ctx) => health.check(ctx))).toBe('UP')
  await realm.run(async ({ tx }) => {
    const { private_key_sealed } = await tx
      .selectFrom('realm_keys')
      .select('private_key_sealed')
      .where('realm_id', '=', other.realmId)
      .executeTakeFirstOrThrow()
    await tx.updateTable('realm_keys').set({ private_key_sealed }).where('realm_id', '=', realm.realmId).execute()
  })
  expect(await realm.run((ctx) => health.check(ctx))).toBe('DOWN')
})
