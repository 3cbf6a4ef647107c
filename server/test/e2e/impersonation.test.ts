// Acting as somebody in a real browser: the banner on every page, by telephone and at a desk, and the way out.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson, createRealmFor, type Person, type TestRealm } from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'
import { desktop, findBarriers, launchBrowser, phone, submitLogin, takePicture, visit } from './browser.ts'

let browser: Browser
let realm: TestRealm
let ada: Person
beforeAll(async () => {
  browser = await launchBrowser()
  realm = await createRealmFor()
  ada = await addPerson(realm, 'ada.lovelace.of.the.analytical.engine')
}, 60_000)
afterAll(() => browser?.close())

const at = (path: string) => `${realm.node.url}/realms/${realm.realmId}${path}`

/** Starts it as a console does: with the session and the CSRF cookie of the browser itself. */
async function actAs(page: Page, userId: string): Promise<string> {
  await page.goto(`${realm.node.url}/admin/realms/${realm.realmId}/whoami`)
  const cookies = await page.context().cookies()
  const csrf = cookies.find(({ name }) => name === 'XSRF-TOKEN')!.value
  const address = `${realm.node.url}/admin/realms/${realm.realmId}/users/${userId}/impersonate`
  const answer = await page.context().request.post(address, { headers: { 'x-xsrf-token': csrf }, data: {} })
  return ((await answer.json()) as { redirectUrl: string }).redirectUrl
}

test.each([
  { name: 'phone-light', viewport: phone, colorScheme: 'light' as const },
  { name: 'desktop-dark', viewport: desktop, colorScheme: 'dark' as const },
])('the banner says it on every page, stays in sight and ends it: $name', { timeout: 60_000 }, async (options) => {
  const { name, ...context } = options
  await visit(browser, context, async ({ page, complaints }) => {
    await page.goto(at('/login'))
    await submitLogin(page, 'admin', adminPassword)
    const banner = page.getByRole('region', { name: 'Acting as somebody else' })
    expect(await banner.count()).toBe(0)
    await page.goto(await actAs(page, ada.userId))
    for (const path of ['/account', '/logout', '/device']) {
      await page.goto(at(path))
      expect(await banner.textContent(), path).toContain(`You are acting as ${ada.username}`)
      expect(await findBarriers(page), path).toEqual([])
      await takePicture(page, `${name}${path.replaceAll('/', '-')}`)
    }
    await page.goto(at('/account'))
    await page.evaluate(() => globalThis.scrollTo(0, document.body.scrollHeight))
    const box = (await banner.boundingBox())!
    expect([box.y, box.x, box.width]).toEqual([0, 0, context.viewport.width])
    await page.getByRole('button', { name: 'Stop acting as them' }).click()
    expect(new URL(page.url()).pathname).toBe(`/console/${realm.realmId}/`)
    await page.goto(at('/account'))
    expect(await banner.count()).toBe(0)
    expect(complaints).toEqual([])
  })
})
