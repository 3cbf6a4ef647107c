import { expect, test } from 'vitest'
import { api, createBrowser, createRealmFor, startTestNode } from '../../../test/harness/index.ts'
import { systemPassword } from '../../../test/harness/node.ts'

test('anybody signed in with an admin permission sees endpoints and health, nobody else', async () => {
  const realm = await createRealmFor()
  const viewer = await realm.signInWith(['view-users'])
  const endpoints = await realm.callAs(viewer.browser, 'GET', '/endpoints')
  expect(endpoints.status).toBe(200)
  expect(endpoints.body.issuer).toBe(`${realm.node.url}/realms/${realm.realmId}`)
  const health = await realm.callAs(viewer.browser, 'GET', '/health')
  expect(health.status).toBe(200)
  expect(Object.keys(health.body.components)).toEqual(
    expect.arrayContaining(['signingKey', 'messaging', 'identityProviders', 'scimTargets', 'webhooks']),
  )
  const nobody = await realm.signInWith([])
  for (const path of ['/endpoints', '/health']) {
    expect((await realm.callAs(nobody.browser, 'GET', path)).status).toBe(403)
  }
})

test('the summary shows a realm’s administrator that realm only, and the system’s administrator the server', async () => {
  // A node of its own: beside a hundred busier realms of other tests this one would not be among the most active.
  const node = await startTestNode()
  const realm = await createRealmFor({ node })
  await realm.call('POST', '/users', { username: 'erin' })
  await realm.node.services.activity.flush()
  const own = (await realm.admin.get('/admin/metrics/summary')).body
  expect(own).toMatchObject({ realms: 1, users: 2, activeSessions: 1 })
  expect(own.byRealm.map((entry: { realmId: string }) => entry.realmId)).toEqual([realm.realmId])

  const system = createBrowser(realm.node.url)
  await system.login('master', 'admin', systemPassword)
  const read = async () => (await system.get('/admin/metrics/summary')).body
  // Activity reaches the database within seconds.
  await expect
    .poll(async () => (await read()).byRealm.find((entry: { realmId: string }) => entry.realmId === realm.realmId), {
      timeout: 15_000,
    })
    .toMatchObject({
      logins: { success: 1, failure: 0 },
      adminWrites: { success: 1, denied: 0 },
      tokensIssued: 0,
      mfaChallenges: 0,
    })
  const all = await read()
  expect(all.realms).toBeGreaterThanOrEqual(2)
  expect(all.users).toBeGreaterThanOrEqual(3)
  expect(all.logins.success).toBeGreaterThanOrEqual(1)
  expect(all.byRealm.length).toBeLessThanOrEqual(100)
  await node.stop()
}, 30_000)

test('monitoring answers without a session, a cookie or a redirect', async () => {
  const { node } = await createRealmFor()
  for (const path of ['/health', '/health/liveness', '/health/readiness', '/info', '/metrics']) {
    const answer = await api(`${node.url}/monitoring${path}`, 'GET')
    expect([path, answer.status]).toEqual([path, 200])
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
  const { text } = await api(`${node.url}/monitoring/metrics`, 'GET')
  expect(text).toMatch(/^svc_audit_default_partition_bytes 0$/m)
})
