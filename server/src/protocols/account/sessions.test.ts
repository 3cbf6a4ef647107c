import { beforeAll, describe, expect, test } from 'vitest'
import { createRealmFor, must, type TestRealm } from '../../../test/harness/index.ts'
import { createSession } from '../../domain/sessions/index.ts'
import { type OpenAccount, openAccount, sessionCaller, signIn } from '../../../test/harness/account-callers.ts'

let realm: TestRealm
let ada: OpenAccount
beforeAll(async () => {
  realm = await createRealmFor()
  ada = await openAccount(realm, 'ada')
}, 60_000)

interface Listed {
  id: string
  current: boolean
  userId: string
  impersonatorId: string | null
  sourceIp: string | null
  userAgent: string | null
}
const list = async (account = ada.bySession): Promise<Listed[]> =>
  (await must(account.call('GET', '/sessions'), 200)).body

describe('where I am signed in', () => {
  test('is listed for me alone, page by page, with the one that asks', async () => {
    const mine = await list()
    expect(mine).toHaveLength(2)
    expect(mine.filter(({ current }) => current)).toHaveLength(1)
    expect(new Set(mine.map(({ userId }) => userId))).toEqual(new Set([ada.userId]))
    const byToken = await list(ada.byToken)
    expect(byToken.filter(({ current }) => current)).toEqual([
      expect.objectContaining({ id: mine.find(({ current }) => !current)!.id }),
    ])
    const first = await must(ada.bySession.call('GET', '/sessions?size=1'), 200)
    expect(first.headers.link).toContain(`/realms/${realm.realmId}/account/sessions?size=1&after=${first.body[0].id}`)
    expect((await ada.bySession.call('GET', '/sessions?userId=x')).status).toBe(400)
  })

  test('one ends, its cookie with it when it was mine; the others after it', async () => {
    const eve = await openAccount(realm, 'eve')
    const other = sessionCaller(realm, await signIn(realm, 'eve'))
    const third = sessionCaller(realm, await signIn(realm, 'eve'))
    const otherId = (await list(other)).find(({ current }) => current)!.id
    await must(eve.bySession.call('DELETE', `/sessions/${otherId}`), 204)
    expect((await other.call('GET', '/whoami')).status).toBe(401)
    expect((await third.call('GET', '/whoami')).status).toBe(200)
    expect((await eve.bySession.call('DELETE', `/sessions/${otherId}`)).status).toBe(404)
    await must(eve.bySession.call('DELETE', '/sessions'), 204)
    expect((await third.call('GET', '/whoami')).status).toBe(401)
    expect((await eve.byToken.call('GET', '/whoami')).status).toBe(401)
    const [left] = await list(eve.bySession)
    const last = await must(eve.bySession.call('DELETE', `/sessions/${left!.id}`), 204)
    expect(String(last.headers['set-cookie'])).toMatch(/gatehouse_session_[^=]+=;.*Max-Age=0/)
    expect(eve.browser.cookies.has(`gatehouse_session_${realm.realmId}`)).toBe(false)
    const ends = await realm.events(`&type=LOGOUT&actor=${eve.userId}`)
    expect(ends).toHaveLength(3)
  })

  test('an administrator who acts as me is named as such, without their place, and I can end it', async () => {
    const { id } = await realm.run((ctx) =>
      createSession(ctx, {
        ...{ userId: ada.userId, proofs: [], rememberMe: false, idleSeconds: 600, maxSeconds: 600 },
        impersonatorId: realm.adminId,
      }),
    )
    const theirs = (await list()).find((session) => session.id === id)
    expect(theirs).toMatchObject({ impersonatorId: realm.adminId, sourceIp: null, userAgent: null, current: false })
    await must(ada.bySession.call('DELETE', `/sessions/${id}`), 204)
    expect((await list()).map((session) => session.id)).not.toContain(id)
  })

  test('whoami says who I am and whether somebody acts as me', async () => {
    const { body } = await must(ada.bySession.call('GET', '/whoami'), 200)
    expect(body).toMatchObject({ userId: ada.userId, username: 'ada', realmId: realm.realmId, permissions: [] })
    expect(body).toMatchObject({ impersonatorId: null, acr: 'urn:gatehouse:acr:1', expiresAt: expect.any(Number) })
    expect((await must(ada.byToken.call('GET', '/whoami'), 200)).body).toMatchObject({ userId: ada.userId })
  })
})
