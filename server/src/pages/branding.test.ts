import { describe, expect, test } from 'vitest'
import { contrastRatio, parseHexColor } from '../domain/branding/index.ts'
import { renderThemeCss, themeUsesDataImages } from './index.ts'
import { darkPalette, lightPalette } from './styles/palettes.ts'

function contrast(one: string | undefined, other: string | undefined): number {
  const [a, b] = [parseHexColor(one ?? ''), parseHexColor(other ?? '')]
  if (!a || !b) throw new Error(`${one} or ${other} is not a colour.`)
  return contrastRatio(a, b)
}

type Palette = Record<string, string>

/** The palette as a browser ends up with it: the defaults, then the theme's variables of that scheme. */
function resolvePalettes(css: string): Record<'light' | 'dark', Palette> {
  const [light = '', dark = ''] = css.split('@media')
  const read = (text: string) =>
    Object.fromEntries([...text.matchAll(/(--gh-[\w-]+): ([^;]+);/g)].map((m) => [m[1], m[2]]))
  return { light: { ...lightPalette, ...read(light) }, dark: { ...darkPalette, ...read(light), ...read(dark) } }
}

const textPairs = [
  ['--gh-on-primary', '--gh-primary'],
  ['--gh-on-primary', '--gh-primary-hover'],
  ['--gh-accent', '--gh-surface'],
  ['--gh-on-background', '--gh-background'],
  ['--gh-on-background-muted', '--gh-background'],
  ['--gh-text', '--gh-surface'],
  ['--gh-text', '--gh-surface-soft'],
  ['--gh-muted', '--gh-surface'],
  ['--gh-muted', '--gh-surface-soft'],
  ['--gh-danger', '--gh-surface'],
  ['--gh-danger', '--gh-danger-soft'],
] as const

const brands = [null, '#000', '#fff', '#777', '#ffd400', '#e2001a', '#0a7', '#1b2a4a', '#87ceeb', '#ff00ff', '#808000']

describe('the realm theme', () => {
  test.each(brands)('keeps every text readable with the brand colour %s', (brand) => {
    const css = renderThemeCss({ primaryColor: brand, backgroundColor: brand, customCss: null })
    for (const palette of Object.values(resolvePalettes(css))) {
      for (const [text, surface] of textPairs) {
        expect(contrast(palette[text], palette[surface]), `${text} on ${surface}`).toBeGreaterThanOrEqual(4.5)
      }
      // WCAG 1.4.11: the edge of an input and the focus ring need 3:1.
      expect(contrast(palette['--gh-input-border'], palette['--gh-surface'])).toBeGreaterThanOrEqual(3)
      expect(contrast(palette['--gh-primary-edge'], palette['--gh-surface'])).toBeGreaterThanOrEqual(3)
      expect(contrast(palette['--gh-focus'], palette['--gh-surface'])).toBeGreaterThanOrEqual(3)
    }
  })

  test('writes the brand colour as it is and stays empty without one', () => {
    const css = renderThemeCss({ primaryColor: '#E2001A', backgroundColor: null, customCss: null })
    expect(css).toContain('--gh-primary: #e2001a;')
    expect(css).not.toContain('--gh-background')
    expect(renderThemeCss({ primaryColor: null, backgroundColor: null, customCss: null }).trim()).toBe('')
  })

  test('puts the custom CSS after the colours', () => {
    const css = renderThemeCss({ primaryColor: '#0a7', backgroundColor: null, customCss: '.gh-card { color: red }' })
    expect(css.indexOf('.gh-card{color:red}')).toBeGreaterThan(css.indexOf('--gh-primary'))
  })

  test('S47: leaves out colours and custom CSS that would not be accepted today', () => {
    const css = renderThemeCss({
      primaryColor: 'red;} * { display: none',
      backgroundColor: '</style>',
      customCss: '@import "https://evil.example/x.css"; .gh-card { color: red }',
    })
    expect(css.trim()).toBe('')
  })

  test('says when data images must be allowed', () => {
    expect(themeUsesDataImages('a { background: url("data:image/png;base64,AA==") }')).toBe(true)
    expect(themeUsesDataImages('a { background: url(/assets/x.png) }')).toBe(false)
    expect(themeUsesDataImages(null)).toBe(false)
  })
})
