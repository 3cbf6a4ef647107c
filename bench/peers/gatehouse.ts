import { loadScale, scalePassword, smallRealm, usernameOf } from '../load/index.ts'
import type { Bench } from '../measure/server.ts'
import { makePlaces } from '../tokens/ours.ts'
import type { Peer } from './peer.ts'

const people = 50

/** Ours with two processes, a realm with a hundred people, and the two clients. */
export async function startGatehouse(bench: Bench): Promise<Peer> {
  const database = await bench.createDatabase('gatehouse')
  const sizes = { realms: 2, users: 0, events: 0 }
  await loadScale({ adminUrl: database.adminUrl, sizes, masterKeys: bench.masterKeys })
  const service = await bench.startService(database, { env: { GATEHOUSE_PROCESSES: '2' } })
  const [place] = await makePlaces(service, [smallRealm])
  const base = `/realms/${smallRealm}`
  // Those that the loader disabled or locked are left out.
  const numbers = Array.from({ length: 100 }, (_, at) => at + 1).filter(
    (number) => number % 50 > 0 && number % 200 !== 7,
  )
  return {
    name: 'Gatehouse',
    url: service.url,
    paths: {
      authorization: `${base}/authorize`,
      token: `${base}/token`,
      introspection: `${base}/introspect`,
      userinfo: `${base}/userinfo`,
      jwks: `${base}/.well-known/jwks.json`,
    },
    machine: place!.machine,
    web: place!.web,
    people: numbers.slice(0, people).map((number) => ({ username: usernameOf(number), password: scalePassword })),
    chains: [],
    stop: () => service.stop(),
  }
}
