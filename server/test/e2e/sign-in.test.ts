import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRealmFor, getNode, type TestRealm } from '../harness/index.ts'
import { adminPassword, must } from '../harness/realm.ts'
import { desktop, launchBrowser, phone, submitLogin, visit } from './browser.ts'

let browser: Browser
let realm: TestRealm
let base: string

beforeAll(async () => {
  browser = await launchBrowser()
  base = (await getNode()).url
  realm = await createRealmFor()
}, 60_000)

afterAll(() => browser?.close())

const loginUrl = (query = '') => `${base}/realms/${realm.realmId}/login${query}`
const consoleUrl = () => `${base}/console/${realm.realmId}/`
const accountUrl = () => `${base}/realms/${realm.realmId}/account`

const devices = [
  { name: 'phone with JavaScript', viewport: phone, javaScriptEnabled: true },
  { name: 'phone without JavaScript', viewport: phone, javaScriptEnabled: false },
  { name: 'desktop with JavaScript', viewport: desktop, javaScriptEnabled: true },
  { name: 'desktop without JavaScript', viewport: desktop, javaScriptEnabled: false },
]

/** Focus as the browser reports it to everybody, so that it can be seen without a script in the page. */
async function hasFocus(page: Page, selector: string): Promise<boolean> {
  return (await page.locator(`${selector}:focus`).count()) === 1
}

async function createPerson(username: string, password: string, temporary: boolean): Promise<string> {
  const { userId } = (await must(realm.call('POST', '/users', { username }), 201)).body
  await must(realm.call('PUT', `/users/${userId}/password`, { newPassword: password, temporary }), 204)
  return userId
}

async function sessionCookie(page: Page) {
  const cookies = await page.context().cookies()
  return cookies.find(({ name }) => name === `gatehouse_session_${realm.realmId}`)
}

// A browser on a busy machine takes several times as long as on a quiet one.
const patience = { timeout: 60_000 }

