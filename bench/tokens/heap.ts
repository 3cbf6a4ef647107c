import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { plainRequest } from '../measure/plain-connection.ts'
import type { Generator } from '../generator/index.ts'
import type { Bench, BenchDatabase, Service } from '../measure/server.ts'
import type { Place } from './contender.ts'
import { type OurSizes, startOurService } from './ours.ts'

// Code and caches that every realm shares are there after these.
const firstRealms = 50

/** Heap that one more realm takes once its clients were served, garbage left out, in kilobytes. */
export async function measureHeap(
  bench: Bench,
  generator: Generator,
  { database, sizes, places }: { database: BenchDatabase; sizes: OurSizes; places: Place[] },
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-heap-'))
  const file = join(folder, 'heap')
  const probe = fileURLToPath(new URL('heap-probe.mjs', import.meta.url))
  const service = await startOurService(bench, database, sizes, ['--expose-gc', '--import', probe], {
    BENCH_HEAP_FILE: file,
  })
  try {
    await touch(generator, service.url, places.slice(0, firstRealms))
    const before = await readHeap(service, file)
    await touch(generator, service.url, places.slice(firstRealms))
    const after = await readHeap(service, file)
    return (after - before) / 1024 / (places.length - firstRealms)
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Each realm's keys, a token for its machine, and a question of its other client. */
async function touch(generator: Generator, url: string, places: Place[]): Promise<void> {
  const requests = places.flatMap(({ base, machine, web }) => [
    plainRequest(`${base}/.well-known/jwks.json`, {}),
    plainRequest(`${base}/token`, { authorization: machine }, { grant_type: 'client_credentials' }),
    plainRequest(`${base}/introspect`, { authorization: web }, { token: 'unknown' }),
  ])
  await generator.run({ kind: 'list', url, connections: 8, seconds: 3600, requests, once: true })
}

/** The probe in the process collects garbage and writes the figure when it is asked by a signal. */
async function readHeap(service: Service, file: string): Promise<number> {
  rmSync(file, { force: true })
  process.kill(service.pid, 'SIGUSR2')
  for (let tries = 0; tries < 100; tries++) {
    await sleep(100)
    try {
      return Number(readFileSync(file, 'utf8'))
    } catch {
      // Not written yet.
    }
  }
  throw new Error('the process did not tell its heap')
}
