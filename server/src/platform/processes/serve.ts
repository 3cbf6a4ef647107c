// One serving process: alone, or as one of several under the supervisor.
import cluster from 'node:cluster'
import { indexVariable, isOurs, type ToSupervisor } from './messages.ts'
import type { SuperviseOptions } from './options.ts'
import { onShutdown, stopWithin } from './shutdown.ts'

export async function serveAlone({ startWorker, log, graceMs }: SuperviseOptions): Promise<number> {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const release = onShutdown((signal) => {
    log.info({ signal }, 'Stopping')
    resolve()
  })
  try {
    const started = await startWorker({ index: 0, processes: 1 })
    await asked
    return await stopWithin(() => started.stop(), graceMs, log)
  } catch (err) {
    log.fatal({ err }, 'The service cannot start')
    return 1
  } finally {
    release()
  }
}

export async function serveSupervised({ startWorker, log, graceMs, processes }: SuperviseOptions): Promise<number> {
  const index = Number(process.env[indexVariable])
  const { promise: asked, resolve } = Promise.withResolvers<'asked' | 'orphaned'>()
  // systemd and terminals signal every process of the group, so that the signal may come before the supervisor's word.
  onShutdown(() => resolve('asked'))
  process.on('message', (message) => {
    if (isOurs(message) && message.gatehouse === 'stop') resolve('asked')
  })
  // Without the supervisor there is no listener any more: staying would only hold connections to the database. Node would
  // exit on the spot unless it believes the parting was meant, and requests in flight would be lost.
  if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true
  process.once('disconnect', () => resolve('orphaned'))
  try {
    const started = await startWorker({ index, processes })
    tellSupervisor({ gatehouse: 'ready' })
    const reason = await asked
    if (reason === 'orphaned') log.error({ index }, 'The supervisor is gone, stopping')
    const code = await stopWithin(() => started.stop(), graceMs, log)
    return reason === 'orphaned' ? 1 : code
  } catch (err) {
    log.fatal({ err, index }, 'A serving process cannot start')
    return 1
  }
}

export function tellSupervisor(message: ToSupervisor): void {
  // A supervisor that just ended makes `send` fail; the `disconnect` event then does the rest.
  if (cluster.worker?.isConnected()) cluster.worker.send(message, () => {})
}
