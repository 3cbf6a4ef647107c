// Loaded into a service before it starts: on SIGUSR2 it collects garbage and writes how much of the heap is in use.
import { renameSync, writeFileSync } from 'node:fs'

process.on('SIGUSR2', () => {
  // Twice: what the first collection finalises, the second one frees.
  globalThis.gc?.()
  globalThis.gc?.()
  const file = process.env.BENCH_HEAP_FILE ?? ''
  writeFileSync(`${file}.part`, String(process.memoryUsage().heapUsed))
  renameSync(`${file}.part`, file)
})
