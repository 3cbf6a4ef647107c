import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRealmFor, startTestNode, type TestNode, type TestRealm } from '../harness/index.ts'
import { cloneDatabase } from '../harness/node.ts'
import { rounds, runSql } from './parts.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let proxy: TcpProxy
let node: TestNode
let realm: TestRealm

beforeAll(async () => {
  database = await cloneDatabase()
  const url = new URL(database.url)
  proxy = await startTcpProxy(Number(url.port))
  url.port = String(proxy.port)
  // No worker: its own commits would use up the loss meant for a request.
  const env = { GATEHOUSE_WORKER: 'false' }
  node = await startTestNode({ database: { url: url.href, adminUrl: database.adminUrl }, env })
  realm = await createRealmFor({ node })
})

afterAll(async () => {
  await node.stop()
  await proxy.stop()
  await database.drop()
})

test('F11 a retry after a lost COMMIT answer gives the first result: one user, one event, at most one audit line', async () => {
  for (let round = 0; round < rounds(3, 30); round++) {
    const username = `once-${round}`
    const send = () =>
      realm.call(
        'POST',
        '/users',
        { username, email: `${username}@example.org` },
        { headers: { 'idempotency-key': username } },
      )
    proxy.loseNextCommit()
    const first = await send()
    expect(first.status, first.text).toBe(503)
    expect(first.body).toMatchObject({ code: 'unavailable' })
    expect(Number(first.headers['retry-after'])).toBeGreaterThan(0)
    expect(proxy.lost()).toBe(round + 1)

    const retry = await send()
    expect(retry.status, retry.text).toBe(201)
    const again = await send()
    expect(again.status).toBe(201)
    expect(again.body).toEqual(retry.body)
    const userId = retry.body.userId as string

    const users = await runSql(database.superUrl, 'select id from users where realm_id = $1 and username = $2', [
      realm.realmId,
      username,
    ])
    expect(users.rows).toEqual([{ id: userId }])
    const events = await runSql(
      database.superUrl,
      `select 1 from audit_events where realm_id = $1 and type = 'ADMIN_CREATE' and resource_id = $2`,
      [realm.realmId, userId],
    )
    expect(events.rowCount).toBe(1)
    expect(
      node.auditLines.filter((line) => line.resourceId === userId && line.type === 'ADMIN_CREATE').length,
    ).toBeLessThanOrEqual(1)
  }
})

test('F11 the same retry without a key is told of the conflict and changes nothing', async () => {
  const send = () => realm.call('POST', '/users', { username: 'unkeyed', email: 'unkeyed@example.org' })
  proxy.loseNextCommit()
  expect((await send()).status).toBe(503)
  expect((await send()).status).toBe(409)
  const users = await runSql(database.superUrl, `select 1 from users where realm_id = $1 and username = 'unkeyed'`, [
    realm.realmId,
  ])
  expect(users.rowCount).toBe(1)
})

test('F11 connections that break between statements harm no later request', async () => {
  for (let round = 0; round < rounds(5, 50); round++) {
    const running = Array.from({ length: 8 }, () => realm.call('GET', '/users?size=1'))
    proxy.cut()
    for (const { status } of await Promise.all(running)) expect([200, 503]).toContain(status)
    expect((await realm.call('GET', '/users?size=1')).status).toBe(200)
  }
})
