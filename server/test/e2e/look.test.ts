import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRealmFor, startTestNode, type TestNode, type TestRealm } from '../harness/index.ts'
import { adminPassword, must } from '../harness/realm.ts'
import { desktop, findBarriers, launchBrowser, phone, submitLogin, takePicture, visit } from './browser.ts'
import { type LogoHost, startLogoHost } from './logo-host.ts'

const logo = `<svg id="logo" xmlns="http://www.w3.org/2000/svg" width="214" height="48" viewBox="0 0 214 48">
<path d="M6 40 22 8l16 32-16-8z" fill="#0f6b4f"/><path d="M22 8v24l16 8z" fill="#5cb894"/>
<text x="52" y="33" font-family="DejaVu Sans, sans-serif" font-weight="700" font-size="26" fill="#0f6b4f">Northwind</text></svg>`

const branding = {
  displayName: 'Northwind Traders',
  primaryColor: '#0f6b4f',
  backgroundColor: '#e9f3ee',
  welcomeText: 'Welcome to the partner portal.\nSign in with your partner account.',
  customCss: '.gh-card { border-block-start: 4px solid var(--gh-primary) }',
  supportEmail: 'help@northwind.example',
}

let browser: Browser
let node: TestNode
let plain: TestRealm
let branded: TestRealm
let logoHost: LogoHost

beforeAll(async () => {
  browser = await launchBrowser()
  logoHost = await startLogoHost(await drawLogo())
  node = await startTestNode({ env: { GATEHOUSE_EGRESS_ALLOW: 'https://127.0.0.1' } })
  plain = await createRealmFor({ node, name: 'acme' })
  branded = await createRealmFor({ node, name: 'northwind' })
  await must(plain.call('PUT', '/settings', { displayName: 'Acme' }), 200)
  await must(branded.call('PUT', '/settings', { ...branding, logoUrl: logoHost.url }), 200)
  const { userId } = (await must(plain.call('POST', '/users', { username: 'ada' }), 201)).body
  await must(
    plain.call('PUT', `/users/${userId}/password`, { newPassword: 'engine-of-difference', temporary: true }),
    204,
  )
  await must(branded.call('POST', '/users', { username: 'grace', email: 'grace@northwind.example' }), 201)
}, 60_000)

afterAll(async () => {
  await browser?.close()
  logoHost?.close()
  await node?.stop()
})

/** Drawn by the browser, so that the picture is one a tenant might really have. */
function drawLogo(): Promise<Buffer> {
  return visit(browser, { deviceScaleFactor: 2 }, async ({ page }) => {
    await page.setContent(logo)
    return page.locator('#logo').screenshot({ omitBackground: true })
  })
}

const login = (realm: TestRealm, query = '') => `${node.url}/realms/${realm.realmId}/login${query}`

/** Every kind of page the service shows, reached the way a person reaches it. */
const pages: [name: string, reach: (page: Page) => Promise<unknown>][] = [
  ['sign-in', (page) => page.goto(login(plain))],
  ['sign-in, branded', (page) => page.goto(login(branded))],
  ['sign-in, wrong password', (page) => submitLogin(page, 'admin', 'not-the-password-at-all')],
  ['sign-in, refused redirect', (page) => page.goto(login(plain, '?redirect=//evil.example'))],
  ['unknown realm', (page) => page.goto(`${node.url}/realms/nowhere/login`)],
  ['error codes', (page) => page.goto(`${node.url}/errors`)],
  ['one error code', (page) => page.goto(`${node.url}/errors/csrf_invalid`)],
  ['unknown error code', (page) => page.goto(`${node.url}/errors/no_such_code`)],
  [
    'new password',
    async (page) => {
      await page.goto(login(plain))
      await submitLogin(page, 'ada', 'engine-of-difference')
      await page.getByLabel('New password', { exact: true }).waitFor()
    },
  ],
  [
    'new password, refused',
    async (page) => {
      await page.getByLabel('New password', { exact: true }).fill('short')
      await page.getByLabel('Repeat the new password').fill('short')
      await page.getByRole('button', { name: 'Save and continue' }).click()
      await page.locator('.gh-field-error').waitFor()
    },
  ],
  [
    'console',
    async (page) => {
      await page.goto(login(branded))
      await submitLogin(page, 'admin', adminPassword)
      await page.waitForURL('**/console/northwind/')
    },
  ],
  ['account', (page) => page.goto(`${node.url}/realms/northwind/account`)],
]