describe('signing in through the page', patience, () => {
  test.each(devices)(
    '$name: a wrong password is said beside the field, the right one opens the console, signing out ends it',
    async ({ name: _name, ...options }) => {
      await visit(browser, options, async ({ page, complaints }) => {
        await page.goto(loginUrl())
        expect(await hasFocus(page, '#username')).toBe(true)
        await submitLogin(page, 'admin', 'not-the-password-at-all')
        expect(page.url()).toBe(loginUrl())
        expect(await page.locator('#password-error').textContent()).toContain('do not match')
        expect(await page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true')
        expect(await hasFocus(page, '#password')).toBe(true)
        // The name stays, the password does not.
        expect(await page.getByLabel(/^Username/).inputValue()).toBe('admin')
        expect(await page.getByLabel('Password').inputValue()).toBe('')

        await page.getByLabel('Password').fill(adminPassword)
        await page.keyboard.press('Enter')
        await page.waitForURL(consoleUrl())
        expect(await page.getByText('admin', { exact: true }).count()).toBeGreaterThan(0)

        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.waitForURL(loginUrl())
        await page.goto(consoleUrl())
        expect(page.url()).toBe(loginUrl(`?redirect=${encodeURIComponent(`/console/${realm.realmId}/`)}`))
        expect(complaints).toEqual([])
      })
    },
  )

  test('the back button after signing out shows nothing of the session', async () => {
    await visit(browser, {}, async ({ page }) => {
      await page.goto(loginUrl())
      await submitLogin(page, 'admin', adminPassword)
      await page.waitForURL(consoleUrl())
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL(loginUrl())
      await page.goBack()
      expect(await page.getByText('Signed in as').count()).toBe(0)
    })
  })

  test('a user without admin permissions lands on the account page', async () => {
    await createPerson('visitor', 'a-quiet-afternoon-2026', false)
    await visit(browser, {}, async ({ page }) => {
      await page.goto(loginUrl())
      await submitLogin(page, 'visitor', 'a-quiet-afternoon-2026')
      await page.waitForURL(accountUrl())
      expect(await page.getByRole('heading', { name: 'Your account' }).count()).toBe(1)
      // The console sends them back here.
      await page.goto(consoleUrl())
      expect(page.url()).toBe(accountUrl())
    })
  })

  test('an empty form says which field is missing and puts the cursor there', async () => {
    await visit(browser, { javaScriptEnabled: false }, async ({ page }) => {
      await page.goto(loginUrl())
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      // The browser itself may refuse an empty required field; then nothing was sent, and the cursor is there as well.
      expect(await hasFocus(page, '#username')).toBe(true)
      expect(page.url()).toBe(loginUrl())
    })
  })

  test('remember me keeps the session when the browser closes; without it the session goes with the browser', async () => {
    for (const remembered of [true, false]) {
      await visit(browser, {}, async ({ page }) => {
        await page.goto(loginUrl())
        await page.getByLabel('Keep me signed in').setChecked(remembered)
        await submitLogin(page, 'admin', adminPassword)
        await page.waitForURL(consoleUrl())
        const { expires, httpOnly, sameSite } = (await sessionCookie(page))!
        expect(expires > 0).toBe(remembered)
        expect({ httpOnly, sameSite }).toEqual({ httpOnly: true, sameSite: 'Lax' })
      })
    }
  })
})

describe('where the sign-in leads', patience, () => {
  test('honours a redirect to a path of this server', async () => {
    await visit(browser, {}, async ({ page }) => {
      await page.goto(loginUrl(`?redirect=${encodeURIComponent('/errors?from=test#top')}`))
      await submitLogin(page, 'admin', 'wrong-on-the-first-try')
      // The way is kept through a failed attempt, although the address no longer names it.
      await submitLogin(page, 'admin', adminPassword)
      await page.waitForURL(`${base}/errors?from=test#top`)
    })
  })

  test('S23: refuses a redirect that leads anywhere else', async () => {
    const elsewhere = ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)', '/\t/evil']
    await visit(browser, {}, async ({ page, requested }) => {
      for (const redirect of elsewhere) {
        const answer = await page.goto(loginUrl(`?redirect=${encodeURIComponent(redirect)}`))
        expect(answer!.status(), redirect).toBe(400)
        expect(await page.getByRole('button', { name: 'Sign in', exact: true }).count()).toBe(0)
      }
      expect(requested.filter((url) => !url.startsWith(base))).toEqual([])
    })
  })

  test('two tabs side by side do not disturb one another', async () => {
    await visit(browser, {}, async ({ page: first, newTab }) => {
      const second = await newTab()
      await first.goto(loginUrl(`?redirect=${encodeURIComponent('/errors/not_found')}`))
      await second.goto(loginUrl(`?redirect=${encodeURIComponent('/errors/forbidden')}`))
      await submitLogin(first, 'admin', 'wrong-in-the-first-tab')
      await submitLogin(second, 'admin', 'wrong-in-the-second-tab')
      await submitLogin(first, 'admin', adminPassword)
      await first.waitForURL(`${base}/errors/not_found`)
      // The CSRF token rotated with that sign-in: the second tab gets its form anew and still leads where it was going.
      await submitLogin(second, 'admin', adminPassword)
      expect(await second.getByRole('alert').textContent()).toContain('sign in again')
      await submitLogin(second, 'admin', adminPassword)
      await second.waitForURL(`${base}/errors/forbidden`)
    })
  })

  test('two people in two browsers sign in at the same time', async () => {
    await visit(browser, {}, async ({ page: first }) =>
      visit(browser, {}, async ({ page: second }) => {
        await Promise.all([first.goto(loginUrl()), second.goto(loginUrl())])
        await Promise.all([submitLogin(first, 'admin', adminPassword), submitLogin(second, 'admin', adminPassword)])
        await Promise.all([first.waitForURL(consoleUrl()), second.waitForURL(consoleUrl())])
        expect((await sessionCookie(first))!.value).not.toBe((await sessionCookie(second))!.value)
      }),
    )
  })
})

describe('the required action UPDATE_PASSWORD', patience, () => {
  async function choose(page: Page, password: string, again = password) {
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByLabel('Repeat the new password').fill(again)
    await page.getByRole('button', { name: 'Save and continue' }).click()
  }

  test.each([true, false])(
    'with JavaScript %s: bad passwords are refused with the reason, a good one opens the door',
    async (javaScriptEnabled) => {
      const username = `newcomer-${javaScriptEnabled}`
      await createPerson(username, 'first-day-at-the-gate', true)
      await visit(browser, { viewport: phone, javaScriptEnabled }, async ({ page, complaints }) => {
        await page.goto(loginUrl())
        await submitLogin(page, username, 'first-day-at-the-gate')
        await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
        // Half-way is not signed in.
        expect(await sessionCookie(page)).toBeUndefined()

        const refused: [string, string, RegExp][] = [
          ['short', 'short', /at least 12 characters/],
          ['password1234', 'password1234', /known|breach/],
          ['first-day-at-the-gate', 'first-day-at-the-gate', /last|again|used/],
          ['quite-another-word', 'quite-another-wort', /not the same/],
        ]
        for (const [password, again, reason] of refused) {
          await choose(page, password, again)
          expect(await page.locator('.gh-field-error').allTextContents()).toEqual([expect.stringMatching(reason)])
          expect(await page.locator('[aria-invalid=true]:focus').count()).toBe(1)
        }
        await choose(page, 'every-gate-has-two-sides')
        await page.waitForURL(accountUrl())
        expect(complaints).toEqual([])

        await page.getByRole('button', { name: 'Sign out' }).click()
        await submitLogin(page, username, 'first-day-at-the-gate')
        expect(await page.locator('#password-error').count()).toBe(1)
        await submitLogin(page, username, 'every-gate-has-two-sides')
        await page.waitForURL(accountUrl())
      })
    },
  )
})
