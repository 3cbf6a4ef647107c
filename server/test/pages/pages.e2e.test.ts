import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page, type Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gallery, startGallery } from './gallery.ts'

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Where to leave pictures for people to look at; none are taken without it. */
const picturesDir = process.env['GATEHOUSE_PICTURES']

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }

/** Each look is one browser context; together they cover both sizes, both schemes and both directions. */
const looks = [
  { name: 'phone-light', viewport: phone, colorScheme: 'light', query: '' },
  { name: 'phone-dark', viewport: phone, colorScheme: 'dark', query: '' },
  { name: 'desktop-light', viewport: desktop, colorScheme: 'light', query: '' },
  { name: 'desktop-dark', viewport: desktop, colorScheme: 'dark', query: '' },
  { name: 'desktop-rtl', viewport: desktop, colorScheme: 'light', query: '?dir=rtl' },
] as const

let browser: Browser
let gallery: Gallery
let axeSource: string

beforeAll(async () => {
  axeSource = await readFile(axeFile, 'utf8')
  gallery = await startGallery()
  browser = await chromium.launch({
    executablePath: process.env['GATEHOUSE_CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync'],
    ],
  })
  if (picturesDir) mkdirSync(picturesDir, { recursive: true })
}, 60_000)

afterAll(async () => {
  await browser?.close()
  await gallery?.close()
})

async function withPage<T>(options: BrowserContextOptions, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext(options)
  // Nothing beyond the gallery is asked: the sites of applications are empty pages here.
  await context.route('https://*.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<p>There</p>' }),
  )
  try {
    return await work(await context.newPage())
  } finally {
    await context.close()
  }
}

async function openState(page: Page, state: string, query = '') {
  // A form that sends itself would be gone before anybody looked; its script has a test of its own.
  await page.route('**/assets/form-post-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  return page.goto(`${gallery.baseUrl}/${state}${query}`, { waitUntil: 'load' })
}

/** The violations of the page as it is shown, each with the elements it concerns. */
async function runAxe(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    const { violations } = await axe.run(document, { runOnly: tags })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  })
}

describe('pages in a browser', () => {
  test.each(looks)(
    '$name: every page is free of axe-core violations',
    async ({ name, viewport, colorScheme, query }) => {
      await withPage({ viewport, colorScheme, bypassCSP: true }, async (page) => {
        for (const state of gallery.names) {
          await openState(page, state, query)
          if (picturesDir) await page.screenshot({ path: join(picturesDir, `${state}-${name}.png`), fullPage: true })
          expect(await runAxe(page), state).toEqual([])
        }
      })
    },
    120_000,
  )

  test('no page breaks its own content security policy or logs an error', async () => {
    await withPage({ viewport: desktop }, async (page) => {
      const messages: string[] = []
      page.on('console', (message) => messages.push(message.text()))
      page.on('pageerror', (error) => messages.push(error.message))
      page.on('requestfailed', (request) => {
        const reason = request.failure()?.errorText
        // Going to the next page stops the icon of the last one; everything else is a fault.
        if (reason !== 'net::ERR_ABORTED') messages.push(`${reason} ${request.url()}`)
      })
      for (const state of gallery.names) {
        await openState(page, state)
        expect(messages, state).toEqual([])
      }
    })
  }, 60_000)

  test('S47: the policy stops a script and an inline style', async () => {
    await withPage({ viewport: desktop }, async (page) => {
      const messages: string[] = []
      page.on('console', (message) => messages.push(message.text()))
      await page.route('**/login', async (route) => {
        const response = await route.fetch()
        const attack =
          '<script>document.title="taken"</script><p style="color:red">x</p><img src="https://evil.example/">'
        await route.fulfill({ response, body: (await response.text()).replace('</main>', `${attack}</main>`) })
      })
      await openState(page, 'login')
      expect(await page.title()).toBe('Sign in · Acme')
      expect(messages.filter((text) => text.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(3)
    })
  })

  test('nothing scrolls sideways at 320 pixels, in either direction', async () => {
    await withPage({ viewport: { width: 320, height: 640 } }, async (page) => {
      for (const state of gallery.names) {
        for (const query of ['', '?dir=rtl']) {
          await openState(page, state, query)
          const overflow = await page.evaluate(() => {
            const { scrollWidth, clientWidth } = document.documentElement
            return scrollWidth - clientWidth
          })
          expect(overflow, `${state}${query}`).toBeLessThanOrEqual(0)
        }
      }
    })
  }, 60_000)

  test('everything that is pressed is at least 44 pixels high', async () => {
    await withPage({ viewport: phone }, async (page) => {
      for (const state of gallery.names) {
        await openState(page, state)
        const small = await page
          .locator('a:visible, button:visible, label.gh-check, input.gh-input')
          .evaluateAll((elements) =>
            elements
              .filter((element) => element.getBoundingClientRect().height < 44)
              .map((element) => element.outerHTML),
          )
        expect(small, state).toEqual([])
      }
    })
  }, 60_000)

  test('every page weighs less than 60 KB with all it loads', async () => {
    for (const state of gallery.names) {
      await withPage({ viewport: phone }, async (page) => {
        const responses: Response[] = []
        page.on('response', (response) => responses.push(response))
        await openState(page, state)
        const bodies = await Promise.all(responses.map((response) => response.body()))
        const total = bodies.reduce((sum, body) => sum + body.length, 0)
        expect(total, state).toBeLessThan(60_000)
      })
    }
  }, 60_000)

  test('signing in and out needs no JavaScript', async () => {
    await withPage({ viewport: phone, javaScriptEnabled: false }, async (page) => {
      await openState(page, 'login')
      // The cursor comes to the username by itself; a busy browser puts it there some frames after the load.
      await page.locator('input[name=username]:focus').waitFor()
      await page.keyboard.type('ada')
      await page.keyboard.press('Tab')
      await page.keyboard.type('correct horse')
      await page.getByLabel('Keep me signed in').check()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Administration' }).waitFor()
      expect(Object.fromEntries(new URLSearchParams(gallery.posted.pop()))).toEqual({
        _csrf: 'csrf-value',
        continuation: 'opaque-continuation',
        username: 'ada',
        password: 'correct horse',
        rememberMe: 'true',
      })
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL('**/console')
      expect(gallery.posted.pop()).toBe('_csrf=csrf-value')
    })
  })

  test('an error is announced beside its field and holds the cursor', async () => {
    await withPage({ viewport: phone }, async (page) => {
      await openState(page, 'login-wrong')
      const password = page.getByLabel('Password')
      expect(await password.evaluate((element) => element === document.activeElement)).toBe(true)
      expect(await page.getByRole('alert').textContent()).toContain('do not match')
      await openState(page, 'update-password-wrong')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('newPassword')
    })
  })
})
