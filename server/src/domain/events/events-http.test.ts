import { expect, test } from 'vitest'
import { createBrowser, createRealmFor } from '../../../test/harness/index.ts'

test('answers the page wrapper with the realm’s own events only', async () => {
  const [realm, other] = [await createRealmFor(), await createRealmFor()]
  const answer = await realm.call('GET', '/events?size=2')
  expect(answer.status).toBe(200)
  expect(Object.keys(answer.body).sort()).toEqual(['items', 'page', 'size', 'total'])
  const all = await realm.events()
  expect(all.length).toBeGreaterThan(0)
  for (const event of all) expect(event.realm).toBe(realm.realmId)
  const foreign = all[0]!.id
  expect((await other.events()).some((event) => event.id === foreign)).toBe(false)
})

test('an admin write is found by actor, resource and category, and is the line on the output', async () => {
  const realm = await createRealmFor()
  const created = await realm.call('POST', '/users', { username: 'carol' })
  const { userId } = created.body
  for (const query of [
    `&resourceId=${userId}`,
    `&resourceType=users&actor=admin`,
    `&actor=${realm.adminId}&category=ADMIN`,
  ]) {
    const events = await realm.events(query)
    expect(
      events.map((event) => [event.type, event.resourceId]),
      query,
    ).toContainEqual(['ADMIN_CREATE', userId])
  }
  const [event] = await realm.events(`&resourceId=${userId}`)
  expect(event).toMatchObject({ actor: realm.adminId, actorName: 'admin', outcome: 'SUCCESS', sourceIp: '127.0.0.1' })
  expect(realm.node.auditLines.filter((line) => line.id === event!.id)).toEqual([event])
})

test('a failed sign-in of an unknown name is found by the name as typed and by its address', async () => {
  const realm = await createRealmFor()
  await createBrowser(realm.node.url).login(realm.realmId, 'Nobody@Example.org', 'wrong-password')
  const [event] = await realm.events('&actor=nobody@example.org&')
  expect(event).toMatchObject({
    type: 'LOGIN_FAILURE',
    outcome: 'FAILURE',
    actor: 'Nobody@Example.org',
    actorName: null,
  })
  expect((await realm.events('&sourceIp=127.0.0.1')).map(({ id }) => id)).toContain(event!.id)
  expect(await realm.events('&sourceIp=192.0.2.1')).toEqual([])
})

test('refuses impossible and unknown parameters, naming them', async () => {
  const realm = await createRealmFor()
  for (const [query, field] of [
    ['page=-1', 'page'],
    ['size=501', 'size'],
    ['page=two', 'page'],
    ['sort=sideways', 'sort'],
    ['from=yesterday', 'from'],
    ['colour=red', 'colour'],
  ] as const) {
    const answer = await realm.call('GET', `/events?${query}`)
    expect([answer.status, answer.body.errors?.[0]?.field], query).toEqual([400, field])
  }
  const empty = await realm.call('GET', '/events?type=NO_SUCH_TYPE')
  expect([empty.status, empty.body]).toEqual([200, { items: [], total: 0, page: 0, size: 50 }])
})

test('the trail is read-only, and reading it needs view-events', async () => {
  const realm = await createRealmFor()
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const answer = await realm.call(method, '/events', {})
    expect([method, answer.status]).toEqual([method, 405])
  }
  const { browser } = await realm.signInWith(['view-users'])
  expect((await realm.callAs(browser, 'GET', '/events')).status).toBe(403)
  const auditor = await realm.signInWith(['view-events'])
  expect((await realm.callAs(auditor.browser, 'GET', '/events')).status).toBe(200)
})

test('totals by type, category and outcome equal what paging finds', async () => {
  const realm = await createRealmFor()
  await realm.call('POST', '/users', { username: 'dave' })
  const all = await realm.events()
  for (const member of ['type', 'category', 'outcome'] as const) {
    for (const value of new Set(all.map((event) => event[member] as string))) {
      const { body } = await realm.call('GET', `/events?${member}=${value}&size=1`)
      expect([value, body.total]).toEqual([value, all.filter((event) => event[member] === value).length])
    }
  }
})
