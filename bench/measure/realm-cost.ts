import { realmName, smallRealm } from '../load/index.ts'
import type { Client } from './client.ts'
import { median, ms, type Report } from './report.ts'

// The bound: a request may cost a tenth more with 10,000 realms.
const maxRatio = 1.1
const warmUps = 30

interface Side {
  client: Client
  path: string
}

async function findUser(client: Client): Promise<string> {
  const answer = await client.send('GET', `/admin/realms/${smallRealm}/users?size=1`)
  return `/admin/realms/${smallRealm}/users/${JSON.parse(answer.text)[0].userId}`
}

/** One request here, one there, then in the other order: what else the machine does then hits both alike. */
async function alternate(one: Side, many: Side, rounds: number, send: (side: Side, round: number) => Promise<number>) {
  const times = { one: [] as number[], many: [] as number[] }
  for (let round = -warmUps; round < rounds; round++) {
    const order = round % 2 === 0 ? (['one', 'many'] as const) : (['many', 'one'] as const)
    for (const name of order) {
      const took = await send(name === 'one' ? one : many, round)
      if (round >= 0) times[name].push(took)
    }
  }
  return { one: median(times.one), many: median(times.many) }
}

export async function measureRealmCost(
  report: Report,
  clients: { one: Client; many: Client },
  { realms, rounds }: { realms: number; rounds: number },
): Promise<void> {
  const one = { client: clients.one, path: await findUser(clients.one) }
  const many = { client: clients.many, path: await findUser(clients.many) }
  const say = (what: string, times: { one: number; many: number }) => {
    const ratio = times.many / times.one
    const figure = `${times.one.toFixed(2)} : ${times.many.toFixed(2)} ms = ${ratio.toFixed(2)}`
    report.check(`${what}, 1 realm : ${realms} realms (p50)`, figure, `<= ${maxRatio}`, ratio <= maxRatio)
  }
  say('admin read', await alternate(one, many, rounds, ({ client, path }) => client.time('GET', path)))
  say(
    'admin write',
    await alternate(one, many, rounds, ({ client, path }, round) =>
      client.time('PATCH', path, { locale: round % 4 < 2 ? 'en' : 'de' }),
    ),
  )
  await tellSpread(report, clients.many, realms)
}

/** Every request to another realm: what it costs to read a realm's configuration for the first time, and then again. */
async function tellSpread(report: Report, client: Client, realms: number): Promise<void> {
  const count = Math.min(1000, realms - 3)
  const times: number[][] = [[], []]
  for (const round of times)
    for (let number = 0; number < count; number++)
      round.push(await client.time('GET', `/admin/realms/${realmName(number)}/users?size=1`))
  const [first, again] = times.map((round) => median(round))
  report.tell(`a list in each of ${count} realms, first time and again (p50)`, `${ms(first!)}  ${ms(again!)}`)
}

/** Realms made over HTTP, four at a time. */
export async function measureRealmCreation(report: Report, client: Client, count: number): Promise<void> {
  const limitSeconds = (60 * count) / 1000
  const waiting = Array.from({ length: count }, (_, number) => `made-${number}`)
  const start = performance.now()
  const work = async () => {
    for (let name = waiting.pop(); name; name = waiting.pop()) await client.time('POST', '/admin/realms', { name })
  }
  await Promise.all([work(), work(), work(), work()])
  const seconds = (performance.now() - start) / 1000
  const figure = `${seconds.toFixed(1)} s, ${(count / seconds).toFixed(1)} per second`
  report.check(`${count} realms created over HTTP`, figure, `< ${limitSeconds} s`, seconds < limitSeconds)
}
