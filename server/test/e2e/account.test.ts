// Somebody looks after their account in a real browser: with a passkey on a phone, and without JavaScript on a desktop.
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordConsent } from '../../src/domain/consents/index.ts'
import {
  addPerson,
  createClientIn,
  createRealmFor,
  must,
  passPassword,
  startTestNode,
  type TestRealm,
} from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'
import { addAuthenticator } from './authenticator.ts'
import { desktop, findBarriers, launchBrowser, phone, submitLogin, takePicture, visit } from './browser.ts'

let browser: Browser
let realm: TestRealm
beforeAll(async () => {
  browser = await launchBrowser()
  realm = await createRealmFor({ node: await startTestNode({ host: 'localhost' }) })
  await must(realm.call('PUT', '/settings', { selfDeletionAllowed: true }), 200)
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await realm?.node.stop()
})

const accountUrl = (page = '') => `${realm.node.url}/realms/${realm.realmId}/account${page}`
const patience = { timeout: 60_000 }
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const notice = (page: Page) => page.getByRole('status').textContent()

async function enter(page: Page, username: string): Promise<void> {
  await page.goto(accountUrl())
  await submitLogin(page, username, adminPassword)
  await page.waitForURL(accountUrl())
}

describe('somebody’s own account', patience, () => {
  test('on a phone: a passkey is made, named and removed, and the old sign-in asked for again', async () => {
    const { username } = await addPerson(realm, 'phone-owner')
    await visit(browser, { viewport: phone }, async ({ page, complaints }) => {
      await addAuthenticator(page)
      await enter(page, username)
      await page.getByRole('link', { name: /^Add a second way/ }).click()
      await link(page, 'Add a passkey').click()
      await button(page, 'Continue').click()
      await page.locator('[data-passkey-start]').click()
      await page.waitForURL(accountUrl('/security'))
      await page.getByRole('link', { name: /^Rename/ }).waitFor()
      await page.waitForLoadState()
      await takePicture(page, 'account-passkey', { fullPage: true })
      expect(await findBarriers(page)).toEqual([])
      await page.getByRole('link', { name: /^Rename/ }).click()
      await page.getByLabel('Name').fill('My phone')
      await button(page, 'Save').click()
      expect(await notice(page)).toContain('new name')
      expect(await page.locator('.gh-item-name').first().textContent()).toContain('My phone')
      realm.node.clock.advance(6 * 60_000)
      await page.getByRole('link', { name: /^Remove/ }).click()
      await page.getByRole('heading', { name: 'Confirm it is you' }).waitFor()
      await link(page, 'Sign in again').click()
      // The passkey answers by itself where the browser offers it; here the password is as good.
      await page.waitForURL((url) => url.searchParams.get('step') === 'remove')
      await button(page, 'Remove').click()
      expect(await notice(page)).toContain('removed')
      expect(complaints).toEqual([])
    })
  })

  test('on a desktop without JavaScript: password, sessions, applications, data, and the end', async () => {
    const { username, userId } = await addPerson(realm, 'desktop-owner')
    const other = (await passPassword(realm, username)).browser
    const client = await createClientIn(realm, { name: 'Webmail' })
    await realm.run((ctx) =>
      recordConsent(ctx, { userId, clientUuid: client.id, scopes: ['openid', 'email'], claims: [], resources: {} }),
    )
    const options = { viewport: desktop, javaScriptEnabled: false, colorScheme: 'dark' } as const
    await visit(browser, options, async ({ page, complaints }) => {
      await enter(page, username)
      await link(page, 'Sessions and devices').first().click()
      await page.getByRole('button', { name: /^Sign out (?!everywhere)/ }).click()
      expect(await notice(page)).toContain('signed out')
      expect((await other.get(`/realms/${realm.realmId}/account`)).status).toBe(303)

      await link(page, 'Applications').click()
      await page.getByRole('link', { name: 'Remove access of Webmail' }).click()
      await button(page, 'Remove access').click()
      expect(await page.locator('main').textContent()).toContain('No application has access')

      await link(page, 'Password and security').click()
      await link(page, 'Change password').click()
      await page.getByLabel('Current password').fill(adminPassword)
      await page.getByLabel('New password', { exact: true }).fill('a-new-evening-2026')
      await page.getByLabel('Repeat the new password').fill('a-new-evening-2026')
      await button(page, 'Change password').click()
      expect(await notice(page)).toContain('password is changed')

      await link(page, 'Data and privacy').click()
      const [file] = await Promise.all([page.waitForEvent('download'), link(page, 'Download my data').click()])
      expect(await readFile(await file.path(), 'utf8')).toContain(username)
      await link(page, 'Delete my account').click()
      await page.getByLabel('Type your username').fill(username)
      await button(page, 'Delete for good').click()
      await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor()
      await page.goto(accountUrl())
      expect(page.url()).toContain('/login?redirect=')
      expect(complaints).toEqual([])
    })
    expect((await realm.call('GET', `/users/${userId}`)).status).toBe(404)
  })
})
