// S3: two realms with the same names, asked in turn thousands of times: nobody ever sees anything of the other.
// Snapshots, prepared statements, kept answers and error objects are shared by all realms of a node; this is their test.
import { beforeAll, expect, test } from 'vitest'
import type { Answer } from '../harness/index.ts'
import { openRealmStage, type Stage } from './stage.ts'

// Enough requests at once to overlap in the pool, few enough for two cores.
const concurrency = 24
const rounds = 2000

interface Side extends Stage {
  /** Planted in everything of this realm; seen in the other one it would be a leak. */
  mark: string
  users: string[]
  roles: string[]
}

let sides: [Side, Side]
beforeAll(async () => {
  sides = [await openSide('left'), await openSide('right')]
})

async function openSide(name: string): Promise<Side> {
  const stage = await openRealmStage()
  const side: Side = { ...stage, mark: `mark-of-the-${name}-realm`, users: [], roles: [] }
  const base = `/admin/realms/${side.realmId}`
  const settings = { displayName: side.mark, welcomeText: side.mark }
  expect((await side.admin.write('PUT', `${base}/settings`, settings)).status).toBe(200)
  for (const who of ['ada', 'bob', 'cleo', 'dan']) {
    const attributes = { mark: side.mark }
    const user = await side.admin.write('POST', `${base}/users`, {
      username: who,
      email: `${who}@example.org`,
      attributes,
    })
    side.users.push(user.body.userId)
    const role = await side.admin.write('POST', `${base}/roles`, { name: who, description: side.mark })
    side.roles.push(role.body.roleId)
  }
  return side
}

type Request = (side: Side, other: Side, at: number) => Promise<Answer>
const pick = <T>(list: T[], at: number): T => list[at % list.length]!
const pathOf = (side: Side, path: string) => `/admin/realms/${side.realmId}${path}`

const requests: [expected: number, Request][] = [
  [200, (side) => side.admin.get(pathOf(side, '/users?username=ada&exact=true'))],
  [200, (side, _other, at) => side.admin.get(pathOf(side, `/users/${pick(side.users, at)}`))],
  [404, (side, other, at) => side.admin.get(pathOf(side, `/users/${pick(other.users, at)}`))],
  [200, (side) => side.admin.get(pathOf(side, '/users?attribute=mark:mark-of-the-left-realm'))],
  [200, (side) => side.admin.get(pathOf(side, '/roles'))],
  [404, (side, other, at) => side.admin.get(pathOf(side, `/roles/${pick(other.roles, at)}`))],
  [200, (side) => side.admin.get(pathOf(side, '/settings'))],
  [200, (side) => side.admin.get(pathOf(side, '/whoami'))],
  [200, (side) => side.admin.get(pathOf(side, '/events?size=5'))],
  [200, (side) => side.admin.get(pathOf(side, '/sessions'))],
  [200, (side) => side.admin.get(pathOf(side, '/keys'))],
  [200, (side) => side.admin.get(`/realms/${side.realmId}/login`)],
  [401, (side, other) => side.admin.get(pathOf(other, '/users'))],
  // The same key, route and body in both realms: a kept answer belongs to its realm.
  [
    201,
    (side, _other, at) =>
      side.admin.write(
        'POST',
        pathOf(side, '/users'),
        { username: `key-${at}` },
        { headers: { 'idempotency-key': `k-${at}` } },
      ),
  ],
  [
    200,
    (side, _other, at) =>
      side.admin.write('PUT', pathOf(side, `/roles/${pick(side.roles, at)}`), {
        name: ['ada', 'bob', 'cleo', 'dan'][at % 4],
        description: side.mark,
      }),
  ],
  // Failures that quote what was sent.
  [
    409,
    (side) => side.admin.write('POST', pathOf(side, '/users'), { username: 'ADA', attributes: { mark: side.mark } }),
  ],
  [400, (side) => side.admin.write('POST', pathOf(side, '/users'), { username: 'x', [side.mark]: 1 })],
  [400, (side) => side.admin.get(pathOf(side, `/users?${side.mark}=1`))],
]

/** What would give the other realm away: its name, its mark, its ids. */
function traitorsOf(other: Side): string[] {
  return [other.realmId, other.mark, other.adminId, ...other.users, ...other.roles]
}

test('S3: interleaved requests of two realms never read across', { timeout: 60_000 }, async () => {
  const leaks: string[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < rounds; at = next++) {
      const [side, other] = at % 2 === 0 ? sides : [sides[1], sides[0]]
      const [expected, request] = requests[Math.floor(at / 2) % requests.length]!
      const answer = await request(side, other, Math.floor(at / 2))
      // What the caller wrote into the path comes back as `instance`; everything else must be of this realm.
      const { instance, ...body } = answer.body ?? {}
      const seen = Array.isArray(answer.body) || !instance ? answer.text : JSON.stringify(body)
      const found = traitorsOf(other).filter((text) => seen.includes(text))
      if (answer.status !== expected || found.length > 0) leaks.push(`${at}: ${answer.status} ${found} ${answer.text}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  expect(leaks.slice(0, 5)).toEqual([])
})

test('S3: requests that fail at the same moment never show each other’s data', async () => {
  const [left, right] = sides
  const marks = Array.from({ length: 200 }, (_, at) => `mine-${at}-${Math.random().toString(36).slice(2)}`)
  const answers = await Promise.all(
    marks.map((mark, at) => {
      const side = at % 2 ? left : right
      return side.admin.write('POST', pathOf(side, '/roles'), { name: 'x', [mark]: mark })
    }),
  )
  for (const [at, answer] of answers.entries()) {
    expect(answer.body.errors).toEqual([{ field: marks[at], code: 'unknown_field', message: expect.any(String) }])
  }
  expect(new Set(answers.map((answer) => answer.body.traceId)).size).toBe(marks.length)
})

test('S3: events, sessions and counters of one realm hold nothing of the other', async () => {
  for (const [side, other] of [sides, [sides[1], sides[0]]] as [Side, Side][]) {
    for (const path of ['/events?size=500', '/sessions?size=1000', '/users?size=1000', '/roles?size=1000']) {
      const { text, status } = await side.admin.get(pathOf(side, path))
      expect(status).toBe(200)
      // A look at the other realm's ids is on record as the path that was asked for; nothing else may be.
      expect(traitorsOf(other).filter((trait) => text.includes(trait))).toEqual([])
    }
  }
})
