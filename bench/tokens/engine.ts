import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { basicOf, type Contender, type Place } from './contender.ts'
import type { Supply } from './engine-process.ts'

/** The bare engine as a contender: in memory, or on a database of its own. */
export async function startEngine(name: string, databaseUrl?: string): Promise<Contender> {
  const path = fileURLToPath(new URL('engine-process.ts', import.meta.url))
  const child = fork(path, databaseUrl ? [databaseUrl] : [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the process of ${name} ended`)
  })
  ended.catch(() => {})
  const receive = async <T>() => (await Promise.race([once(child, 'message'), ended]))[0] as T
  const { url, secrets } = await receive<{ url: string; secrets: { machine: string; web: string } }>()
  const place: Place = { base: '', machine: basicOf('machine', secrets.machine), web: basicOf('web', secrets.web) }
  const ask = <T>(supply: Supply) => {
    child.send(supply)
    return receive<T[]>()
  }
  return {
    name,
    url,
    pid: child.pid!,
    places: [place],
    chains: [],
    async makeCodes(count) {
      const codes = await ask<{ code: string; verifier: string }>({ what: 'codes', count })
      return codes.map((code) => ({ place, ...code }))
    },
    async makeTokens(count) {
      return (await ask<string>({ what: 'tokens', count })).map((token) => ({ place, token }))
    },
    async stop() {
      if (child.exitCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}
