import { beforeAll, describe, expect, test } from 'vitest'
import { createClientIn, createRealmFor, must, signInTo, type TestRealm } from '../../../test/harness/index.ts'
import { recordEvent } from '../../domain/events/index.ts'
import { asUser } from '../../domain/context/index.ts'
import { type OpenAccount, openAccount, signIn } from '../../../test/harness/account-callers.ts'

let realm: TestRealm
let ada: OpenAccount
beforeAll(async () => {
  realm = await createRealmFor()
  ada = await openAccount(realm, 'ada')
}, 60_000)

describe('my applications', () => {
  test('are those I am signed in to, allowed something, or that may go on without me', async () => {
    const theirs = await createClientIn(realm, {
      ...{ name: 'Theirs', consentRequired: true, grantTypes: ['authorization_code', 'refresh_token'] },
      ...{ clientId: 'theirs', scopes: ['offline_access'] },
    })
    const params = { scope: 'openid offline_access', prompt: 'consent' }
    await signInTo(realm, theirs, { username: 'ada', params })
    await createClientIn(realm, { clientId: 'unknown-to-ada' })
    const { body } = await must(ada.byToken.call('GET', '/applications'), 200)
    expect(body).toHaveLength(2)
    const [house, other] = body
    expect(house).toMatchObject({ consent: null, signedIn: true, offlineAccess: false })
    expect(other).toMatchObject({
      ...{ clientId: 'theirs', name: 'Theirs', signedIn: true, offlineAccess: true, lastUsedAt: expect.any(Number) },
      consent: { clientId: 'theirs', source: 'USER', scopes: expect.arrayContaining(['offline_access']) },
    })
    const first = await must(ada.bySession.call('GET', '/applications?size=1'), 200)
    const next = /account(\/applications[^>]+)>; rel="next"/.exec(String(first.headers.link))![1]!
    expect((await must(ada.bySession.call('GET', next), 200)).body).toEqual([other])
    await must(ada.bySession.call('DELETE', '/sessions'), 204)
    const later = (await must(ada.bySession.call('GET', '/applications'), 200)).body
    expect(later).toEqual([expect.objectContaining({ clientId: 'theirs', signedIn: false, offlineAccess: true })])
    const eve = await openAccount(realm, 'eve')
    expect((await must(eve.bySession.call('GET', '/applications'), 200)).body).toHaveLength(1)
  })

  test('linked accounts and agents: there are none, and that is what it says', async () => {
    for (const path of ['/linked-accounts', '/agents']) {
      expect((await must(ada.bySession.call('GET', path), 200)).body).toEqual([])
      expect((await ada.bySession.call('DELETE', `${path}/some`)).status).toBe(404)
    }
  })
})

