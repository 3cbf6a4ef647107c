// What a user agent says of browser and system. It is what a device calls itself: a help to memory, never a proof.
import { cleanText } from './clean-text.ts'

type Name = readonly [pattern: RegExp, name: string]

// The first that fits wins: most browsers also carry the names of those they descend from.
const browsers: Name[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPX|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bDuckDuckGo\//, 'DuckDuckGo'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]

const systems: Name[] = [
  [/\bTizen\b/, 'Samsung TV'],
  [/\bWeb0S\b|\bwebOS\b/i, 'LG TV'],
  [/\bRoku\b/, 'Roku'],
  [/\bAFT[A-Z]/, 'Fire TV'],
  [/\bPlayStation\b/i, 'PlayStation'],
  [/\bXbox\b/, 'Xbox'],
  [/\bNintendo\b/, 'Nintendo'],
  [/\bApple ?TV\b/, 'Apple TV'],
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\b(?:Android|GoogleTV)\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

/** More than this of a text nobody can read helps nobody. */
const maxShownLength = 60

/** Programs write what they like and lines may be long; the names stand in the first part. */
const maxReadLength = 512

export interface Agent {
  browser: string | null
  system: string | null
  /** The text itself as one short line; empty when there was none. */
  text: string
}

export function readAgent(userAgent: string | null): Agent {
  const text = cleanText((userAgent ?? '').slice(0, maxReadLength))
  return { browser: findName(browsers, text), system: findName(systems, text), text: shorten(text) }
}

function findName(names: Name[], text: string): string | null {
  return names.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

function shorten(text: string): string {
  const signs = Array.from(text)
  return signs.length > maxShownLength ? `${signs.slice(0, maxShownLength - 1).join('')}…` : text
}
