// docs/reference/conformance.md against the tests: every module that passes has a test of its name, and every test its row.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('.', import.meta.url))
const table = readFileSync(new URL('../../../docs/reference/conformance.md', import.meta.url), 'utf8')

interface Row {
  module: string
  result: string
  file: string
}

const cell = (text: string | undefined) => (text ?? '').trim().replaceAll('`', '')
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Module'))
  .map((line): Row => {
    const [, module, result, file] = line.split('|')
    return { module: cell(module), result: cell(result), file: cell(file) }
  })

/** Where each module is tested. */
const tested = new Map(
  globSync('*.test.ts', { cwd: folder }).flatMap((file) => {
    const names = readFileSync(folder + file, 'utf8').matchAll(/^\s*test\('(oidcc-[\w-]+)[:']/gm)
    return [...names].map((name): [string, string] => [name[1]!, file])
  }),
)

const passing = rows.filter((row) => row.result.startsWith('passes'))

test('every module that passes is tested by its name where the table says', () => {
  expect(passing.length).toBeGreaterThan(50)
  expect(passing.map((row) => [row.module, row.file])).toEqual(
    passing.map((row) => [row.module, tested.get(row.module)]),
  )
})

test('every tested module is in the table, once', () => {
  const listed = passing.map((row) => row.module)
  expect(listed.toSorted()).toEqual([...tested.keys()].toSorted())
})

test('whatever does not pass is not applicable, and the table says why', () => {
  for (const { module, result, file } of rows.filter((row) => !passing.includes(row))) {
    expect(result, module).toMatch(/^not applicable: \w+/)
    expect(file, module).toBe('')
  }
})
