import { setTimeout as sleep } from 'node:timers/promises'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSigningKey } from '../../src/domain/signing-keys/index.ts'
import {
  api,
  basic,
  createClientIn,
  createRealmFor,
  issuerOf,
  refresh,
  requestToken,
  signInTo,
  startTestNode,
  type TestClient,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { cloneDatabase } from '../harness/node.ts'
import { report, rounds } from './parts.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let nodes: TestNode[]
let realm: TestRealm
let machine: TestClient
let app: TestClient

beforeAll(async () => {
  database = await cloneDatabase()
  const first = await startTestNode({ database })
  const env = { GATEHOUSE_BASE_URL: first.url, GATEHOUSE_WORKER: 'false' }
  nodes = [first, await startTestNode({ database, env })]
  // A key of its own for every rotation: with shared ones a token would verify under the wrong name, too.
  for (const { services } of nodes) Object.assign(services.keySource, { take: makeSigningKey })
  realm = await createRealmFor({ node: first })
  machine = await createClientIn(realm, { grantTypes: ['client_credentials'], redirectUris: [] })
  app = await createClientIn(realm)
}, 60_000)

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await database.drop()
})

/** A relying party that keeps the keys for 300 s and asks again only when it meets one that it does not know. */
function startRelyingParty(base: string) {
  const url = new URL(`${base}/realms/${realm.realmId}/.well-known/jwks.json`)
  const keys = createRemoteJWKSet(url, { cacheMaxAge: 300_000, cooldownDuration: 0 })
  return (token: string) => jwtVerify(token, keys, { issuer: issuerOf(realm) })
}

interface Load {
  tokens: string[]
  failures: string[]
  stop(): Promise<void>
}

/** Makes tokens on both nodes without a pause, each verified by everybody and used at the other node at once. */
function startLoad(parties: ReturnType<typeof startRelyingParty>[]): Load {
  const tokens: string[] = []
  const failures: string[] = []
  let stopped = false
  const check = async (what: string, work: () => Promise<unknown>) => {
    await work().catch((error: Error) => failures.push(`${what}: ${error.message}`))
  }
  const accept = async (token: string) => {
    tokens.push(token)
    await Promise.all(parties.map((verify, at) => check(`relying party ${at}`, () => verify(token))))
  }
  const expectStatus = async (work: Promise<{ status: number; text: string }>) => {
    const { status, text } = await work
    if (status !== 200) throw new Error(`${status} ${text}`)
  }
  const ofMachines = async (here: string, there: string) => {
    while (!stopped) {
      await check('client_credentials', async () => {
        const { body, status } = await requestToken(realm, machine, { grant_type: 'client_credentials' }, here)
        if (status !== 200) throw new Error(`${status}`)
        // Before anybody asks that node for its keys, which would tell it of the new one.
        const form = { token: body.access_token as string }
        const options = { form, headers: basic(machine) }
        const seen = await api(`${there}/realms/${realm.realmId}/introspect`, 'POST', options)
        if (seen.body.active !== true) throw new Error('the other node does not know the token')
        await accept(body.access_token)
      })
    }
  }
  const ofPeople = async (here: string, there: string) => {
    let { refresh_token: head } = await signInTo(realm, app)
    while (!stopped) {
      await check('refresh', async () => {
        const { body, status, text } = await refresh(realm, app, head!, here)
        if (status !== 200) throw new Error(`${status} ${text}`)
        head = body.refresh_token
        await accept(body.access_token)
        await accept(body.id_token)
        const headers = { authorization: `Bearer ${body.access_token}` }
        await expectStatus(api(`${there}/realms/${realm.realmId}/userinfo`, 'GET', { headers }))
      })
    }
  }
  const [first, second] = nodes.map(({ url }) => url) as [string, string]
  const running = [
    ofMachines(first, second),
    ofMachines(second, first),
    ofPeople(first, second),
    ofPeople(second, first),
  ]
  return {
    tokens,
    failures,
    async stop() {
      stopped = true
      await Promise.all(running)
    },
  }
}

test('F27 keys rotated under load on two nodes cut off no token and no relying party, and the signing key stays', async () => {
  const parties = [nodes[0]!.url, nodes[1]!.url, nodes[0]!.url].map(startRelyingParty)
  const load = startLoad(parties)
  const rotations = rounds(10, 50)
  for (let at = 0; at < rotations; at++) {
    await sleep(100)
    const rotated = await realm.call('POST', '/keys/rotate')
    expect(rotated.status, rotated.text).toBe(201)
    const refused = await realm.call('DELETE', `/keys/${rotated.body.keyId}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'key_active'])
  }
  await sleep(500)
  await load.stop()
  const kids = new Set(load.tokens.map((token) => decodeProtectedHeader(token).kid))
  report(
    `F27 ${rotations} rotations, ${load.tokens.length} tokens of ${kids.size} keys, ${load.failures.length} failures`,
  )
  expect(load.failures).toEqual([])
  // Every key but a very short-lived one has signed something.
  expect(kids.size).toBeGreaterThan(rotations / 2)
  // What the first keys signed verifies until it expires, also for somebody who reads the keys only now.
  const late = startRelyingParty(nodes[1]!.url)
  for (const token of load.tokens) await late(token)
  // The signature of a retired key is still good, but it makes no new one.
  const { keys } = (await api(`${issuerOf(realm)}/.well-known/jwks.json`, 'GET')).body as { keys: { kid: string }[] }
  expect(keys).toHaveLength(rotations + 1)
  const active = (await realm.call('GET', '/keys')).body.find((key: { status: string }) => key.status === 'ACTIVE')
  for (const { url } of nodes) {
    const { body } = await requestToken(realm, machine, { grant_type: 'client_credentials' }, url)
    expect(decodeProtectedHeader(body.access_token).kid).toBe(active.keyId)
  }
}, 240_000)
