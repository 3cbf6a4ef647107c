import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { pageAssets } from '../../src/pages/index.ts'
import { darkPalette, lightPalette } from '../../src/pages/styles/palettes.ts'

const doc = await readFile(new URL('../../../docs/integrate/theming.md', import.meta.url), 'utf8')
const styleSheet = [...pageAssets].find(([name]) => name.endsWith('.css'))?.[1].body.toString() ?? ''

test('the theming page lists every CSS variable of the style sheet', () => {
  const variables = new Set([...styleSheet.matchAll(/(--gh-[\w-]+):/g)].map(([, name]) => name))
  for (const name of variables) expect(doc).toContain(`| \`${name}\` |`)
})

test('the theming page gives the colours as they are', () => {
  for (const [name, light] of Object.entries(lightPalette)) {
    expect(doc).toContain(`| \`${name}\` | \`${light}\` | \`${darkPalette[name as keyof typeof darkPalette]}\` |`)
  }
})

test('the theming page names only classes that exist', () => {
  const classes = [...doc.matchAll(/`\.(gh-[\w-]+)`/g)].map(([, name = '']) => name)
  for (const name of classes.filter((name) => !/^gh-(?:page|narrow|main|footer-note)/.test(name))) {
    expect(styleSheet).toContain(`.${name}`)
  }
})
