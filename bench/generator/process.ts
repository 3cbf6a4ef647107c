// The process that sends the load: one closed loop per connection. It is told what to send by bench/generator.
import { setTimeout as sleep } from 'node:timers/promises'
import { openPlainConnection, type PlainConnection, plainRequest } from '../measure/plain-connection.ts'
import { quantile } from '../measure/report.ts'
import type { Chain, Job, ListJob, Outcome, RefreshJob, Reply, SignInJob } from './jobs.ts'
import { walkSignIn } from './sign-in-walk.ts'

/** One piece of work on a connection; false when there is none left. A number is the time it took without the waiting before it. */
type Work = (connection: PlainConnection) => Promise<boolean | number>

function sendList(job: ListJob): Work {
  const requests = job.requests.map((request) => Buffer.from(request))
  let next = 0
  const start = performance.now()
  return async (connection) => {
    if (job.once && next >= requests.length) return false
    const at = next++
    if (job.perSecond) await sleep(Math.max(0, start + (at * 1000) / job.perSecond - performance.now()))
    const sent = performance.now()
    const answer = await connection.send(requests[at % requests.length]!)
    const isRight = answer.status === (job.status ?? 200) && (!job.mustContain || answer.text.includes(job.mustContain))
    if (!isRight) throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`)
    return performance.now() - sent
  }
}

function refreshChains(job: RefreshJob): Work {
  // A chain is used by one connection at a time, as by one application.
  const free = [...job.chains]
  return async (connection) => {
    const chain = free.shift()
    if (!chain && job.once) return false
    if (!chain) throw new Error('there are fewer refresh tokens than connections')
    await refreshChain(connection, chain)
    if (!job.once) free.push(chain)
    return true
  }
}

async function refreshChain(connection: PlainConnection, chain: Chain): Promise<void> {
  const form = { grant_type: 'refresh_token', refresh_token: chain.refreshToken }
  const request = plainRequest(chain.path, { authorization: chain.authorization }, form)
  const answer = await connection.send(Buffer.from(request))
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`)
  const tokens = JSON.parse(answer.text) as { access_token: string; refresh_token: string }
  if (tokens.refresh_token === chain.refreshToken) throw new Error('the refresh token was not rotated')
  chain.refreshToken = tokens.refresh_token
  chain.accessToken = tokens.access_token
}

function signInPeople(job: SignInJob): Work {
  let next = 0
  return async (connection) => {
    await walkSignIn(connection, job, job.people[next++ % job.people.length]!)
    return true
  }
}

function workOf(job: Job): Work {
  if (job.kind === 'list') return sendList(job)
  return job.kind === 'refresh' ? refreshChains(job) : signInPeople(job)
}

async function run(job: Job): Promise<Outcome> {
  // Opened for each run: servers close connections that were idle while another one was measured.
  const connections = await Promise.all(Array.from({ length: job.connections }, () => openPlainConnection(job.url)))
  const work = workOf(job)
  const times: number[] = []
  const start = performance.now()
  const loop = async (connection: PlainConnection) => {
    for (;;) {
      const before = performance.now()
      if (before - start >= job.seconds * 1000) return
      const done = await work(connection)
      if (done === false) return
      times.push(done === true ? performance.now() - before : done)
    }
  }
  try {
    await Promise.all(connections.map(loop))
  } finally {
    for (const connection of connections) connection.close()
  }
  const perSecond = (times.length * 1000) / (performance.now() - start)
  const chains = job.kind === 'refresh' ? job.chains : []
  return { done: times.length, perSecond, p50: quantile(times, 0.5), p99: quantile(times, 0.99), chains }
}

process.on('message', (job: Job) => {
  const reply = (message: Reply) => process.send!(message)
  run(job).then(
    (outcome) => reply({ outcome }),
    (error: unknown) => reply({ failure: error instanceof Error ? error.message : String(error) }),
  )
})
// Whoever started it is gone.
process.once('disconnect', () => process.exit(0))
