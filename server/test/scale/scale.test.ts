import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addressOf,
  largeRealm,
  loadScale,
  scalePassword,
  shortSizes,
  smallRealm,
  systemRealm,
  typedNameOf,
  usernameOf,
} from '../../../bench/load/index.ts'
import { lockoutContribution } from '../../src/domain/lockout/index.ts'
import { type Browser, createBrowser } from '../harness/index.ts'
import { cloneDatabase, startTestNode, type TestNode } from '../harness/node.ts'
import { measurePlan, watchStatements } from './plans.ts'

// The short form of `npm run bench:scale`: what must hold on any machine, however busy (docs/operate/performance.md).
let node: TestNode
let database: Awaited<ReturnType<typeof cloneDatabase>>
let admin: Browser
let client: pg.Client

beforeAll(async () => {
  database = await cloneDatabase()
  const key = randomBytes(32)
  await loadScale({ adminUrl: database.adminUrl, sizes: shortSizes, masterKeys: [{ id: 'k1', key }] })
  node = await startTestNode({ database, env: { GATEHOUSE_MASTER_KEYS: `k1:${key.toString('base64')}` } })
  admin = createBrowser(node.url)
  const answer = await admin.login(systemRealm, 'admin', scalePassword)
  if (answer.status !== 200) throw new Error(`the administrator cannot sign in: ${answer.text}`)
  client = new pg.Client({ connectionString: database.superUrl })
  await client.connect()
}, 120_000)

afterAll(async () => {
  await client?.end()
  await node?.stop()
  await database?.drop()
})

const list = (path: string, realm = largeRealm) => admin.get(`/admin/realms/${realm}${path}`)

/** Asserts that no statement of the request reads a table whole, or more rows than its page needs. */
async function expectBoundedReads(path: string, allowed: number): Promise<void> {
  let answer: Awaited<ReturnType<typeof list>> | undefined
  // The first call fills caches, such as the list of partitions; the second one is what every later one costs.
  await list(path)
  const statements = await watchStatements(async () => {
    answer = await list(path)
  })
  expect(answer?.status, answer?.text.slice(0, 300)).toBe(200)
  const items = Array.isArray(answer!.body) ? answer!.body : answer!.body.items
  expect(items.length, 'the filter finds something').toBeGreaterThan(0)
  const relevant = statements.filter(({ text }) => /"?(users|audit_events)"?\b/.test(text))
  expect(relevant.length, 'statements were seen').toBeGreaterThan(0)
  for (const statement of relevant) {
    const { rows, wholeScans, plan } = await measurePlan(client, statement)
    const bound = /count\(\*\)/.test(statement.text) ? countCap + 1 : allowed
    for (const [table, read] of [...rows].filter(([name]) => largeTables.has(name)).map(perPerson))
      expect(read, `rows of ${table} read for ${path}\n${statement.text}\n${plan}`).toBeLessThanOrEqual(bound)
    expect(
      wholeScans.filter((table) => largeTables.has(table)),
      `${path}\n${plan}`,
    ).toEqual([])
  }
}

// Whoever is shown is shown with their roles; nobody in this realm has more than two.
const maxRoles = 2
const perPerson = ([table, read]: [string, number]): [string, number] => [
  table,
  table === 'user_roles' ? read / maxRoles : read,
]
// Contract 2.92: other totals than those of the roll-ups are counted over an index up to here.
const countCap = 100_000
// Tables that grow with a realm. Reading all of a small one, such as the realm's roles, is what PostgreSQL should do.
const largeTables = new Set(['users', 'login_names', 'user_roles', 'user_attribute_index', 'audit_events'])
const size = 50

describe('a list of users reads no more rows than it skips and shows', () => {
  const filters = [
    ...['', 'enabled=true', 'enabled=false', 'locked=true', 'locked=false'],
    ...['role=user', 'role=staff', 'role=auditor', 'attribute=department:Research', 'attribute=employeeNumber:77'],
    ...['username=an', 'username=anna.weber', 'email=zo', `username=${usernameOf(4711)}&exact=true`],
    ...[`email=${encodeURIComponent(`${usernameOf(4711)}@example.org`)}&exact=true`],
    ...['sort=createdAt', 'sort=username', 'sort=-username', 'sort=email', 'sort=-email'],
  ]
  // One lock in 20,000 users is over and not cleared yet.
  const uncleared = (filter: string) => (filter.startsWith('locked') ? 1 : 0)

  test.each(filters)('first page of "%s"', async (filter) => {
    await expectBoundedReads(`/users?size=${size}&${filter}`, size + 1 + uncleared(filter))
  })

  test.each(filters.filter((filter) => !/exact|employeeNumber|auditor|anna/.test(filter)))(
    'a later page of "%s", by number and by cursor',
    async (filter) => {
      const page = filter === 'locked=true' ? 1 : 5
      await expectBoundedReads(`/users?size=${size}&page=${page}&${filter}`, page * size + size + 1 + uncleared(filter))
      const first = await list(`/users?size=${size}&${filter}`)
      await expectBoundedReads(
        `/users?size=${size}&after=${first.body.at(-1).userId}&${filter}`,
        // And the one the cursor names.
        size + 2 + uncleared(filter),
      )
    },
  )

  test.each(['a', 'an', 'zwingli', 'anna.weber', 'we'])(
    'a search for "%s" reads one page in each of four names',
    async (term) => {
      await expectBoundedReads(`/users?size=${size}&search=${term}`, 4 * (size + 1))
      const later = await list(`/users?size=${size}&search=${term}`)
      if (later.body.length < size) return
      await expectBoundedReads(`/users?size=${size}&page=1&search=${term}`, 4 * (2 * size + 1))
      // Behind a cursor those shown before are passed over again: no more than a page by number would read.
      await expectBoundedReads(
        `/users?size=${size}&search=${term}&after=${later.body.at(-1).userId}`,
        4 * (2 * size + 2),
      )
    },
  )
})

