// A headless Chromium for the end-to-end tests, with everything a page complains about written down.

import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Where to leave pictures for people to look at; none are taken without it. */
const picturesDir = process.env['GATEHOUSE_PICTURES']

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1280, height: 800 }

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['GATEHOUSE_CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync'],
    ],
  })
}

export interface Visitor {
  page: Page
  /** A second tab of the same person. */
  newTab(): Promise<Page>
  /** What the pages complained about: broken policies, script errors, requests that failed. */
  complaints: string[]
  /** Every address the pages asked for. */
  requested: string[]
}

/** One person with a browser of their own: no cookie is shared with anybody else. */
export async function visit<T>(
  browser: Browser,
  options: BrowserContextOptions,
  work: (visitor: Visitor) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: desktop, ...options })
  // Every page answers in well under a second on a quiet machine; a wait in vain should end before the test's own time does.
  context.setDefaultTimeout(15_000)
  const complaints: string[] = []
  const requested: string[] = []
  context.on('request', (request) => requested.push(request.url()))
  context.on('console', (message) => {
    // The browser notes every answer of 400 and above; those are looked at by the tests themselves.
    const expected = message.text().startsWith('Failed to load resource: the server responded with a status of')
    if (['error', 'warning'].includes(message.type()) && !expected) complaints.push(message.text())
  })
  context.on('weberror', (error) => complaints.push(error.error().message))
  try {
    return await work({ page: await context.newPage(), newTab: () => context.newPage(), complaints, requested })
  } finally {
    await context.close()
  }
}

/** Fills the sign-in form as it stands and sends it. */
export async function submitLogin(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel(/^Username/).fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The accessibility rules the page breaks as it is shown, each with the elements it concerns. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(axeFile, 'utf8'))
  return page.evaluate(async (tags) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    // The policy of the page lets no script fetch its style sheets, and axe-core can do without.
    const { violations } = await axe.run(document, { runOnly: tags, preload: false })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  }, axeTags)
}

export async function takePicture(page: Page, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  if (!picturesDir) return
  mkdirSync(picturesDir, { recursive: true })
  await page.screenshot({ path: join(picturesDir, `${name}.png`), ...options })
}
