import { beforeAll, describe, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../../test/harness/index.ts'
import { contributions } from '../../../app/module-list.ts'
import { findInitialAccessToken } from './index.ts'

const path = '/provisioning/initial-access-tokens'
let realm: TestRealm
beforeAll(async () => {
  realm = await createRealmFor()
})

describe('an initial access token', () => {
  test('is shown once, for a day and one client unless said otherwise', async () => {
    const { status, body } = await realm.call('POST', path, {})
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      token: expect.stringMatching(/^iat_[A-Za-z0-9_-]{43}$/),
      allowedScopes: null,
      count: 1,
      remainingCount: 1,
      expiresAt: body.createdAt + 86_400_000,
      createdAt: expect.any(Number),
    })
    const list = await realm.call('GET', path)
    const { token, ...shown } = body
    expect(list.body).toEqual([shown])
    const kept = await realm.node.services.db
      .selectFrom('initial_access_tokens')
      .selectAll()
      .where('realm_id', '=', realm.realmId)
      .execute()
    expect(JSON.stringify(kept)).not.toContain(token)
    expect(JSON.stringify(await realm.events())).not.toContain(token)
  })

  test('is listed page by page, and ends when it is deleted', async () => {
    const { body } = await realm.call('POST', path, { count: 5, expiresInSeconds: 60, allowedScopes: ['groups'] })
    expect(body).toMatchObject({ count: 5, remainingCount: 5, allowedScopes: ['groups'] })
    const first = await realm.call('GET', `${path}?size=1&count=true`)
    expect(first.body).toMatchObject([{ id: body.id }])
    expect(first.headers['x-total-count']).toBe('2')
    expect(first.headers.link).toContain(`after=${body.id}`)
    expect((await realm.call('GET', `${path}?after=${body.id}`)).body).toHaveLength(1)
    const find = (at = realm) => findInitialAccessToken(at.node.services, at.realmId, body.token)
    expect(await find()).toEqual({ id: body.id, allowedScopes: ['groups'] })
    expect(await find(await createRealmFor())).toBeNull()
    expect((await realm.call('DELETE', `${path}/${body.id}`)).status).toBe(204)
    expect((await realm.call('DELETE', `${path}/${body.id}`)).status).toBe(404)
    expect(await find()).toBeNull()
  })

  test.each([
    ['expiresInSeconds', { expiresInSeconds: 1 }],
    ['expiresInSeconds', { expiresInSeconds: 99_999_999 }],
    ['count', { count: 0 }],
    ['count', { count: 1001 }],
    ['allowedScopes', { allowedScopes: ['no-such-scope'] }],
    ['token', { token: 'iat_of-my-choice' }],
  ])('is refused with a wrong %s', async (field, body) => {
    const answer = await realm.call('POST', path, body)
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, field])
  })

  test('is forgotten once it has expired, and no sooner', async () => {
    const { body } = await realm.call('POST', path, { expiresInSeconds: 60 })
    const job = contributions
      .flatMap(({ jobs = [] }) => jobs)
      .find(({ name }) => name === 'provisioning.forget-tokens')!
    const { services } = realm.node
    const at = (ms: number) => ({ ...services, clock: { now: () => body.expiresAt + ms } })
    const ids = async () => (await realm.call('GET', path)).body.map(({ id }: { id: string }) => id)
    expect(await findInitialAccessToken(at(-1), realm.realmId, body.token)).not.toBeNull()
    expect(await findInitialAccessToken(at(0), realm.realmId, body.token)).toBeNull()
    await job.handle(at(-1), {})
    expect(await ids()).toContain(body.id)
    await job.handle(at(0), {})
    expect(await ids()).not.toContain(body.id)
  })
})