describe('every page of the running service', () => {
  const looks = [
    { name: 'desktop, light', viewport: desktop, colorScheme: 'light' },
    { name: 'phone, dark', viewport: phone, colorScheme: 'dark' },
  ] as const
  test.each(looks)(
    '$name: has no barrier axe-core can find and breaks no policy',
    async ({ viewport, colorScheme }) => {
      await visit(browser, { viewport, colorScheme }, async ({ page, complaints, requested }) => {
        for (const [name, reach] of pages) {
          await reach(page)
          expect(complaints, name).toEqual([])
          expect(await findBarriers(page), name).toEqual([])
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          )
          expect(overflow, name).toBeLessThanOrEqual(0)
        }
        expect(requested.filter((url) => !url.startsWith(`${node.url}/`))).toEqual([])
      })
    },
    60_000,
  )
})

describe('the look of a realm', { timeout: 60_000 }, () => {
  test('colours, logo, welcome text and custom CSS reach the sign-in page, and only that realm', async () => {
    await visit(browser, {}, async ({ page, complaints }) => {
      await page.goto(login(branded))
      const image = page.getByRole('img', { name: 'Northwind Traders' })
      expect(await image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(428)
      expect(await page.getByText('Welcome to the partner portal.').count()).toBe(1)
      const shown = await page.evaluate(() => ({
        button: getComputedStyle(document.querySelector('.gh-button')!).backgroundColor,
        page: getComputedStyle(document.body).backgroundColor,
        card: getComputedStyle(document.querySelector('.gh-card')!).borderBlockStartWidth,
      }))
      expect(shown).toEqual({ button: 'rgb(15, 107, 79)', page: 'rgb(233, 243, 238)', card: '4px' })
      await takePicture(page, 'sign-in-branded')

      await page.goto(login(plain))
      expect(await page.getByRole('img', { name: 'Northwind Traders' }).count()).toBe(0)
      expect(
        await page.evaluate(() => getComputedStyle(document.querySelector('.gh-card')!).borderBlockStartWidth),
      ).toBe('1px')
      expect(complaints).toEqual([])
    })
  })

  test('a change of the look is there at the next page view', async () => {
    await visit(browser, {}, async ({ page }) => {
      await page.goto(login(branded))
      await must(branded.call('PUT', '/settings', { ...branding, primaryColor: '#7a1f5c' }), 200)
      const colour = async () => {
        await page.goto(login(branded))
        return page.evaluate(() => getComputedStyle(document.querySelector('.gh-button')!).backgroundColor)
      }
      await expect.poll(colour, { timeout: 5000 }).toBe('rgb(122, 31, 92)')
      await must(branded.call('PUT', '/settings', { ...branding, logoUrl: logoHost.url }), 200)
    })
  })

  test('the pages look as in the pictures of the README', async () => {
    await visit(browser, { colorScheme: 'light' }, async ({ page }) => {
      await page.goto(login(plain))
      await takePicture(page, 'sign-in-desktop')
      await submitLogin(page, 'admin', adminPassword)
      await page.getByRole('heading', { name: 'Administration' }).waitFor()
      await takePicture(page, 'landing-desktop')
    })
    await visit(browser, { viewport: phone, colorScheme: 'dark' }, async ({ page }) => {
      await page.goto(login(plain))
      await takePicture(page, 'sign-in-phone')
      await submitLogin(page, 'admin', adminPassword)
      await page.getByRole('heading', { name: 'Administration' }).waitFor()
      await takePicture(page, 'landing-phone')
    })
  })
})