describe('what happened in my account', () => {
  test('is what I did and what was done to its security, without anything of an administrator', async () => {
    const bob = await openAccount(realm, 'bob')
    const chief = asUser(realm.realmId, { id: realm.adminId, username: 'admin' })
    await realm.run((ctx) =>
      recordEvent(
        {
          ...ctx,
          actor: chief,
          origin: { sourceIp: '192.0.2.77', userAgent: 'AdminBrowser', traceId: 'a'.repeat(32) },
        },
        {
          ...{ type: 'USER_UNLOCKED', outcome: 'SUCCESS', resourceType: 'users', resourceId: bob.userId },
          ...{ detail: 'words between administrators', detailSubject: bob.userId },
        },
      ),
    )
    // What somebody who acts as him did is in his name, and not his either.
    await realm.run((ctx) =>
      recordEvent(
        {
          ...ctx,
          actor: { ...asUser(realm.realmId, { id: bob.userId, username: 'bob' }), impersonatorId: realm.adminId },
          origin: { sourceIp: '192.0.2.78', userAgent: 'AdminBrowser', traceId: 'b'.repeat(32) },
        },
        { type: 'TOKEN_ISSUED', outcome: 'SUCCESS' },
      ),
    )
    const { body, text } = await must(bob.bySession.call('GET', '/activity'), 200)
    expect(body).toMatchObject({ page: 0, size: 50, total: body.items.length })
    const shown = new Map(body.items.map((item: { type: string }) => [item.type, item]))
    expect(shown.get('LOGIN_SUCCESS')).toMatchObject({ actor: bob.userId, sourceIp: '127.0.0.1' })
    expect(shown.get('USER_UNLOCKED')).toMatchObject({ actor: 'administrator', sourceIp: null, detail: null })
    expect(shown.get('CREDENTIAL_RESET')).toMatchObject({ actor: 'administrator', actorName: null })
    for (const secret of [realm.adminId, '192.0.2.7', 'AdminBrowser', 'words between', '"admin"']) {
      expect(text).not.toContain(secret)
    }
    expect(body.items.every(({ category }: { category: string }) => category !== 'ADMIN')).toBe(true)
    expect(text).not.toContain(ada.userId)
    const first = (await must(bob.byToken.call('GET', '/activity?size=1'), 200)).body
    expect(first).toMatchObject({ total: body.total, size: 1, items: [{ id: body.items[0].id }] })
    const next = await must(bob.byToken.call('GET', `/activity?size=1&before=${body.items[0].id}`), 200)
    expect(next.body.items[0].id).toBe(body.items[1].id)
    for (const query of ['size=0', 'size=201', 'page=-1', 'before=x', `actor=${realm.adminId}`]) {
      expect((await bob.bySession.call('GET', `/activity?${query}`)).status).toBe(400)
    }
  })

  test('an administrator does not find there what they did to others', async () => {
    const caller = await realm.signInWith(['manage-users'], 'chief')
    const eve = await realm.signInWith([], 'eve-2')
    const path = `/users/${eve.userId}/credentials`
    await must(realm.callAs(caller.browser, 'POST', path, { type: 'recovery-codes' }), 201)
    const { text, body } = await must(caller.browser.get(`/realms/${realm.realmId}/account/activity`), 200)
    expect(body.total).toBeGreaterThan(0)
    expect(text).not.toContain(eve.userId)
  })
})

describe('my data', () => {
  test('is a download without secrets, a few times an hour, and leaves a trace', async () => {
    const cyd = await openAccount(realm, 'cyd')
    const answer = await must(cyd.bySession.call('GET', '/gdpr/export'), 200)
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="account-${realm.realmId}.json"`)
    expect(answer.body).toMatchObject({ schema: 'gatehouse.gdpr.export/v1', userId: cyd.userId })
    expect(await realm.events(`&type=DATA_EXPORTED&actor=${cyd.userId}`)).toHaveLength(1)
    const statuses = []
    for (let n = 0; n < 5; n++) statuses.push((await cyd.byToken.call('GET', '/gdpr/export')).status)
    expect(statuses).toEqual([200, 200, 200, 200, 429])
  })

  test('is erased where the realm lets people do that, and I am signed out', async () => {
    const dan = await openAccount(realm, 'dan')
    const refused = await dan.bySession.call('DELETE', '')
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    const { body: settings } = await must(realm.call('GET', '/settings'), 200)
    await must(realm.call('PUT', '/settings', { ...settings, selfDeletionAllowed: true }), 200)
    const held = await openAccount(realm, 'held', { attributes: { legalHold: 'true' } })
    expect((await held.bySession.call('DELETE', '')).body.code).toBe('legal_hold')
    const last = await realm.admin.write('DELETE', `/realms/${realm.realmId}/account`)
    expect([last.status, last.body.code]).toEqual([409, 'last_admin'])
    await must(dan.bySession.call('DELETE', ''), 204)
    expect(dan.browser.cookies.has(`gatehouse_session_${realm.realmId}`)).toBe(false)
    expect((await dan.byToken.call('GET', '/whoami')).status).toBe(401)
    expect((await realm.call('GET', `/users/${dan.userId}`)).status).toBe(404)
    await expect(signIn(realm, 'dan')).rejects.toThrow('401')
    const page = await realm.admin.get(`/realms/${realm.realmId}/account`)
    expect(page.status).toBe(200)
  })
})
