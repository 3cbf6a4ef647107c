// A small program with several serving processes, started by the test beside it.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '../log/index.ts'
import { createMetrics } from '../metrics/index.ts'
import { createMetricsCollector, runSupervised } from './index.ts'

const { PORT = '0', PROCESSES = '1', FAIL_START = '' } = process.env
// Long enough that a stop surely meets the request in flight.
const slowMs = 400

async function startWorker({ index }: { index: number }) {
  if (FAIL_START === String(index)) throw new Error('told not to start')
  const metrics = createMetrics({ maxRealms: 10 })
  const collectMetrics = createMetricsCollector(metrics)
  const answer = async (url: string | undefined) => {
    if (url === '/exit') process.exit(7)
    if (url === '/count') metrics.tokenIssued('acme')
    if (url === '/slow') await sleep(slowMs)
    return url === '/metrics' ? collectMetrics() : JSON.stringify({ pid: process.pid, index })
  }
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close')
    void answer(request.url).then((text) => response.end(text))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(Number(PORT), '127.0.0.1', resolve)
  })
  return { stop: () => new Promise<void>((resolve) => void server.close(() => resolve())) }
}

const log = createLog({ level: 'info' })
process.exit(await runSupervised({ processes: Number(PROCESSES), startWorker, log, graceMs: 5000 }))
