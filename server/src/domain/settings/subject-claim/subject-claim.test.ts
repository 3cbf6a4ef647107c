import { beforeEach, describe, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../../test/harness/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { adjustCounter } from '../../counters/index.ts'
import { ensurePairwiseSalt, openCaptchaSecret, subjectClaimSection } from '../index.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await createRealmFor()
})

const readSection = async () => (await realm.node.services.snapshots.find(realm.realmId))!.section(subjectClaimSection)

const insertClient = (settings: object) =>
  realm.run(async (ctx) => {
    const id = newId()
    const values = { realm_id: ctx.realmId, id, client_id: id, settings: JSON.stringify(settings), created_at: 0 }
    await ctx.tx.insertInto('clients').values(values).execute()
    await adjustCounter(ctx, 'clients', 1)
  })

describe('/subject-claim', () => {
  test('names people by their id until something else is chosen, and has a salt from the start', async () => {
    const { status, body } = await realm.call('GET', '/subject-claim')
    expect([status, body]).toEqual([200, { strategy: 'USER_ID', attribute: null, pairwiseSaltSet: true }])
  })

  test('takes every strategy, counts the clients it touches, and every node follows', async () => {
    await insertClient({})
    await insertClient({})
    await insertClient({ subjectClaim: { strategy: 'USERNAME', attribute: null } })
    for (const [body, expected] of [
      [{ strategy: 'USERNAME' }, { strategy: 'USERNAME', attribute: null }],
      [
        { strategy: 'EMAIL', attribute: 'ignored' },
        { strategy: 'EMAIL', attribute: null },
      ],
      [
        { strategy: 'ATTRIBUTE', attribute: 'employeeId' },
        { strategy: 'ATTRIBUTE', attribute: 'employeeId' },
      ],
      [{ strategy: 'PAIRWISE' }, { strategy: 'PAIRWISE', attribute: null }],
    ] as const) {
      const answer = await realm.call('PUT', '/subject-claim', body)
      expect(answer.body).toEqual({ ...expected, pairwiseSaltSet: true, affectedClients: 2 })
      expect((await realm.call('GET', '/subject-claim')).body).toEqual({ ...expected, pairwiseSaltSet: true })
      expect(await readSection()).toMatchObject(expected)
    }
  })

  test('a record that was read can be sent back and touches nobody', async () => {
    await insertClient({})
    await realm.call('PUT', '/subject-claim', { strategy: 'ATTRIBUTE', attribute: 'a' })
    const read = await realm.call('GET', '/subject-claim')
    const again = await realm.call('PUT', '/subject-claim', { ...read.body, pairwiseSaltSet: false })
    expect(again.body).toEqual({ ...read.body, affectedClients: 0 })
    expect(again.headers.etag).toBe(read.headers.etag)
  })

  test('refuses a strategy it does not know and ATTRIBUTE without an attribute', async () => {
    for (const [body, field] of [
      [{ strategy: 'SHOE_SIZE' }, 'strategy'],
      [{}, 'strategy'],
      [{ strategy: 'ATTRIBUTE' }, 'attribute'],
      [{ strategy: 'ATTRIBUTE', attribute: '' }, 'attribute'],
    ] as const) {
      const answer = await realm.call('PUT', '/subject-claim', body)
      expect([answer.status, answer.body.errors[0].field]).toEqual([400, field])
    }
  })

  test('needs manage-realm to be read or changed', async () => {
    const viewer = await realm.signInWith(['manage-authorization', 'manage-clients', 'view-users'])
    expect((await realm.callAs(viewer.browser, 'GET', '/subject-claim')).status).toBe(403)
    const body = { strategy: 'EMAIL' }
    expect((await realm.callAs(viewer.browser, 'PUT', '/subject-claim', body)).status).toBe(403)
    const manager = await realm.signInWith(['manage-realm'])
    expect((await realm.callAs(manager.browser, 'PUT', '/subject-claim', body)).status).toBe(200)
    const other = await createRealmFor()
    expect((await other.call('GET', '/subject-claim')).body.strategy).toBe('USER_ID')
  })

  test('and the settings leave one another alone, with their secrets', async () => {
    const salt = (await readSection()).pairwiseSalt!
    await realm.call('PUT', '/subject-claim', { strategy: 'ATTRIBUTE', attribute: 'a' })
    const captcha = { provider: 'turnstile', siteKey: 'k', secret: 'captcha-canary' }
    const set = await realm.call('PUT', '/settings', { displayName: 'X', primaryColor: '#123456', captcha })
    expect([set.status, set.body.captcha.secretSet]).toEqual([200, true])
    expect(JSON.stringify(set.body)).not.toMatch(/subjectClaim|pairwise/)
    expect(await openCaptchaSecret(realm.node.services, realm.realmId)).toBe('captcha-canary')
    expect(await readSection()).toEqual({ strategy: 'ATTRIBUTE', attribute: 'a', pairwiseSalt: salt })

    await realm.call('PUT', '/subject-claim', { strategy: 'PAIRWISE' })
    const settings = (await realm.call('GET', '/settings')).body
    expect([settings.primaryColor, settings.captcha.secretSet]).toEqual(['#123456', true])
    const cleared = await realm.call('PUT', '/settings', { captcha: null })
    expect(cleared.body.captcha.secretSet).toBe(false)
    expect(await openCaptchaSecret(realm.node.services, realm.realmId)).toBeNull()
    expect(await readSection()).toEqual({ strategy: 'PAIRWISE', attribute: null, pairwiseSalt: salt })
  })

  test('S51: the salt is sealed, is never shown, and is not the same in two realms', async () => {
    const salt = (await readSection()).pairwiseSalt!
    const row = await realm.node.services.db
      .selectFrom('realm_settings')
      .selectAll()
      .where('realm_id', '=', realm.realmId)
      .executeTakeFirstOrThrow()
    expect(row.sealed!.includes(salt)).toBe(false)
    expect(row.sealed!.includes(salt.toString('base64'))).toBe(false)
    expect(JSON.stringify(row.settings)).not.toContain(salt.toString('base64'))
    expect((await realm.call('GET', '/subject-claim')).text).not.toContain(salt.toString('base64'))
    const other = await createRealmFor()
    const theirs = await (await other.node.services.snapshots.find(other.realmId))!.section(subjectClaimSection)
    expect(theirs.pairwiseSalt!.equals(salt)).toBe(false)
  })

  test('the salt is made once, however many ask for it at once, and stays', async () => {
    await realm.run(({ tx, realmId }) =>
      tx.updateTable('realm_settings').set({ settings: '{}', sealed: null }).where('realm_id', '=', realmId).execute(),
    )
    realm.node.services.snapshots.drop(realm.realmId)
    expect((await realm.call('GET', '/subject-claim')).body.pairwiseSaltSet).toBe(false)
    expect((await readSection()).pairwiseSalt).toBeNull()
    const { services } = realm.node
    // What each of them finds right afterwards: a salt that somebody used must never be replaced.
    const seen = await Promise.all(
      Array.from({ length: 8 }, async () => {
        await realm.run(ensurePairwiseSalt)
        return (await subjectClaimSection.load(services, realm.realmId)).pairwiseSalt!.toString('hex')
      }),
    )
    expect(new Set(seen).size).toBe(1)
    const salt = (await readSection()).pairwiseSalt!
    expect([salt.length, salt.toString('hex')]).toEqual([32, seen[0]])
    await realm.call('PUT', '/subject-claim', { strategy: 'PAIRWISE' })
    expect((await readSection()).pairwiseSalt!.equals(salt)).toBe(true)
  })
})
