import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { verify } from '@node-rs/argon2'
import { defaultCost, hashNormalised } from '../../server/src/domain/passwords/hashing.ts'
import { largeRealm, scalePassword, usernameOf } from '../load/index.ts'
import { type Client, cookieHeader, openLoginPage, openPool } from './client.ts'
import { jsonRequest, openPlainConnection, type PlainConnection } from './plain-connection.ts'
import { median, ms, quantile, type Report } from './report.ts'

// Architecture 7: of the bare rate.
const minShare = 0.85
const readMs = 50
// More than the lane is wide, so that it is never empty, and far fewer than its queue holds.
const atOnce = 12
const readEveryMs = 40

export interface SignInRun {
  url: string
  admin: Client
  users: number
  phaseMs: number
  phases: number
}

/** Verifications per second with nothing around them, as many at once as the service's lane is wide. */
async function bareRate(phc: string, phaseMs: number): Promise<number> {
  let done = 0
  const start = performance.now()
  const work = async () => {
    while (performance.now() - start < phaseMs) {
      await verify(phc, scalePassword)
      done++
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return (done * 1000) / (performance.now() - start)
}

// Enough that no two of them sign in at the same moment, few enough that all have done so once before it counts: people come
// back far more often than they come for the first time.
const regulars = 300

/** People who may sign in, one after the other. */
function* people(users: number): Generator<string> {
  const last = Math.min(users, regulars)
  for (let number = 1; ; number = (number % last) + 1)
    if (number % 50 > 0 && number % 200 !== 7) yield usernameOf(number)
}

/** Rates of bare hashing and of sign-ins by turns, with an administrator reading beside the sign-ins. */
export async function measureSignIns(report: Report, run: SignInRun): Promise<void> {
  const pool = openPool(run.url, 1)
  const cookies = await openLoginPage(pool, largeRealm)
  await pool.close()
  const headers = { accept: 'application/json', cookie: cookieHeader(cookies) }
  const _csrf = cookies.get('XSRF-TOKEN')
  const requestOf = (username: string) =>
    jsonRequest(`/realms/${largeRealm}/login`, headers, { username, password: scalePassword, _csrf })
  const connections = await Promise.all(Array.from({ length: atOnce }, () => openPlainConnection(run.url)))
  const names = people(run.users)
  const phc = await hashNormalised(scalePassword, defaultCost)
  const [read] = await firstUserPath(run.admin)
  const rates = { bare: [] as number[], served: [] as number[] }
  const reads: number[] = []
  const signInRate = async (phaseMs: number) => {
    let done = 0
    const start = performance.now()
    const isOver = () => performance.now() - start >= phaseMs
    const work = async (connection: PlainConnection) => {
      while (!isOver()) {
        const answer = await connection.send(requestOf(names.next().value as string))
        if (answer.status !== 200) throw new Error(`a sign-in failed: ${answer.status} ${answer.text.slice(0, 300)}`)
        done++
      }
    }
    const watch = async () => {
      for (; !isOver(); await sleep(readEveryMs)) reads.push(await run.admin.time('GET', read!))
    }
    await Promise.all([watch(), ...connections.map(work)])
    return (done * 1000) / (performance.now() - start)
  }
  await signInRate(run.phaseMs)
  reads.length = 0
  for (let phase = 0; phase < run.phases; phase++) {
    rates.bare.push(await bareRate(phc, run.phaseMs))
    rates.served.push(await signInRate(run.phaseMs))
  }
  for (const connection of connections) connection.close()
  const share = median(rates.served) / median(rates.bare)
  const figure = `${median(rates.served).toFixed(1)}/s : ${median(rates.bare).toFixed(1)}/s = ${share.toFixed(2)}`
  report.check('password sign-ins : bare Argon2id', figure, `>= ${minShare}`, share >= minShare)
  const p95 = quantile(reads, 0.95)
  report.check(
    'an admin read meanwhile',
    `p50 ${ms(median(reads))}  p95 ${ms(p95)}`,
    `p95 < ${readMs} ms`,
    p95 < readMs,
  )
}

async function firstUserPath(admin: Client): Promise<string[]> {
  const answer = await admin.send('GET', `/admin/realms/${largeRealm}/users?size=1`)
  return JSON.parse(answer.text).map((user: { userId: string }) => `/admin/realms/${largeRealm}/users/${user.userId}`)
}
