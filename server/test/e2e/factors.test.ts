import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, addTotp, codesOf, createRealmFor, must, startTestNode, type TestRealm } from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'
import { addAuthenticator } from './authenticator.ts'
import { desktop, launchBrowser, phone, submitLogin, takePicture, visit } from './browser.ts'

let browser: Browser
let realm: TestRealm
beforeAll(async () => {
  browser = await launchBrowser()
  realm = await createRealmFor({ node: await startTestNode({ host: 'localhost' }) })
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await realm?.node.stop()
})

const loginUrl = () => `${realm.node.url}/realms/${realm.realmId}/login`
const accountUrl = () => `${realm.node.url}/realms/${realm.realmId}/account`
const patience = { timeout: 60_000 }

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(loginUrl())
}

async function mustDo(userId: string, ...actions: string[]): Promise<void> {
  await must(realm.call('PUT', `/users/${userId}/required-actions`, actions), 200)
}

const levelOf = async (userId: string) => {
  const sessions = (await realm.call('GET', `/sessions?userId=${userId}`)).body as { acr: string; amr: string[] }[]
  return sessions[0]!
}

describe('a passkey', patience, () => {
  test.each([
    { name: 'phone', viewport: phone },
    { name: 'desktop', viewport: desktop },
  ])('on a $name is made on the way in, and then opens the door by itself', async ({ name, viewport }) => {
    const { userId, username } = await addPerson(realm, `passkey-${name}`)
    await mustDo(userId, 'REGISTER_WEBAUTHN')
    await visit(browser, { viewport }, async ({ page, complaints }) => {
      const authenticator = await addAuthenticator(page)
      await page.goto(loginUrl())
      await submitLogin(page, username, adminPassword)
      await takePicture(page, `register-passkey-${name}`)
      await page.locator('[data-passkey-start]').click()
      await page.waitForURL(accountUrl())
      expect(await authenticator.count()).toBe(1)
      await signOut(page)
      // Without a hand on the keyboard: the browser offers it for the username field, and here it accepts at once.
      await page.waitForURL(accountUrl())
      expect(await levelOf(userId)).toMatchObject({ acr: 'urn:gatehouse:acr:3' })
      expect(complaints).toEqual([])
    })
  })

  test('as the second factor is asked for after the password and answers to its button', async () => {
    const { userId, username } = await addPerson(realm, 'key-second')
    await mustDo(userId, 'REGISTER_WEBAUTHN')
    await visit(browser, {}, async ({ page }) => {
      // A key that does not check who holds it is no first factor, but still a second one.
      await addAuthenticator(page, { verifies: false })
      await page.goto(loginUrl())
      await submitLogin(page, username, adminPassword)
      await page.locator('[data-passkey-start]').click()
      await page.waitForURL(accountUrl())
      await signOut(page)
      await submitLogin(page, username, adminPassword)
      await takePicture(page, 'second-factor-passkey')
      expect(page.url()).toBe(loginUrl())
      await page.locator('[data-passkey-start]').click()
      await page.waitForURL(accountUrl())
      const { amr } = await levelOf(userId)
      expect(amr).toEqual(expect.arrayContaining(['pwd', 'pop', 'mfa']))
    })
  })

  test('that is nowhere to be found says so and leaves the other ways open', async () => {
    const { userId, username } = await addPerson(realm, 'key-lost')
    await mustDo(userId, 'REGISTER_WEBAUTHN')
    const code = await addTotp(realm, userId)
    await visit(browser, {}, async ({ page }) => {
      const authenticator = await addAuthenticator(page)
      await page.goto(loginUrl())
      await submitLogin(page, username, adminPassword)
      await page.locator('#code').fill(code())
      await page.keyboard.press('Enter')
      await page.locator('[data-passkey-start]').click()
      await page.waitForURL(accountUrl())
      await authenticator.remove()
      await addAuthenticator(page)
      await signOut(page)
      await submitLogin(page, username, adminPassword)
      await page.locator('[data-passkey-start]').click()
      await page.locator('[data-passkey-status]:not(:empty)').waitFor()
      await page.getByRole('button', { name: /authenticator app/i }).click()
      await page.locator('#code').fill(code(30_000))
      await page.keyboard.press('Enter')
      await page.waitForURL(accountUrl())
    })
  })
})

describe('an authenticator app', patience, () => {
  test.each([
    { name: 'a phone with JavaScript', viewport: phone, javaScriptEnabled: true },
    { name: 'a desktop without JavaScript', viewport: desktop, javaScriptEnabled: false },
  ])('is set up on $name from the page alone, with recovery codes, and asked for next time', async (options) => {
    const { name, ...context } = options
    const { userId, username } = await addPerson(realm, `app-${options.javaScriptEnabled}`)
    await mustDo(userId, 'CONFIGURE_TOTP', 'CONFIGURE_RECOVERY_CODES')
    await visit(browser, context, async ({ page, complaints }) => {
      await page.goto(loginUrl())
      await submitLogin(page, username, adminPassword)
      await takePicture(page, `configure-totp-${name.replaceAll(' ', '-')}`, { fullPage: true })
      const uri = await page.locator('a[href^="otpauth:"]').getAttribute('href')
      const code = codesOf(new URL(uri!).searchParams.get('secret')!, realm)
      await page.locator('#code').fill('000 000')
      await page.keyboard.press('Enter')
      await page.locator('#code[aria-invalid="true"]').waitFor()
      await page.locator('#code').fill(code(-30_000))
      await page.keyboard.press('Enter')
      await page.getByRole('checkbox').waitFor()
      await takePicture(page, `recovery-codes-${name.replaceAll(' ', '-')}`, { fullPage: true })
      await page.getByRole('checkbox').check()
      await page.locator('button[type=submit]').first().click()
      await page.waitForURL(accountUrl())
      await signOut(page)
      await submitLogin(page, username, adminPassword)
      await page.locator('#code').fill(code())
      await page.keyboard.press('Enter')
      await page.waitForURL(accountUrl())
      expect(await levelOf(userId)).toMatchObject({ acr: 'urn:gatehouse:acr:2' })
      expect(complaints).toEqual([])
    })
  })
})
