// S26: a refresh token is replaced at each use, and there is never a second head of its family.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createClientIn,
  refresh,
  requestToken,
  signInTo,
  startTestNode,
  type TestClient,
  type TestNode,
} from '../harness/index.ts'
import { askUserinfo, atOnce, introspect, openPair, type Pair, startSecondNode, waitSeconds } from './two-nodes.ts'

let second: TestNode
beforeAll(async () => {
  second = await startSecondNode()
})
afterAll(() => second.stop())

let pair: Pair
let client: TestClient
beforeEach(async () => {
  pair = await openPair(second)
  client = await createClientIn(pair.realm)
})

const withGrace = (seconds: number) => createClientIn(pair.realm, { refreshTokenGraceSeconds: seconds })
const reuses = () => pair.realm.events('&type=REFRESH_TOKEN_REUSE')

/** How many refresh tokens of the client nobody has used yet. */
async function countHeads(clientId: string): Promise<number> {
  const db = new pg.Client({ connectionString: pair.realm.node.adminDatabaseUrl })
  await db.connect()
  const { rows } = await db.query(
    `select count(*)::int as heads from oidc_models m where realm_id = $1 and client_id = $2 and model = 'RefreshToken'
       and not exists (select from oidc_consumptions c where c.realm_id = m.realm_id and c.id = m.id)`,
    [pair.realm.realmId, clientId],
  )
  await db.end()
  return rows[0].heads
}

describe('S26: a refresh token used 100 times at once over two nodes', () => {
  test('is replaced once: everybody within the grace gets that same successor', async () => {
    const { realm } = pair
    const tokens = await signInTo(realm, client)
    const answers = await atOnce(pair, 100, (base) => refresh(realm, client, tokens.refresh_token!, base))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const successors = new Set(answers.map(({ body }) => body.refresh_token))
    expect(successors.size).toBe(1)
    expect(successors.has(tokens.refresh_token)).toBe(false)
    expect(await countHeads(client.clientId)).toBe(1)
    const next = await refresh(realm, client, [...successors][0], pair.bases[1])
    expect(next.status).toBe(200)
    expect(await reuses()).toEqual([])
  })

  test('without a grace succeeds once, ends the family and is told', async () => {
    const { realm } = pair
    const strict = await withGrace(0)
    const tokens = await signInTo(realm, strict)
    const answers = await atOnce(pair, 100, (base) => refresh(realm, strict, tokens.refresh_token!, base))
    const successes = answers.filter(({ status }) => status === 200)
    expect(successes).toHaveLength(1)
    for (const base of pair.bases) {
      expect((await refresh(realm, strict, successes[0]!.body.refresh_token, base)).body.error).toBe('invalid_grant')
      expect((await askUserinfo(realm, successes[0]!.body.access_token, base)).status).toBe(401)
    }
    expect(await countHeads(strict.clientId)).toBe(0)
    expect(await reuses()).not.toEqual([])
  })
})

