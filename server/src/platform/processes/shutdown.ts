// Stopping: signals turned into one call, and a limit on how long it may take.
import type { Log } from '../log/index.ts'

// A terminal and npm both pass Ctrl-C on, so that one key press may arrive twice within moments.
const doubledSignalMs = 1000

// Calls the handler once at the first SIGTERM or SIGINT; a later signal ends the process at once. Returns how to take it back.
export function onShutdown(handler: (signal: NodeJS.Signals) => void): () => void {
  let firstAt: number | null = null
  const listener = (signal: NodeJS.Signals): void => {
    if (firstAt === null) {
      firstAt = performance.now()
      handler(signal)
    } else if (performance.now() - firstAt > doubledSignalMs) process.exit(1)
  }
  process.on('SIGTERM', listener)
  process.on('SIGINT', listener)
  return () => {
    process.off('SIGTERM', listener)
    process.off('SIGINT', listener)
  }
}

// Answers the exit code: 0 when everything was put away in time.
export async function stopWithin(stop: () => Promise<void>, graceMs: number, log: Log): Promise<number> {
  const { promise: timeout, resolve } = Promise.withResolvers<number>()
  const timer = setTimeout(() => {
    log.error({ graceMs }, 'Stopping took too long, giving up')
    resolve(1)
  }, graceMs)
  const stopped = stop().then(
    () => 0,
    (err: unknown) => {
      log.error({ err }, 'Stopping failed')
      return 1
    },
  )
  const code = await Promise.race([stopped, timeout])
  clearTimeout(timer)
  return code
}
