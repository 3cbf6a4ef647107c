import type { Pool } from 'undici'
import { loadScale, realmName, scalePassword, smallRealm, systemRealm, usernameOf } from '../load/index.ts'
import {
  type Client,
  connectAdmin,
  cookieHeader,
  keepCookies,
  openLoginPage,
  openPool,
  signIn,
} from '../measure/client.ts'
import type { Bench, BenchDatabase, Service } from '../measure/server.ts'
import {
  basicOf,
  type Code,
  type Contender,
  forEach,
  makePkce,
  type Place,
  redirectUri,
  requestedScope,
} from './contender.ts'

export interface OurSizes {
  realms: number
  /** How many of them are asked; without any, one realm with several people. */
  hot: number
}

// Enough that no connection waits for another one's refresh token, few enough that all signed in within a second or two.
const peopleInOneRealm = 60
// A Provider with its clients, with room to spare: a realm that is hot must not fall out of the cache.
const bytesPerHotRealm = 400_000
const atOnce = 8

/** Somebody who signed in and whom authorize therefore answers at once. */
interface Visitor {
  realm: string
  place: Place
  cookie: string
}

export interface Ours extends Contender {
  service: Service
}

export async function loadOurs(bench: Bench, { realms }: OurSizes): Promise<BenchDatabase> {
  const database = await bench.createDatabase('ours')
  const sizes = { realms: Math.max(2, realms), users: 0, events: 0 }
  await loadScale({ adminUrl: database.adminUrl, sizes, masterKeys: bench.masterKeys })
  return database
}

export const hotRealms = ({ hot }: OurSizes) =>
  hot > 0 ? Array.from({ length: hot }, (_, number) => realmName(number)) : [smallRealm]

export function startOurService(
  bench: Bench,
  database: BenchDatabase,
  sizes: OurSizes,
  nodeArguments: string[] = [],
  env = {},
) {
  const snapshotBytes = Math.max(64 << 20, sizes.hot * bytesPerHotRealm)
  return bench.startService(database, {
    nodeArguments,
    env: { GATEHOUSE_SNAPSHOT_BYTES: String(snapshotBytes), ...env },
  })
}

/** Both clients in every realm that is asked. */
export async function makePlaces(service: Service, realms: string[]): Promise<Place[]> {
  const admin = await connectAdmin(service.url, systemRealm, scalePassword)
  const places: Place[] = []
  await forEach(realms, atOnce, async (realm, at) => {
    const machine = await makeClient(admin, realm, { clientId: 'machine', grantTypes: ['client_credentials'] })
    const web = await makeClient(admin, realm, { clientId: 'web', redirectUris: [redirectUri] })
    places[at] = { base: `/realms/${realm}`, machine: basicOf('machine', machine), web: basicOf('web', web) }
  })
  await admin.close()
  return places
}

async function makeClient(admin: Client, realm: string, client: Record<string, unknown>): Promise<string> {
  const answer = await admin.send('POST', `/admin/realms/${realm}/clients`, client)
  if (answer.status !== 201) throw new Error(`${realm}: ${answer.status} ${answer.text}`)
  return JSON.parse(answer.text).secret
}

/** People of one realm, or the administrator of each of many. */
function peopleOf(sizes: OurSizes): { realm: string; username: string }[] {
  if (sizes.hot > 0) return hotRealms(sizes).map((realm) => ({ realm, username: 'admin' }))
  // Those that the loader disabled or locked are left out.
  const numbers = Array.from({ length: 100 }, (_, at) => at + 1).filter(
    (number) => number % 50 > 0 && number % 200 !== 7,
  )
  return numbers.slice(0, peopleInOneRealm).map((number) => ({ realm: smallRealm, username: usernameOf(number) }))
}

async function signInPeople(pool: Pool, sizes: OurSizes, places: Place[]): Promise<Visitor[]> {
  const byBase = new Map(places.map((place) => [place.base, place]))
  const visitors: Visitor[] = []
  await forEach(peopleOf(sizes), atOnce, async ({ realm, username }, at) => {
    const cookies = await openLoginPage(pool, realm)
    const answer = await signIn(pool, cookies, realm, username, scalePassword)
    if (answer.status !== 200) throw new Error(`${username} cannot sign in: ${answer.status} ${answer.text}`)
    keepCookies(cookies, answer.headers)
    visitors[at] = { realm, place: byBase.get(`/realms/${realm}`)!, cookie: cookieHeader(cookies) }
  })
  return visitors
}

async function authorize(pool: Pool, { place, cookie }: Visitor): Promise<Code> {
  const { verifier, challenge } = makePkce()
  const query = new URLSearchParams({
    client_id: 'web',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: requestedScope,
    state: 'state',
    nonce: 'nonce',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  const answer = await pool.request({ method: 'GET', path: `${place.base}/authorize?${query}`, headers: { cookie } })
  await answer.body.dump()
  const code = new URL(String(answer.headers.location), 'http://nowhere').searchParams.get('code')
  if (!code) throw new Error(`no code: ${answer.statusCode} ${answer.headers.location}`)
  return { place, code, verifier }
}

export async function startOurs(
  bench: Bench,
  database: BenchDatabase,
  sizes: OurSizes,
  nodeArguments: string[],
): Promise<Ours> {
  const service = await startOurService(bench, database, sizes, nodeArguments)
  const places = await makePlaces(service, hotRealms(sizes))
  const pool = openPool(service.url, atOnce)
  const visitors = await signInPeople(pool, sizes, places)
  const ours: Ours = {
    name: 'ours',
    url: service.url,
    pid: service.pid,
    service,
    places,
    chains: [],
    async makeCodes(count) {
      const codes: Code[] = []
      const some = Array.from({ length: count }, (_, at) => visitors[at % visitors.length]!)
      await forEach(some, atOnce, async (visitor, at) => void (codes[at] = await authorize(pool, visitor)))
      return codes
    },
    async makeTokens() {
      const byPath = new Map(places.map((place) => [`${place.base}/token`, place]))
      return ours.chains.map(({ path, accessToken }) => ({ place: byPath.get(path)!, token: accessToken }))
    },
    async stop() {
      await pool.close()
      await service.stop()
    },
  }
  return ours
}
