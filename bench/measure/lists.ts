import { addressOf, largeRealm, typedNameOf, usernameOf } from '../load/index.ts'
import type { Client } from './client.ts'
import { median, ms, quantile, type Report } from './report.ts'

// Architecture 7.
const userPageMs = 50
const eventPageMs = 100
const warmUps = 3
const dayMs = 86_400_000

async function measure(client: Client, path: string, rounds: number): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds + warmUps; round++) {
    const took = await client.time('GET', path)
    if (round >= warmUps) times.push(took)
  }
  return times
}

interface Case {
  what: string
  query: string
}

interface ListRun {
  client: Client
  report: Report
  rounds: number
}

async function reportCases({ client, report, rounds }: ListRun, list: string, limitMs: number, cases: Case[]) {
  for (const { what, query } of cases) {
    const times = await measure(client, `/admin/realms/${largeRealm}${list}?${query}`, rounds)
    const p95 = quantile(times, 0.95)
    report.check(what, `p50 ${ms(median(times))}  p95 ${ms(p95)}`, `p95 < ${limitMs} ms`, p95 < limitMs)
  }
}

async function read(client: Client, path: string) {
  const answer = await client.send('GET', `/admin/realms/${largeRealm}${path}`)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
  return JSON.parse(answer.text)
}

/** Pages, prefix search and every filter of contract 2.42 that there is something to filter by. */
export async function measureUserLists(run: ListRun, users: number): Promise<void> {
  const { client } = run
  const depth = Math.min(100_000, Math.floor(users * 0.9))
  const deepest = Math.floor(depth / 100) - 1
  const last = (await read(client, `/users?size=100&page=${deepest}`)).at(-1).userId
  const lastByName = (await read(client, `/users?size=100&page=${deepest}&sort=username`)).at(-1).userId
  const found = (await read(client, '/users?size=100&search=an')).at(-1).userId
  const someone = encodeURIComponent(usernameOf(4711))
  await reportCases(run, '/users', userPageMs, [
    { what: 'users: first page', query: 'size=100' },
    { what: `users: page ${deepest + 1}`, query: `size=100&page=${deepest}` },
    { what: `users: the page after it, by cursor`, query: `size=100&after=${last}` },
    { what: 'users: by username, first page', query: 'size=100&sort=username' },
    { what: `users: by username, page ${deepest + 1}`, query: `size=100&sort=username&page=${deepest}` },
    { what: 'users: by username, after it by cursor', query: `size=100&sort=username&after=${lastByName}` },
    { what: 'users: search "a" (one in six)', query: 'size=100&search=a' },
    { what: 'users: search "an"', query: 'size=100&search=an' },
    { what: 'users: search "an", second page by cursor', query: `size=100&search=an&after=${found}` },
    { what: 'users: search "an", page 20', query: 'size=100&search=an&page=19' },
    { what: 'users: search "zwingli" (rare)', query: 'size=100&search=zwingli' },
    { what: 'users: search for one user', query: `size=100&search=${someone}` },
    { what: 'users: search for nobody', query: 'size=100&search=qqq' },
    { what: 'users: username=an', query: 'size=100&username=an' },
    { what: 'users: username, exact', query: `size=100&exact=true&username=${someone}` },
    { what: 'users: email=zo', query: 'size=100&email=zo' },
    { what: 'users: email, exact', query: `size=100&exact=true&email=${someone}%40example.org` },
    ...['enabled=true', 'enabled=false', 'locked=true', 'locked=false', 'role=user', 'role=staff', 'role=auditor'].map(
      (filter) => ({ what: `users: ${filter}`, query: `size=100&${filter}` }),
    ),
    { what: 'users: attribute=department:Research', query: 'size=100&attribute=department:Research' },
    { what: 'users: attribute=employeeNumber:77', query: 'size=100&attribute=employeeNumber:77' },
    { what: 'users: sort=-email', query: 'size=100&sort=-email' },
  ])
}

/** Every filter of the specification and of contract 2.91. */
export async function measureEventLists(run: ListRun, events: number): Promise<void> {
  const { client } = run
  const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)
  const deepest = Math.floor(Math.min(100_000, events * 0.4) / 50) - 1
  const cursor = (await read(client, `/events?size=50&page=${deepest}`)).items.at(-1).id
  const [change] = (await read(client, '/events?size=1&type=ADMIN_UPDATE')).items
  const [person] = (await read(client, `/users?exact=true&username=${encodeURIComponent(usernameOf(1))}`)) as {
    userId: string
  }[]
  const filters = [
    ...[
      'type=LOGIN_SUCCESS',
      'type=KEY_ROTATED',
      'category=AUTHN',
      'category=ADMIN',
      'outcome=SUCCESS',
      'outcome=FAILURE',
    ],
    ...['category=ADMIN&outcome=FAILURE', 'actor=system', 'resourceType=users', 'resourceType=keys', 'clientId=app-7'],
    ...[`sourceIp=${addressOf(17)}`, `from=${day(30)}`, `to=${day(30)}`, `from=${day(40)}&to=${day(20)}`, 'sort=asc'],
    ...[`from=${day(40)}&to=${day(20)}&sort=asc`, 'type=ADMIN_UPDATE&sort=asc'],
  ]
  await reportCases(run, '/events', eventPageMs, [
    { what: 'events: first page', query: 'size=50' },
    { what: `events: page ${deepest + 1}`, query: `size=50&page=${deepest}` },
    { what: 'events: the page after it, by cursor', query: `size=50&before=${cursor}` },
    { what: `events: type=LOGIN_SUCCESS, page ${deepest + 1}`, query: `size=50&type=LOGIN_SUCCESS&page=${deepest}` },
    { what: 'events: 500 on a page', query: 'size=500' },
    { what: 'events: actor by id', query: `size=50&actor=${person!.userId}` },
    { what: 'events: actor by username', query: `size=50&actor=${encodeURIComponent(usernameOf(1))}` },
    { what: 'events: actor by a name nobody has', query: `size=50&actor=${typedNameOf(7)}` },
    { what: 'events: resourceId', query: `size=50&resourceId=${change.resourceId}` },
    ...filters.map((filter) => ({ what: `events: ${filter}`, query: `size=50&${filter}` })),
  ])
}
