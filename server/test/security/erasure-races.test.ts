// Contract 2.54, S12: whatever a person, their devices and applications do on any node at the moment they are erased, nothing of
// them comes back.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueEnrollment } from '../../src/domain/devices/index.ts'
import { eraseUser } from '../../src/domain/users/gdpr/index.ts'
import { runTransaction } from '../../src/platform/db/index.ts'
import {
  api,
  createBrowser,
  createClientIn,
  createDevice,
  type MailNode,
  must,
  refresh,
  signInTo,
  startMailNode,
  startTestNode,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { openAccount } from '../harness/account-callers.ts'
import { adminPassword, contextIn } from '../harness/realm.ts'
import { ask } from '../harness/reset-walk.ts'
import { callTx, createShop, machineToken, payment } from '../harness/transactions.ts'
import { findTraces, type Trace } from './traces-of.ts'
import { twinOf } from './two-nodes.ts'

let mails: MailNode
let second: TestNode
let realm: TestRealm
beforeAll(async () => {
  mails = await startMailNode()
  const { node } = mails
  second = await startTestNode({
    database: { url: node.databaseUrl, adminUrl: node.adminDatabaseUrl },
    env: { GATEHOUSE_BASE_URL: node.url, GATEHOUSE_WORKER: 'false', GATEHOUSE_EGRESS_ALLOW: 'smtp://127.0.0.1' },
  })
  realm = await mails.openRealm({ selfDeletionAllowed: true, bruteForce: { perIpMaxPerMinute: 10_000 } })
}, 60_000)
afterAll(async () => {
  await second?.stop()
  await mails?.stop()
})

/** Somebody in the middle of everything. */
async function openBusyPerson(username: string) {
  const person = await openAccount(realm, username, { email: `${username}@races.example.org` })
  const client = await createClientIn(realm, { scopes: ['offline_access'] })
  const params = { scope: 'openid offline_access', prompt: 'consent' }
  const tokens = await Promise.all([1, 2].map(() => signInTo(realm, client, { username, params })))
  const device = await createDevice(realm)
  const { enrollmentToken } = await realm.run((ctx) => issueEnrollment(ctx, person.userId))
  const headers = { authorization: `Bearer ${enrollmentToken}` }
  const json = { deviceName: `${username}-phone`, platform: 'IOS' }
  const url = `${realm.node.url}/realms/${realm.realmId}/device/enroll/start`
  const started = (await must(api(url, 'POST', { json, headers }), 200)).body
  return { ...person, client, tokens, enroll: () => device.answerChallenge(enrollmentToken, started) }
}
type BusyPerson = Awaited<ReturnType<typeof openBusyPerson>>

/** All that can happen at once, on both nodes; whether it succeeds is nobody's concern. */
function doEverything(person: BusyPerson, machine: string): Promise<unknown>[] {
  const { username, userId, client, tokens, browser } = person
  const bases = [realm.node.url, second.url]
  const here = `/realms/${realm.realmId}`
  return [
    ...bases.map((base, at) => refresh(realm, client, tokens[at]!.refresh_token!, base)),
    ...bases.map((base) => createBrowser(base).login(realm.realmId, username, adminPassword)),
    ...bases.map((base) => createBrowser(base).login(realm.realmId, username, 'wrong-password-47')),
    ...bases.map((base) => callTx(realm, machine, 'POST', '', { ...payment, userId }, base)),
    ...bases.map((base) => signInTo(realm, client, { username, browser: twinOf(browser, base) }).catch(() => null)),
    ...bases.map((base) => twinOf(browser, base).write('POST', `${here}/account/credentials`, { type: 'totp' })),
    person.enroll(),
    ask(realm, username),
    realm.call('PUT', `/users/${userId}/password`, { newPassword: `${adminPassword}-2` }),
    realm.call('POST', `/users/${userId}/impersonate`, { reason: username }),
    realm.call('POST', `/users/${userId}/send-actions-email`, { actions: ['VERIFY_EMAIL'] }),
    api(`${realm.node.url}${here}/userinfo`, 'GET', { headers: { authorization: `Bearer ${person.token}` } }),
  ]
}

/** Erases the person, but commits only when told to: whatever takes no lock meanwhile sees them as they were. */
async function eraseSlowly(userId: string) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: erased, resolve: report } = Promise.withResolvers<void>()
  const ended = runTransaction(realm.node.services.db, async (work) => {
    await eraseUser(contextIn(realm.node, realm.realmId, work), userId)
    report()
    await released
  })
  await Promise.race([erased, ended])
  return { commit: () => (release(), ended) }
}

/** The rows that still hold something of the person, besides the trail and the word to applications that they are gone. */
async function findLeft({ username, userId }: BusyPerson): Promise<string[]> {
  await Promise.all([realm.node, second].map(({ services }) => services.eventBatch.flush()))
  const traces = await findTraces(realm.node.adminDatabaseUrl, [username, userId])
  const isAllowed = ({ place, row, canary }: Trace) =>
    canary === userId && (place.includes('audit_events') || row.includes('oidc.backchannel-logout'))
  return traces.filter((trace) => !isAllowed(trace)).map(({ place, row }) => `${place} ${row}`)
}

describe('S12: of somebody who is erased while they sign in, refresh, enrol and are asked to sign', () => {
  test.each(['an administrator', 'themself', 'somebody slow'])('nothing comes back, erased by %s', async (by) => {
    const machine = await machineToken(realm, await createShop(realm))
    const person = await openBusyPerson(`zqrace${randomBytes(6).toString('hex')}`)
    if (by === 'somebody slow') {
      const erasure = await eraseSlowly(person.userId)
      const begun = doEverything(person, machine)
      await Promise.race([Promise.all(begun), sleep(1500)])
      await erasure.commit()
      await Promise.all(begun)
    } else {
      const begun = doEverything(person, machine)
      const own = by === 'themself'
      const erasing = own ? person.bySession.call('DELETE', '') : realm.call('DELETE', `/users/${person.userId}/gdpr`)
      await Promise.all(begun)
      await must(erasing, 204)
    }
    expect(await findLeft(person)).toEqual([])
    const failures = [realm.node, second].flatMap(({ lines }) =>
      lines.filter((line) => line.includes('"level":"error"')),
    )
    expect(failures).toEqual([])
  })
})
