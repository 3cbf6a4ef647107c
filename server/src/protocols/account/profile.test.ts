import { beforeAll, describe, expect, test } from 'vitest'
import { createRealmFor, must, type TestRealm } from '../../../test/harness/index.ts'
import { type OpenAccount, openAccount } from '../../../test/harness/account-callers.ts'

let realm: TestRealm
let ada: OpenAccount
beforeAll(async () => {
  realm = await createRealmFor()
  const attributes = { firstName: 'Ada', department: 'engines', legalHold: 'true' }
  ada = await openAccount(realm, 'ada', { attributes, phone: '+49 30 1' })
}, 60_000)

const read = async () => (await must(ada.bySession.call('GET', '/profile'), 200)).body

describe('my profile', () => {
  test('is read by session and by token, without what is between administrators', async () => {
    const { bySession, byToken } = ada
    for (const caller of [bySession, byToken]) {
      expect((await must(caller.call('GET', '/profile'), 200)).body).toEqual({
        ...{ username: 'ada', email: 'ada@example.org', emailVerified: true, phone: '+49 30 1', locale: null },
        attributes: { firstName: 'Ada', department: 'engines' },
      })
    }
  })

  test('takes back what it gave, and changes the names, the language and the number', async () => {
    const before = await read()
    const changed = { ...before, locale: 'nl', phone: '+49 30 2', attributes: { firstName: 'A.', lastName: 'Byron' } }
    const { body } = await must(ada.byToken.call('PUT', '/profile', changed), 200)
    expect(body).toEqual({ ...changed, attributes: { ...changed.attributes, department: 'engines' } })
    const record = (await realm.call('GET', `/users/${ada.userId}`)).body
    expect(record.attributes).toEqual({ ...body.attributes, legalHold: 'true' })
    expect(record).toMatchObject({ phoneVerified: false, emailVerified: true, enabled: true })
    await must(ada.bySession.call('PUT', '/profile', before), 200)
  })

  test.each([
    ['username', { username: 'admin' }, 'username'],
    ['an attribute of an administrator', { attributes: { department: 'all' } }, 'attributes.department'],
    ['a hold of the law', { attributes: { legalHold: 'false' } }, 'attributes.legalHold'],
    ['the hold as it is', { attributes: { legalHold: 'true' } }, 'attributes.legalHold'],
    ['a new attribute', { attributes: { role: 'admin' } }, 'attributes.role'],
    ['a name that is a list', { attributes: { firstName: ['a', 'b'] } }, 'attributes.firstName'],
    ['an address that is none', { email: 'nonsense' }, 'email'],
    ['a member that there is not', { enabled: true }, 'enabled'],
    ['roles', { roles: ['admin'] }, 'roles'],
    ['requiredActions', { requiredActions: [] }, 'requiredActions'],
  ])('refuses %s', async (_what, change, field) => {
    const before = await read()
    const answer = await ada.bySession.call('PUT', '/profile', { ...before, ...change })
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, field])
    expect(await read()).toEqual(before)
  })

  test('emailVerified is nobody’s to claim', async () => {
    const eve = await openAccount(realm, 'eve', { emailVerified: false })
    const { body } = await must(eve.bySession.call('GET', '/profile'), 200)
    await must(eve.bySession.call('PUT', '/profile', { ...body, emailVerified: true }), 200)
    expect((await eve.bySession.call('GET', '/profile')).body.emailVerified).toBe(false)
  })

  test('without a mail provider another address counts at once and is unproved; few are taken in an hour', async () => {
    const bob = await openAccount(realm, 'bob')
    const { body } = await must(bob.bySession.call('GET', '/profile'), 200)
    const move = (email: string | null) => bob.bySession.call('PUT', '/profile', { ...body, email })
    expect((await must(move('bob@new.example'), 200)).body).toMatchObject({
      email: 'bob@new.example',
      emailVerified: false,
    })
    const answers = []
    for (let n = 0; n < 5; n++) answers.push((await move(`bob${n}@new.example`)).status)
    expect(answers).toEqual([200, 200, 200, 200, 429])
    expect((await must(move(null), 200)).body.email).toBeNull()
  })

  test('a change is in the trail, without what it says', async () => {
    const [event] = await realm.events(`&type=ADMIN_UPDATE&resourceId=${ada.userId}&actor=${ada.userId}`)
    expect(JSON.parse(event.detail)).toMatchObject({ profile: 'by the person' })
    expect(event.detail).not.toContain('Byron')
  })
})
