import { describe, expect, test } from 'vitest'
import { contrastRatio, formatHexColor, isHexColor, parseHexColor, pickOnColor, type Rgb, readableOn } from './index.ts'

function color(text: string): Rgb {
  const parsed = parseHexColor(text)
  if (!parsed) throw new Error(text)
  return parsed
}

/** Every 51st step of each channel: 216 colours over the whole cube, greys and the hard middle among them. */
const cube = [0, 51, 102, 119, 153, 204, 255].flatMap((r) =>
  [0, 51, 102, 119, 153, 204, 255].flatMap((g) => [0, 51, 102, 119, 153, 204, 255].map((b) => ({ r, g, b }))),
)

describe('colours', () => {
  test('reads the short and the long form alike', () => {
    expect(color('#fA0')).toEqual(color('#ffaa00'))
    expect(formatHexColor(color('#0a1B2c'))).toBe('#0a1b2c')
  })

  test.each(['', '#', '#ff', '#ffff', '#fffffff', 'red', 'ffffff', '#ggg', '#fff;}', ' #fff', '#fff\n', 'rgb(0,0,0)'])(
    'refuses %j as a colour',
    (text) => {
      expect(isHexColor(text)).toBe(false)
    },
  )

  test('agrees with the ratios WCAG gives', () => {
    expect(contrastRatio(color('#fff'), color('#000'))).toBeCloseTo(21, 5)
    expect(contrastRatio(color('#777'), color('#fff'))).toBeCloseTo(4.48, 2)
    expect(contrastRatio(color('#fff'), color('#fff'))).toBe(1)
  })

  test('finds readable text for every brand colour', () => {
    for (const brand of cube) expect(contrastRatio(brand, pickOnColor(brand))).toBeGreaterThanOrEqual(4.5)
  })

  test('makes every brand colour readable as text on white and on dark', () => {
    for (const brand of cube) {
      for (const surface of [color('#fff'), color('#151b28')]) {
        expect(contrastRatio(readableOn(brand, surface), surface)).toBeGreaterThanOrEqual(4.5)
      }
    }
  })

  test('leaves a colour alone that is readable already', () => {
    expect(readableOn(color('#3049c4'), color('#fff'))).toEqual(color('#3049c4'))
  })
})
