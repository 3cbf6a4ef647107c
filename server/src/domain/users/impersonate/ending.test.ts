import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson, type MailNode, must, startMailNode, type TestRealm } from '../../../../test/harness/index.ts'
import { sessionsContribution } from '../../sessions/index.ts'
import { impersonateContribution } from './index.ts'

// A node of its own: time is moved here, and somebody gets mail.
let post: MailNode
let realm: TestRealm
beforeAll(async () => {
  post = await startMailNode()
  realm = await post.openRealm()
})
afterAll(() => post?.stop())

const start = async (userId: string) =>
  (await must(realm.call('POST', `/users/${userId}/impersonate`, { reason: 'Ticket 4711' }), 200)).body
const expire = impersonateContribution.jobs!.find(({ name }) => name === 'impersonation.expire')!
const forget = sessionsContribution.jobs!.find(({ name }) => name === 'sessions.forget')!
const ends = () => realm.events('&type=IMPERSONATION_END')

test('the person is told by mail, once, in their language; the reason stays in the audit trail', async () => {
  const address = `ada@${realm.realmId}.example.org`
  const ada = await addPerson(realm, 'ada', { email: address, locale: 'nl' })
  await must(realm.call('POST', `/users/${ada.userId}/impersonate?dryRun=true`, {}), 200)
  await start(ada.userId)
  const mail = await post.mailbox.waitFor(address)
  expect(mail.subject).toContain('beheerder')
  expect(mail.text).not.toContain('4711')
  expect(mail.links).toEqual([])
  expect(post.mailbox.to(address)).toHaveLength(1)
})

test('somebody without an address can be helped as well', async () => {
  const { userId } = (await must(realm.call('POST', '/users', { username: 'mute' }), 201)).body
  expect((await start(userId)).userId).toBe(userId)
})

test('a session whose time is over ends by itself, with its event, whatever tidies up first', async () => {
  const bob = await addPerson(realm, 'bob')
  const { sessionId, expiresAt } = await start(bob.userId)
  const before = (await ends()).length
  await expire.handle(realm.node.services, undefined as never)
  expect(await ends()).toHaveLength(before)
  realm.node.clock.advance(expiresAt - realm.node.clock.now() + 1000)
  await forget.handle(realm.node.services, undefined as never)
  await expire.handle(realm.node.services, undefined as never)
  await expire.handle(realm.node.services, undefined as never)
  await realm.admin.login(realm.realmId, 'admin', 'correct-horse-battery-42')
  const [ended, ...others] = (await ends()).filter((event) => event.sessionId === sessionId)
  expect(others).toEqual([])
  expect(ended).toMatchObject({ actor: 'system', resourceId: bob.userId, impersonatorId: realm.adminId })
})
