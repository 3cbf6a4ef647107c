// docs/reference/conformance.md against the tests: every module or line that passes has a test of its name, and every test its row.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../', import.meta.url))
const document = readFileSync(new URL('../../../docs/reference/conformance.md', import.meta.url), 'utf8')

interface Row {
  module: string
  result: string
  file: string
  /** Where a test has a name of its own, and not that of the row. */
  title: string
}

const cell = (text: string | undefined) => (text ?? '').trim().replaceAll('`', '')

/** The rows of all tables whose first column is called so, without those in between. */
function readRows(column: string, skipped = 0): Row[] {
  const tables = document.matchAll(new RegExp(`^\\| ${column} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`, 'gm'))
  return [...tables].flatMap(([, text]) =>
    text!
      .trim()
      .split('\n')
      .map((line): Row => {
        const [, module, ...rest] = line.split('|').map(cell)
        const [result, test] = rest.slice(skipped)
        const [file, ...title] = test!.split(': ')
        return { module: module!, result: result!, file: file!, title: title.join(': ') }
      }),
  )
}

const isPassing = ({ result }: Row) => result.startsWith('passes')

/** Names at the beginning of tests, each with the file that has it. A module of several plans is tested once for each. */
function findTested(files: string, name: RegExp): string[] {
  const found = globSync(files, { cwd: folder }).flatMap((file) => {
    const titles = readFileSync(folder + file, 'utf8').matchAll(/^\s*(?:test|\]\))\('([^':]+)[:']/gm)
    const names = [...titles].flatMap(([, title]) => title!.split(' ')).filter((word) => name.test(word))
    return names.map((word) => `${word} in ${file}`)
  })
  return [...new Set(found)].toSorted()
}

const modules = readRows('Module')
const lines = readRows('Line', 1)

describe.each([
  {
    what: 'module',
    rows: modules.map((row) => ({ ...row, file: row.file && `conformance/${row.file}` })),
    tested: findTested('conformance/*.test.ts', /^(oidcc|fapi2?)-/),
  },
  {
    what: 'line',
    rows: lines.filter(({ title }) => title === ''),
    tested: findTested('relying-parties/*.test.ts', /^mcp-/),
  },
])('every $what', ({ rows, tested }) => {
  test('that passes is tested by its name where the table says, and what is tested is in the table, once', () => {
    const passing = rows.filter(isPassing).map(({ module, file }) => `${module} in ${file}`)
    expect(passing.length).toBeGreaterThan(50)
    expect(passing.toSorted()).toEqual(tested)
  })
})

test('whatever is proven by a test of another name has that test', () => {
  for (const { module, result, file, title } of lines.filter((row) => row.title !== '')) {
    expect(result, module).toMatch(/^passes/)
    expect(readFileSync(folder + file, 'utf8'), module).toContain(`('${title}', `)
  }
})

test('whatever does not pass is not applicable, and the table says why', () => {
  for (const { module, result, file } of [...modules, ...lines].filter((row) => !isPassing(row))) {
    expect(result, module).toMatch(/^not applicable: \w+/)
    expect(file, module).toBe('')
  }
})
