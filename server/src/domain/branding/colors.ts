// Contrast maths after WCAG 2.2 (relative luminance, contrast ratio) on `#rgb` and `#rrggbb` colours (contract 2.109).

export interface Rgb {
  r: number
  g: number
  b: number
}

/** The ratio WCAG 2.2 AA asks of ordinary text (success criterion 1.4.3). */
export const textContrast = 4.5

const white: Rgb = { r: 255, g: 255, b: 255 }
const ink: Rgb = { r: 16, g: 21, b: 31 }
const black: Rgb = { r: 0, g: 0, b: 0 }

/** Reads `#rgb` or `#rrggbb`, the only two forms a realm may store; anything else is null. */
export function parseHexColor(text: string): Rgb | null {
  const match = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)
  if (!match) return null
  const digits = text.length === 4 ? [...text.slice(1)].map((digit) => digit + digit).join('') : text.slice(1)
  const value = Number.parseInt(digits, 16)
  return { r: value >> 16, g: (value >> 8) & 0xff, b: value & 0xff }
}

export function isHexColor(text: string): boolean {
  return parseHexColor(text) !== null
}

export function formatHexColor({ r, g, b }: Rgb): string {
  return `#${[r, g, b].map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
}

export function relativeLuminance(color: Rgb): number {
  const [r, g, b] = [color.r, color.g, color.b].map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

export function contrastRatio(one: Rgb, other: Rgb): number {
  const [light, dark] = [relativeLuminance(one), relativeLuminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Mixes `share` (0 to 1) of `into` into the colour. */
export function mixColors(color: Rgb, into: Rgb, share: number): Rgb {
  const mix = (from: number, to: number) => from + (to - from) * share
  return { r: mix(color.r, into.r), g: mix(color.g, into.g), b: mix(color.b, into.b) }
}

/**
 * The text colour for a coloured surface. White is preferred because brands expect it. Either white or black always
 * reaches 4.58:1 against any colour, so the last candidate cannot fail.
 */
export function pickOnColor(surface: Rgb): Rgb {
  return [white, ink].find((candidate) => contrastRatio(candidate, surface) >= textContrast) ?? black
}

/** Moves a colour towards black or white until it can be read as text on the surface, and no further than needed. */
export function readableOn(color: Rgb, surface: Rgb, ratio: number = textContrast): Rgb {
  const towards = relativeLuminance(surface) > 0.18 ? black : white
  // Steps of 4 % are finer than the eye tells apart and end the search after 25 tries.
  for (let step = 0; step < 25; step += 1) {
    const candidate = roundColor(mixColors(color, towards, step / 25))
    if (contrastRatio(candidate, surface) >= ratio) return candidate
  }
  return towards
}

/** A colour shifted for hover and pressed states: away from its text colour, so that contrast only grows. */
export function shadeAway(color: Rgb, onColor: Rgb, share: number): Rgb {
  return mixColors(color, relativeLuminance(onColor) > 0.18 ? black : white, share)
}

// Contrast is judged on what is written into the stylesheet, so channels are rounded first.
function roundColor({ r, g, b }: Rgb): Rgb {
  return { r: Math.round(r), g: Math.round(g), b: Math.round(b) }
}