describe('S26: reuse', () => {
  test('in the same moment, without a grace, ends the family', async () => {
    const { realm } = pair
    const strict = await withGrace(0)
    // Several rounds: in most of them both requests have read the token before either has used it.
    for (let round = 0; round < 5; round++) {
      const tokens = await signInTo(realm, strict)
      const answers = await atOnce(pair, 2, (base) => refresh(realm, strict, tokens.refresh_token!, base))
      const successes = answers.filter(({ status }) => status === 200)
      expect(successes).toHaveLength(1)
      expect((await refresh(realm, strict, successes[0]!.body.refresh_token)).body.error).toBe('invalid_grant')
    }
    expect((await reuses()).length).toBeGreaterThanOrEqual(5)
  })

  test('after the grace ends the family on both nodes and is told', async () => {
    const { realm, bases } = pair
    const brief = await withGrace(1)
    const tokens = await signInTo(realm, brief)
    const next = await refresh(realm, brief, tokens.refresh_token!, bases[0])
    await waitSeconds(1.2)
    expect((await refresh(realm, brief, tokens.refresh_token!, bases[1])).body.error).toBe('invalid_grant')
    for (const base of bases) {
      expect((await refresh(realm, brief, next.body.refresh_token, base)).body.error).toBe('invalid_grant')
      expect((await introspect(realm, brief, next.body.access_token, base)).body).toEqual({ active: false })
    }
    const [event] = await reuses()
    expect(event).toMatchObject({ category: 'SECURITY', clientId: brief.clientId, actor: realm.adminId })
  })

  test('without a grace is recognised by a node whose clock is behind, too', async () => {
    const { realm, bases } = pair
    const strict = await withGrace(0)
    const tokens = await signInTo(realm, strict)
    const next = await refresh(realm, strict, tokens.refresh_token!, bases[0])
    second.clock.advance(-2000)
    const again = await refresh(realm, strict, tokens.refresh_token!, bases[1])
    second.clock.advance(2000)
    expect(again.body.error).toBe('invalid_grant')
    expect((await refresh(realm, strict, next.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('of the first token of a long chain ends its head', async () => {
    const { realm, bases } = pair
    const tokens = await signInTo(realm, client)
    let head = tokens.refresh_token!
    for (let at = 0; at < 5; at++) head = (await refresh(realm, client, head, bases[at % 2])).body.refresh_token
    expect((await refresh(realm, client, tokens.refresh_token!)).body.error).toBe('invalid_grant')
    expect((await refresh(realm, client, head)).body.error).toBe('invalid_grant')
  })
})

describe('S26: a family', () => {
  test('ends at its time, however often it is refreshed', async () => {
    const { realm } = pair
    const short = await createClientIn(realm, { refreshTokenLifetimeSeconds: 60, refreshTokenIdleSeconds: 60 })
    const tokens = await signInTo(realm, short)
    await age(short.clientId, 57)
    const next = await refresh(realm, short, tokens.refresh_token!)
    expect(next.status, next.text).toBe(200)
    await waitSeconds(4)
    expect((await refresh(realm, short, next.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('is bound to its client, and a try by another one does not hurt it', async () => {
    const { realm } = pair
    const others = [await createClientIn(realm), await createClientIn(realm, { publicClient: true })]
    const tokens = await signInTo(realm, client)
    for (const other of others) {
      expect((await refresh(realm, other, tokens.refresh_token!)).body.error).toBe('invalid_grant')
    }
    const bare = { ...client, secret: null }
    expect((await refresh(realm, bare, tokens.refresh_token!)).body.error).toBe('invalid_client')
    expect((await refresh(realm, { ...client, secret: 'guess' }, tokens.refresh_token!)).status).toBe(401)
    expect((await refresh(realm, client, tokens.refresh_token!)).status).toBe(200)
  })

  test('a restart neither revives what was used or ended nor loses what is good', async () => {
    const { realm } = pair
    const strict = await withGrace(0)
    const used = await signInTo(realm, strict)
    const good = (await refresh(realm, strict, used.refresh_token!)).body.refresh_token
    const ended = await signInTo(realm, client)
    await requestToken(realm, client, { grant_type: 'refresh_token', refresh_token: ended.refresh_token! })
    const first = realm.node
    const database = { url: first.databaseUrl, adminUrl: first.adminDatabaseUrl }
    const env = { GATEHOUSE_BASE_URL: first.url, GATEHOUSE_WORKER: 'false' }
    const restarted = await startTestNode({ database, env })
    try {
      const next = await refresh(realm, strict, good, restarted.url)
      expect(next.status, next.text).toBe(200)
      expect((await refresh(realm, strict, used.refresh_token!, restarted.url)).body.error).toBe('invalid_grant')
      const again = await startTestNode({ database, env })
      expect((await refresh(realm, strict, next.body.refresh_token, again.url)).body.error).toBe('invalid_grant')
      await again.stop()
    } finally {
      await restarted.stop()
    }
  })
})

/** Moves the beginning of a family into the past, as the engine counts it: by the wall clock. */
async function age(clientId: string, seconds: number): Promise<void> {
  const db = new pg.Client({ connectionString: pair.realm.node.adminDatabaseUrl })
  await db.connect()
  await db.query(
    `update oidc_models set payload = jsonb_set(payload, '{iiat}', to_jsonb((payload->>'iiat')::bigint - $3))
       where realm_id = $1 and client_id = $2 and model = 'RefreshToken'`,
    [pair.realm.realmId, clientId, seconds],
  )
  await db.end()
}
