// `npm run check`: everything a change must pass, exactly what CI runs. `npm run check -- lint tests` runs some steps.
// Every step runs even when an earlier one failed, so that one run shows all that is wrong.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findUndocumented } from './dependencies.mjs'
import { generate, generators } from './generate.mjs'
import { findViolations, readSources } from './import-rules.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
// Also when started without npm: the tools and the pinned Node come first.
process.env.PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)

/** Totals of the tests; a file that could not be loaded counts as one failure. */
const totals = { passed: 0, failed: 0 }

/** @type {Record<string, () => Promise<void>>} a step fails by throwing */
const steps = {
  format: () => run('biome', ['format', '.']),
  lint: () => run('oxlint', ['--type-aware', '--deny-warnings']),
  types: () => run('tsc', ['-p', 'server']),
  imports: async () => failOn(findViolations(readSources(join(root, 'server', 'src')))),
  dependencies: async () => failOn(findUndocumented(root)),
  build: () => run('npm', ['run', '--silent', 'build']),
  generated: checkGenerated,
  tests: runTests,
}

/** @param {string[]} lines */
function failOn(lines) {
  if (lines.length > 0) throw new Error(lines.join('\n'))
}

/** @param {string} command @param {string[]} args @param {{show?: boolean, cwd?: string}} [options] */
function run(command, args, { show = false, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve(undefined) : reject(new Error(output || `${command} ended with ${code}`)),
    )
  })
}

/** Files made from the code must be committed as they come out of the generators. */
async function checkGenerated() {
  const files = generators.flatMap((generator) => generator.files)
  const read = () => files.map((file) => readFileOrNothing(join(root, file)))
  const before = read()
  await generate()
  const after = read()
  failOn(
    files
      .filter((_, index) => before[index] !== after[index])
      .map((file) => `${file} was stale: commit what is there now`),
  )
}

/** @param {string} path */
function readFileOrNothing(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

async function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-check-'))
  const report = join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  try {
    const failure = await run('vitest', ['run', ...reporters], { show: true, cwd: join(root, 'server') }).catch(
      (error) => error,
    )
    const result = JSON.parse(readFileSync(report, 'utf8'))
    totals.passed = result.numPassedTests
    const brokenFiles = result.testResults.filter(
      (/** @type {{status: string, assertionResults: unknown[]}} */ file) =>
        file.status === 'failed' && file.assertionResults.length === 0,
    )
    totals.failed = result.numFailedTests + brokenFiles.length
    const left = result.numPendingTests + result.numTodoTests
    if (left > 0) throw new Error(`${left} tests were skipped: a test runs or is removed`)
    if (result.numPassedTests === 0) throw new Error('no test ran')
    if (failure) throw new Error('tests failed')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in steps))
if (unknown.length > 0) throw new Error(`no step ${unknown.join(', ')}; there are: ${Object.keys(steps).join(', ')}`)

const failed = []
for (const [name, step] of Object.entries(steps)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const start = performance.now()
  const error = await step().then(
    () => null,
    (/** @type {Error} */ reason) => reason,
  )
  if (error) {
    failed.push(name)
    console.error(error.message.trimEnd())
  }
  console.log(`${error ? 'FAILED' : 'ok    '} ${name} ${((performance.now() - start) / 1000).toFixed(1)} s`)
}

if (failed.length > 0) console.log(`failed steps: ${failed.join(', ')}`)
if (asked.length === 0 || asked.includes('tests')) console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exitCode = failed.length > 0 ? 1 : 0
