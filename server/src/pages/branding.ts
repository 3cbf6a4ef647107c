// A realm's theme as a style sheet of its own: colours as CSS variables for light and dark, then its custom CSS.

import {
  checkCustomCss,
  formatHexColor,
  mixColors,
  parseHexColor,
  pickOnColor,
  readableOn,
  relativeLuminance,
  type Rgb,
  shadeAway,
  textContrast,
} from '../domain/branding/index.ts'
import { darkPalette, lightPalette } from './styles/palettes.ts'

export interface RealmTheme {
  primaryColor: string | null
  backgroundColor: string | null
  customCss: string | null
}

type Scheme = 'light' | 'dark'
/** The cards keep our surface colours, so these are what a brand colour has to stand out from. */
const surfaces: Record<Scheme, Rgb> = {
  light: readColor(lightPalette['--gh-surface']),
  dark: readColor(darkPalette['--gh-surface']),
}

type Variables = Record<`--gh-${string}`, string>

/** WCAG 2.2 AA asks 4.5 of text. On dark a brand colour at just that looks dim, so it is taken further. */
const accentContrast: Record<Scheme, number> = { light: textContrast, dark: 6.5 }

/** WCAG 1.4.11, for the edges of what can be pressed. */
const edgeContrast = 3

/** Buttons shift by a tenth on hover: visible, and still the brand's colour. */
const hoverShare = 0.1

export function renderThemeCss(theme: RealmTheme): string {
  // Checked again when served: a rule tightened in a later release also holds for sheets stored before it.
  const custom = theme.customCss ? checkCustomCss(theme.customCss) : null
  return [
    renderVariables('light', theme),
    renderVariables('dark', theme),
    custom?.ok ? `/* Custom CSS of this realm */\n${custom.css}` : '',
  ]
    .filter((part) => part !== '')
    .join('\n')
    .concat('\n')
}

/** Whether the theme's page needs `data:` images in its content security policy. */
export function themeUsesDataImages(customCss: string | null): boolean {
  const custom = customCss ? checkCustomCss(customCss) : null
  return custom?.ok === true && custom.usesDataImages
}

function renderVariables(scheme: Scheme, theme: RealmTheme): string {
  const primary = theme.primaryColor ? parseHexColor(theme.primaryColor) : null
  const background = theme.backgroundColor ? parseHexColor(theme.backgroundColor) : null
  const variables: Variables = {
    ...(primary ? primaryVariables(primary, scheme) : {}),
    ...(background ? backgroundVariables(background, scheme) : {}),
  }
  const lines = Object.entries(variables).map(([name, value]) => `  ${name}: ${value};`)
  if (lines.length === 0) return ''
  const block = `:root {\n${lines.join('\n')}\n}`
  return scheme === 'light' ? block : `@media (prefers-color-scheme: dark) {\n${block}\n}`
}

function primaryVariables(primary: Rgb, scheme: Scheme): Variables {
  const surface = surfaces[scheme]
  const onPrimary = pickOnColor(primary)
  const accent = formatHexColor(readableOn(primary, surface, accentContrast[scheme]))
  return {
    '--gh-primary': formatHexColor(primary),
    '--gh-primary-hover': formatHexColor(shadeAway(primary, onPrimary, hoverShare)),
    // A brand colour close to the card's would hide the button; its edge keeps the 3:1 of WCAG 1.4.11.
    '--gh-primary-edge': formatHexColor(readableOn(primary, surface, edgeContrast)),
    '--gh-on-primary': formatHexColor(onPrimary),
    '--gh-accent': accent,
    '--gh-focus': accent,
  }
}

function backgroundVariables(background: Rgb, scheme: Scheme): Variables {
  const shown = scheme === 'light' ? background : darkenBackground(background)
  const onBackground = formatHexColor(pickOnColor(shown))
  return {
    '--gh-background': formatHexColor(shown),
    '--gh-background-image': 'none',
    '--gh-on-background': onBackground,
    // No softer tone: on a colour chosen by the realm only the full contrast is sure to be enough.
    '--gh-on-background-muted': onBackground,
  }
}

// A dark colour serves both schemes. A light one gives our dark background a trace of its hue, and no more: the card on
// it has to stay the lighter of the two.
function darkenBackground(background: Rgb): Rgb {
  if (relativeLuminance(background) < 0.05) return background
  const trace = mixColors({ r: 0, g: 0, b: 0 }, background, 0.065)
  return mixColors(readColor(darkPalette['--gh-background']), trace, 0.5)
}

function readColor(text: string): Rgb {
  const color = parseHexColor(text)
  if (!color) throw new TypeError(`${text} is not a colour.`)
  return color
}
