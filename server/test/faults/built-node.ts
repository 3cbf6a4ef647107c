// The service as it is shipped, in processes of its own: what `gatehouse serve` does under signals and under load.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, globSync, rmSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { api } from '../harness/index.ts'
import { systemPassword } from '../harness/node.ts'
import { findSparePort, isAlive } from '../services/index.mjs'
import { waitUntil } from './parts.ts'

const server = fileURLToPath(new URL('../..', import.meta.url))
const program = join(server, 'bin', 'gatehouse.js')
const masterKey = randomBytes(32).toString('base64')

function isBuilt(): boolean {
  const built = join(server, 'dist', 'app', 'cli.js')
  const builtAt = existsSync(built) ? statSync(built).mtimeMs : 0
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: server }).filter((file) => !/\.(test|fixture)\.tsx?$/.test(file))
  return sources.every((file) => statSync(join(server, file)).mtimeMs <= builtAt)
}

/** Builds when a source is newer than what was built from it; `npm run check` has built already. */
export async function ensureBuilt(): Promise<void> {
  if (isBuilt()) return
  // Test processes run side by side: one of them builds, the others wait for it.
  const lock = join(tmpdir(), `gatehouse-build-${createHash('sha256').update(server).digest('hex').slice(0, 16)}`)
  const mine = await mkdir(lock).then(
    () => true,
    () => false,
  )
  if (!mine) return void (await waitUntil(() => !existsSync(lock), 120_000))
  try {
    await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: server })
  } finally {
    rmSync(lock, { recursive: true })
  }
}

export interface BuiltNode {
  port: number
  url: string
  process: ChildProcess
  pid: number
  output(): string
  /** Asks it to stop and answers the exit code. */
  terminate(): Promise<number | null>
}

export interface BuiltNodeOptions {
  database: { url: string; adminUrl: string }
  env?: Record<string, string>
}

/** Resolves once readiness is UP. */
export async function startBuiltNode({ database, env = {} }: BuiltNodeOptions): Promise<BuiltNode> {
  const port = env.GATEHOUSE_PORT ? Number(env.GATEHOUSE_PORT) : await findSparePort()
  const url = `http://127.0.0.1:${port}`
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd: server,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH,
      HOME,
      GATEHOUSE_BASE_URL: url,
      GATEHOUSE_PORT: String(port),
      GATEHOUSE_DATABASE_URL: database.url,
      GATEHOUSE_DATABASE_ADMIN_URL: database.adminUrl,
      GATEHOUSE_DATABASE_PREPARED: String(inject('pooler')?.prepared ?? true),
      GATEHOUSE_MASTER_KEYS: `test:${masterKey}`,
      GATEHOUSE_BOOTSTRAP_ADMIN_PASSWORD: systemPassword,
      GATEHOUSE_LOG_LEVEL: 'warn',
      ...env,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream!.on('data', (chunk) => (output = (output + chunk).slice(-50_000)))
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  await waitUntil(async () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the node ended: ${output}`)
    const answer = await api(`${url}/monitoring/health/readiness`, 'GET').catch(() => null)
    return answer?.status === 200
  }, 60_000)
  return {
    port,
    url,
    process: child,
    pid: child.pid!,
    output: () => output,
    terminate() {
      if (isAlive(child.pid!)) child.kill('SIGTERM')
      return exited
    },
  }
}
