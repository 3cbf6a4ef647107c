import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRealmFor, getNode, type TestRealm } from '../harness/index.ts'
import { systemPassword } from '../harness/node.ts'
import { desktop, launchBrowser, phone, submitLogin, takePicture, visit } from './browser.ts'

type Operations = Record<string, { tags: string[] }>

let browser: Browser
let realm: TestRealm
let base: string

beforeAll(async () => {
  browser = await launchBrowser()
  base = (await getNode()).url
  realm = await createRealmFor({ name: 'northwind' })
}, 60_000)

afterAll(() => browser?.close())

async function openOperation(page: Page, id: string): Promise<Locator> {
  const operation = page.locator(`#operations-${id}`)
  await operation.locator('.opblock-summary-control').click()
  await operation.locator('.try-out__btn').click()
  return operation
}

/** Sends the operation as it is filled in and gives the answer the page itself received. */
async function execute(page: Page, operation: Locator, method: string, path: string) {
  const answer = page.waitForResponse((response) => {
    const { pathname } = new URL(response.url())
    return response.request().method() === method && pathname === path
  })
  await operation.locator('button.execute').click()
  const response = await answer
  const shown = await operation.locator('.live-responses-table tbody .response-col_status').first().textContent()
  expect(shown).toContain(String(response.status()))
  return response
}

describe('/interactive-docs.html', () => {
  test('a signed-in system administrator sees every operation, reads and writes; everything stays on this server', async () => {
    await visit(browser, {}, async ({ page, complaints, requested }) => {
      await page.goto(`${base}/interactive-docs.html?realm=northwind`)
      await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()
      // A session of the system realm opens every realm.
      const back = encodeURIComponent('/interactive-docs.html?realm=northwind')
      await page.goto(`${base}/realms/master/login?redirect=${back}`)
      await submitLogin(page, 'admin', systemPassword)
      await page.getByText('Signed in as admin of master').waitFor()

      const { paths } = (await (await fetch(`${base}/v3/api-docs`)).json()) as { paths: Record<string, Operations> }
      const tags = Object.values(paths).flatMap((path) => Object.values(path).map((operation) => operation.tags[0]))
      await page.locator('.opblock-tag').first().waitFor()
      expect(await page.locator('.opblock-tag').count()).toBe(new Set(tags).size)
      await page.locator('.opblock-tag[data-tag="users"]').click()
      await page.locator('#operations-users-postUsers').waitFor()
      expect(await page.locator('.opblock').count()).toBe(tags.filter((tag) => tag === 'users').length)

      const users = `/admin/realms/${realm.realmId}/users`
      const list = await openOperation(page, 'users-getUsers')
      expect((await execute(page, list, 'GET', users)).status()).toBe(200)

      const create = await openOperation(page, 'users-postUsers')
      const created = await execute(page, create, 'POST', users)
      expect(created.status()).toBe(201)
      expect((await created.request().allHeaders())['x-xsrf-token']).toMatch(/^[\w-]{43}$/)
      // The body was the example of the route.
      expect(((await created.json()) as { username: string }).username).toBe('ada')

      expect(complaints).toEqual([])
      expect(requested.filter((url) => !url.startsWith(`${base}/`) && !url.startsWith('data:'))).toEqual([])
    })
  }, 120_000)

  const looks = [
    { name: 'desktop', viewport: desktop, colorScheme: 'light' },
    { name: 'phone', viewport: phone, colorScheme: 'dark' },
  ] as const
  test.each(looks)(
    'fits a $name and follows its colours',
    async ({ name, viewport, colorScheme }) => {
      await visit(browser, { viewport, colorScheme }, async ({ page, complaints }) => {
        await page.goto(
          `${base}/realms/northwind/login?redirect=${encodeURIComponent('/interactive-docs.html?realm=northwind')}`,
        )
        await submitLogin(page, 'admin', 'correct-horse-battery-42')
        await page.getByText('Signed in as admin').waitFor()
        await page.locator('.opblock-tag[data-tag="users"]').click()
        await page.locator('#operations-users-postUsers').waitFor()
        const { overflow, background } = await page.evaluate(() => ({
          overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          background: getComputedStyle(document.body).backgroundColor,
        }))
        expect(overflow).toBeLessThanOrEqual(0)
        expect(background).toBe(colorScheme === 'dark' ? 'rgb(12, 16, 25)' : 'rgb(243, 245, 250)')
        await page.getByPlaceholder('Filter by tag or path').fill('users')
        await expect.poll(() => page.locator('.opblock-tag').count()).toBe(1)
        await page.evaluate(() => scrollTo(0, 0))
        await page.mouse.move(0, 0)
        await takePicture(page, `api-${name}`)
        expect(complaints).toEqual([])
      })
    },
    60_000,
  )
})
