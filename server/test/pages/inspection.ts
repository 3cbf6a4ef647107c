// Looks at one page state from every side with a single load: axe-core, policy, weight, movement, reflow, target sizes.

import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { desktop, phone } from '../e2e/browser.ts'

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Where to leave pictures for people to look at; none are taken without it. */
const picturesDir = process.env['GATEHOUSE_PICTURES']

export interface Findings {
  state: string
  /** Broken accessibility rules with their elements, by look. */
  barriers: Record<string, string[]>
  /** Broken policies, script errors, failed requests. */
  complaints: string[]
  /** Bytes of the page with all it loads, uncompressed. */
  weight: number
  /** What moved by itself while the page loaded (layout shifts), and how much. */
  moved: string[]
  /** Pixels that scroll sideways at 320 pixels, by direction. */
  overflow: Record<'ltr' | 'rtl', number>
  /** What can be pressed and is less than 44 pixels high. */
  small: string[]
}

/** As many as keep two cores busy while one page waits for its load. */
const tabs = 3

/** Every state, in a few tabs of one browser; each is loaded once. */
export async function inspectStates(browser: Browser, baseUrl: string, states: string[]): Promise<Findings[]> {
  const context = await browser.newContext({ viewport: desktop, colorScheme: 'light', reducedMotion: 'reduce' })
  await context.addInitScript(await readFile(axeFile, 'utf8'))
  if (picturesDir) mkdirSync(picturesDir, { recursive: true })
  const waiting = [...states]
  const found: Findings[] = []
  const work = async () => {
    const page = await context.newPage()
    for (let state = waiting.shift(); state !== undefined; state = waiting.shift()) {
      found.push(await inspectState(context, page, baseUrl, state))
    }
  }
  try {
    await Promise.all(Array.from({ length: tabs }, work))
  } finally {
    await context.close()
  }
  return found
}

async function inspectState(context: BrowserContext, tab: Page, baseUrl: string, state: string): Promise<Findings> {
  // Routes switch off the browser's cache, so only the state whose frames need one gets a tab that has it.
  const isFramed = state === 'logged-out-frames'
  const page = isFramed ? await context.newPage() : tab
  if (isFramed) {
    const there = { contentType: 'text/html', body: '<p>There</p>' }
    await page.route('https://*.example/**', (route) => route.fulfill(there))
  }
  const complaints = listen(page)
  await page.setViewportSize(desktop)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(`${baseUrl}/${state}`, { waitUntil: 'load' })
  const { weight, ...first } = await measureLoad(page)
  // A starved browser may paint between two pieces of one document; what moves for people moves every time.
  const moved = first.moved.length === 0 ? [] : await measureAgain(page)
  const barriers: Findings['barriers'] = {}
  const look = async (name: string, rules?: string[]) => {
    if (picturesDir) await page.screenshot({ path: join(picturesDir, `${state}-${name}.png`), fullPage: true })
    barriers[name] = await runAxe(page, rules)
  }
  await look('desktop-light')
  await page.emulateMedia({ colorScheme: 'dark' })
  // The document is the same; of all rules only those about colours can come out differently.
  await look('desktop-dark', colourRules)
  await page.setViewportSize(phone)
  await look('phone-dark')
  const small = await findSmallTargets(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await look('phone-light', colourRules)
  await page.setViewportSize({ width: 320, height: 640 })
  const ltr = await measureOverflow(page)
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  const rtl = await measureOverflow(page)
  await page.setViewportSize(desktop)
  // One attribute is another; what can come out differently is what depends on where things stand.
  await look('desktop-rtl', placeRules)
  page.removeAllListeners()
  if (isFramed) await page.close()
  return { state, barriers, complaints, weight, moved, overflow: { ltr, rtl }, small }
}

function listen(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // Going to the next page stops the icon of the last one; everything else is a fault.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${reason} ${request.url()}`)
  })
  return complaints
}

/** A busy browser paints the mark before the name beside it has come over the line; nobody sees that, all else counts. */
const toleratedShift = 0.001

function measureLoad(page: Page): Promise<{ weight: number; moved: string[] }> {
  return page.evaluate(async (tolerated) => {
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Element }[] }
    const shifts: Shift[] = []
    const observer = new PerformanceObserver((list) => void shifts.push(...(list.getEntries() as Shift[])))
    observer.observe({ type: 'layout-shift', buffered: true })
    // Buffered entries are handed over with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    observer.disconnect()
    const loaded = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    const describe = ({ value, sources }: Shift) =>
      [value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80))].join(' ')
    return {
      weight: loaded.reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).decodedBodySize, 0),
      moved: shifts.filter(({ value, hadRecentInput }) => !hadRecentInput && value > tolerated).map(describe),
    }
  }, toleratedShift)
}

async function measureAgain(page: Page): Promise<string[]> {
  await page.reload({ waitUntil: 'load' })
  return (await measureLoad(page)).moved
}

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const colourRules = ['color-contrast', 'link-in-text-block']
const placeRules = [...colourRules, 'target-size', 'scrollable-region-focusable', 'region']

/** The violations of the page as it is shown, each with the elements it concerns. */
function runAxe(page: Page, rules?: string[]): Promise<string[]> {
  return page.evaluate(
    async ({ tags, only }) => {
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
      const runOnly = only ? ({ type: 'rule', values: only } as const) : ({ type: 'tag', values: tags } as const)
      // The policy of the page lets no script fetch its style sheets, and axe-core can do without.
      const { violations } = await axe.run(document, { runOnly, preload: false, resultTypes: ['violations'] })
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    },
    { tags: axeTags, only: rules },
  )
}

function findSmallTargets(page: Page): Promise<string[]> {
  return page
    .locator('a:visible, button:visible, label.gh-check, input.gh-input')
    .evaluateAll((elements) =>
      elements.filter((element) => element.getBoundingClientRect().height < 44).map((element) => element.outerHTML),
    )
}

function measureOverflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
}
