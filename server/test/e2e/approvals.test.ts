// Devices and CIBA in a real browser: from the address or code, over the sign-in, to the answer, with and without JavaScript.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  approvalPath,
  beginCiba,
  beginDevice,
  createClientIn,
  createRealmFor,
  must,
  pollCiba,
  pollDevice,
  type TestClient,
  type TestRealm,
} from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'
import { desktop, launchBrowser, phone, submitLogin, visit } from './browser.ts'

let browser: Browser
let realm: TestRealm
let tv: TestClient

beforeAll(async () => {
  browser = await launchBrowser()
  realm = await createRealmFor()
  tv = await createClientIn(realm, {
    name: 'Living room',
    publicClient: true,
    redirectUris: [],
    grantTypes: ['device'],
  })
}, 60_000)
afterAll(() => browser?.close())

const begin = async () => (await must(beginDevice(realm, tv), 200)).body as Record<string, string>
const signIn = (page: Page) => submitLogin(page, 'admin', adminPassword)

describe('a person answers a request that waits', { timeout: 60_000 }, () => {
  test.each([
    { name: 'on a phone', viewport: phone, javaScriptEnabled: true },
    { name: 'on a desktop without JavaScript', viewport: desktop, javaScriptEnabled: false },
  ])('$name: by the QR code of a device', async ({ name: _name, ...options }) => {
    const device = await begin()
    await visit(browser, options, async ({ page, complaints }) => {
      await page.goto(device.verification_uri_complete!)
      await signIn(page)
      const text = await page.locator('main').textContent()
      for (const shown of ['Living room', device.user_code!, '127.0.0.1']) expect(text).toContain(shown)
      await page.getByRole('button', { name: 'Allow' }).click()
      expect(await page.getByRole('button').count()).toBe(0)
      expect(complaints).toEqual([])
    })
    expect((await pollDevice(realm, tv, device.device_code!)).status).toBe(200)
  })

  test('by typing the code, after a wrong one that is said beside the field', async () => {
    const device = await begin()
    await visit(browser, { viewport: phone }, async ({ page, complaints }) => {
      await page.goto(device.verification_uri!)
      await signIn(page)
      const code = page.locator('#user_code')
      await code.fill('bcdf ghjk')
      await page.getByRole('button', { name: 'Continue' }).click()
      expect(await code.getAttribute('aria-invalid')).toBe('true')
      await code.fill(device.user_code!.toLowerCase().replace('-', ''))
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('button', { name: 'Deny' }).click()
      expect(complaints).toEqual([])
    })
    expect((await pollDevice(realm, tv, device.device_code!)).body.error).toBe('access_denied')
  })

  test('by the link of an application that asks for them', async () => {
    const bank = await createClientIn(realm, { name: 'Bank', redirectUris: [], grantTypes: ['CIBA'] })
    const { body } = await must(beginCiba(realm, bank, { login_hint: 'admin', binding_message: 'Order 4711' }), 200)
    await visit(browser, { viewport: desktop, colorScheme: 'dark' }, async ({ page, complaints }) => {
      await page.goto(realm.node.url + approvalPath(realm, body.auth_req_id))
      await signIn(page)
      expect(await page.locator('main').textContent()).toContain('Order 4711')
      await page.getByRole('button', { name: 'Allow' }).click()
      expect(await page.getByRole('button').count()).toBe(0)
      expect(complaints).toEqual([])
    })
    expect((await pollCiba(realm, bank, body.auth_req_id)).status).toBe(200)
  })
})