test('a search shows everybody once, by page number as by cursor', async () => {
  const ids = (answer: { body: { userId: string }[] }) => answer.body.map((user) => user.userId)
  const byNumber: string[] = []
  const byCursor: string[] = []
  for (let page = 0; page < 12; page++) {
    byNumber.push(...ids(await list(`/users?size=100&search=an&page=${page}`)))
    const after = byCursor.length === 0 ? '' : `&after=${byCursor.at(-1)}`
    byCursor.push(...ids(await list(`/users?size=100&search=an${after}`)))
  }
  expect(byCursor).toEqual(byNumber)
  expect(new Set(byNumber).size).toBe(byNumber.length)
})

describe('a list of events reads no more rows than it skips and shows', () => {
  const dayMs = 86_400_000
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10)
  const filters = [
    ...['', 'type=LOGIN_SUCCESS', 'type=KEY_ROTATED', 'outcome=SUCCESS', 'outcome=FAILURE'],
    ...['category=AUTHN', 'category=ADMIN', 'category=SECURITY', 'sort=asc', 'type=ADMIN_UPDATE&sort=asc'],
    ...[`from=${day(30)}`, `to=${day(30)}`, `from=${day(40)}&to=${day(20)}`, `from=${day(40)}&to=${day(20)}&sort=asc`],
    ...['resourceType=users', 'resourceType=keys', `sourceIp=${addressOf(17)}`, 'clientId=app-7', 'actor=system'],
    ...[`actor=${usernameOf(1)}`, `actor=${typedNameOf(7)}`],
  ]

  test.each(filters)('first page of "%s"', async (filter) => {
    await expectBoundedReads(`/events?size=${size}&${filter}`, size + 1)
  })

  test('first page by the id of an actor and of a resource', async () => {
    const [user] = (await list(`/users?username=${encodeURIComponent(usernameOf(1))}&exact=true`)).body
    await expectBoundedReads(`/events?size=${size}&actor=${user.userId}`, size + 1)
    const { items } = (await list('/events?type=ADMIN_UPDATE&size=1')).body
    await expectBoundedReads(`/events?size=${size}&resourceId=${items[0].resourceId}`, size + 1)
  })

  test.each(filters.filter((filter) => !/actor|sourceIp/.test(filter)))(
    'a later page of "%s", by number and by cursor',
    async (filter) => {
      const page = /KEY|keys/.test(filter) ? 1 : 4
      await expectBoundedReads(`/events?size=${size}&page=${page}&${filter}`, page * size + size + 1)
      const { items } = (await list(`/events?size=${size}&${filter}`)).body
      await expectBoundedReads(`/events?size=${size}&before=${items.at(-1).id}&${filter}`, size + 1)
    },
  )

  test.each(['', 'type=LOGIN_SUCCESS', 'category=AUTHN&sort=asc', 'outcome=SUCCESS', 'clientId=app-7&from=0'])(
    'a deep page of "%s" passes over index entries and fetches the rows it shows',
    async (filter) => {
      const page = filter.startsWith('clientId') ? 20 : 100
      await expectBoundedReads(`/events?size=${size}&page=${page}&${filter}`, page * size + 2 * size)
      const deep = (await list(`/events?size=${size}&page=${page}&${filter}`)).body.items
      const before = (await list(`/events?size=${size}&page=${page - 1}&${filter}`)).body.items
      const next = (await list(`/events?size=${size}&before=${before.at(-1).id}&${filter}`)).body.items
      expect(deep).toEqual(next)
    },
  )

  test('totals are exact', async () => {
    const total = async (filter: string) => (await list(`/events?size=1&${filter}`)).body
    expect(await total('')).toMatchObject({ total: shortSizes.events })
    expect(await total('type=LOGIN_SUCCESS')).toMatchObject({ total: shortSizes.events * 0.45 })
    expect(await total('category=AUTHN&outcome=FAILURE')).toMatchObject({ total: shortSizes.events * 0.083 })
    expect(await total(`from=${Date.now() - 365 * dayMs}`)).toMatchObject({ total: countCap, totalCapped: true })
  })
})

describe('a page of a large realm costs what one of a small realm costs', () => {
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
  const timed = async (path: string, realm: string) => {
    const start = performance.now()
    expect((await list(path, realm)).status).toBe(200)
    return performance.now() - start
  }

  test.each(['/users?size=50', '/users?size=50&search=an', '/events?size=50', '/events?size=50&type=LOGIN_SUCCESS'])(
    'at most three times as long for %s',
    async (path) => {
      const times = { large: [] as number[], small: [] as number[] }
      for (let round = 0; round < 21; round++) {
        times.large.push(await timed(path, largeRealm))
        times.small.push(await timed(path, smallRealm))
      }
      expect(median(times.large) / median(times.small)).toBeLessThanOrEqual(3)
    },
  )
})

test('the flag of a lock that is over is taken down by a job', async () => {
  const over = async () =>
    (await client.query('select count(*)::int as n from users where locked and locked_until < $1', [Date.now()]))
      .rows[0].n
  const locked = async () => (await list('/users?size=1&locked=true&count=true')).headers['x-total-count']
  expect(await over()).toBeGreaterThan(0)
  const before = await locked()
  const job = lockoutContribution.jobs!.find(({ name }) => name === 'lockout.clear')!
  await job.handle(node.services, {} as never)
  expect(await over()).toBe(0)
  expect(await locked()).toBe(before)
})
