import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureBuilt } from '../faults/built-node.ts'
import { createRealmFor, type TestRealm } from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'

/** Guides whose commands are run in one shell, page after page, as a reader has it. */
const guides = [
  ['docs/start/admin-api.md'],
  [
    'README',
    'sign-in-web-app',
    'single-page-app',
    'machine-client',
    'private-key-jwt',
    'dpop',
    'fapi',
    'tokens',
    'device',
    'devices',
    'ciba',
    'register-clients',
    'password-grant',
    'token-exchange',
    'client-documents',
    'mcp',
    'transactions',
  ].map((page) => `docs/integrate/${page}.md`),
  ['README', 'machine-client', 'debugging'].map((page) => `docs/integrate/${page}.md`),
  ['README', 'account-api'].map((page) => `docs/integrate/${page}.md`),
  ['docs/integrate/README.md', 'docs/operate/data-subject-requests.md'],
]

/** Where the command `gatehouse` is, as npm links it. */
const programs = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url))

interface Step {
  command: string
  /** The block that follows a command is what it prints. */
  expected: { kind: string; text: string }
}

function readSteps(markdown: string): Step[] {
  const blocks = [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind, text]) => ({
    kind: kind!,
    text: text!,
  }))
  return blocks.flatMap((block, at) =>
    block.kind === 'bash' ? [{ command: block.text, expected: blocks[at + 1]! }] : [],
  )
}

/** What differs from run to run becomes a word. */
function normalise(text: string, base: string, realmId: string): string {
  return text
    .replaceAll(base, 'http://127.0.0.1:8080')
    .replaceAll(realmId, 'demo')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'an-id')
    .replace(/\b[0-9a-f]{32}\b/g, 'a-trace')
    .replace(/\b1[0-9]{12}\b/g, '1')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'a-time')
    .replace(/curl\/[\d.]+/g, 'curl')
    .trim()
}

/** One shell for all blocks: functions and variables of one are there in the next. */
function runBlocks(steps: Step[], realm: TestRealm, folder: string): Promise<void> {
  const script = steps.map(({ command }, at) => `{\n${command}} >out.${at} 2>&1`).join('\n')
  const PATH = [programs, process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH, BASE: realm.node.url, REALM: realm.realmId, ADMIN_PASSWORD: adminPassword }
  const shell = spawn('bash', ['-eu', '-o', 'pipefail', '-c', script], { cwd: folder, env })
  return new Promise((resolve, reject) => {
    let complaints = ''
    shell.stderr.on('data', (chunk: Buffer) => (complaints += String(chunk)))
    shell.once('error', reject)
    shell.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`a command of the guide ended with ${code} ${complaints}`))
    })
  })
}

describe.each(guides.map((pages) => ({ pages, name: pages.join(', ') })))('$name', ({ pages }) => {
  const steps = pages.flatMap((page) => readSteps(readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8')))
  let realm: TestRealm
  let folder: string
  let outputs: string[]

  beforeAll(async () => {
    await ensureBuilt()
    realm = await createRealmFor()
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-guide-'))
    await runBlocks(steps, realm, folder)
    outputs = steps.map((_, at) => readFileSync(join(folder, `out.${at}`), 'utf8'))
  }, 60_000)

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('follows every command with what it prints', () => {
    expect(steps.length).toBeGreaterThan(5)
    for (const { command, expected } of steps) expect(['json', 'text'], command).toContain(expected.kind)
  })

  test.each(steps.map((step, at) => ({ ...step, at, name: step.command.trim().split('\n').at(-1)!.trim() })))(
    'prints what it says: $name',
    ({ at, expected }) => {
      // JSON is compared as JSON, because the guide shows it indented.
      const read = (text: string): unknown => {
        const plain = normalise(text, realm.node.url, realm.realmId)
        return expected.kind === 'json' ? JSON.parse(plain) : plain
      }
      expect(read(outputs[at]!)).toEqual(read(expected.text))
    },
  )
})
