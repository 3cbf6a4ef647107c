import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { desktop, launchBrowser, phone } from '../e2e/browser.ts'
import { type Gallery, startGallery } from './gallery.ts'
import { type Findings, inspectStates } from './inspection.ts'

let browser: Browser
let gallery: Gallery
let findings: Findings[]

beforeAll(async () => {
  gallery = await startGallery()
  browser = await launchBrowser()
  findings = await inspectStates(browser, gallery.baseUrl, gallery.names)
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await gallery?.close()
})

async function withPage<T>(options: BrowserContextOptions, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext(options)
  try {
    return await work(await context.newPage())
  } finally {
    await context.close()
  }
}

function openState(page: Page, state: string) {
  return page.goto(`${gallery.baseUrl}/${state}`, { waitUntil: 'load' })
}

/** The states with a fault, each with what was found. */
function collect<T>(read: (found: Findings) => T, isFault: (value: T) => boolean): Record<string, T> {
  const faults = findings.map((found) => [found.state, read(found)] as const).filter(([, value]) => isFault(value))
  return Object.fromEntries(faults)
}

describe('every page in a browser', () => {
  test('is looked at', () => {
    expect(findings.map(({ state }) => state).sort()).toEqual([...gallery.names].sort())
  })

  test.each(['desktop-light', 'desktop-dark', 'desktop-rtl', 'phone-light', 'phone-dark'])(
    'is free of axe-core violations (%s)',
    (look) => {
      expect(
        collect(
          ({ barriers }) => barriers[look],
          (found) => found?.length !== 0,
        ),
      ).toEqual({})
    },
  )

  test('keeps its own content security policy and logs nothing', () => {
    expect(
      collect(
        ({ complaints }) => complaints,
        (found) => found.length > 0,
      ),
    ).toEqual({})
  })

  test('does not scroll sideways at 320 pixels, in either direction', () => {
    expect(
      collect(
        ({ overflow }) => overflow,
        ({ ltr, rtl }) => ltr > 0 || rtl > 0,
      ),
    ).toEqual({})
  })

  test('has nothing to press that is less than 44 pixels high', () => {
    expect(
      collect(
        ({ small }) => small,
        (found) => found.length > 0,
      ),
    ).toEqual({})
  })

  test('weighs less than 60 KB with all it loads', () => {
    expect(
      collect(
        ({ weight }) => weight,
        (bytes) => bytes < 10_000 || bytes >= 60_000,
      ),
    ).toEqual({})
  })

  test('stays where it is while it loads', () => {
    expect(
      collect(
        ({ moved }) => moved,
        (found) => found.length > 0,
      ),
    ).toEqual({})
  })
})

describe('pages in use', () => {
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
      expect(readPosted()).toEqual({
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

  const hidden = { _csrf: 'csrf-value', continuation: 'opaque-continuation', signIn: 'sign-in-1' }

  test('a second factor needs no JavaScript, and the Enter key sends the code', async () => {
    await withPage({ viewport: phone, javaScriptEnabled: false }, async (page) => {
      await openState(page, 'otp-totp')
      await page.locator('input[name=code]:focus').waitFor()
      await page.keyboard.type('123456')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/console')
      expect(readPosted()).toEqual({ ...hidden, code: '123456' })
      await openState(page, 'otp-sms')
      await page.getByRole('button', { name: 'Recovery code' }).click()
      await page.waitForURL('**/console')
      expect(readPosted()).toEqual({ ...hidden, method: 'recovery-code' })
      await openState(page, 'otp-sms')
      await page.getByRole('button', { name: 'Send another code' }).click()
      await page.waitForURL('**/console')
      expect(readPosted()).toEqual({ ...hidden, resend: 'true' })
    })
  })

  test('without JavaScript a passkey page says so and leaves the other ways', async () => {
    await withPage({ viewport: phone, javaScriptEnabled: false }, async (page) => {
      await openState(page, 'webauthn')
      expect(await page.getByRole('button', { name: 'Use passkey' }).isVisible()).toBe(false)
      expect(await page.locator('noscript p').isVisible()).toBe(true)
      await page.getByRole('button', { name: 'Recovery code' }).click()
      await page.waitForURL('**/console')
      expect(readPosted()).toEqual({ ...hidden, method: 'recovery-code' })
    })
  })

  test('a device is connected without JavaScript, and the Enter key sends its code', async () => {
    await withPage({ viewport: phone, javaScriptEnabled: false }, async (page) => {
      await openState(page, 'user-code')
      await page.locator('input[name=user_code]:focus').waitFor()
      await page.keyboard.type('bcdf ghjk')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/console')
      expect(readPosted()).toEqual({ _csrf: 'csrf-value', hint: 'hint-value', user_code: 'bcdf ghjk' })
      for (const [button, decision] of [
        ['Allow', 'allow'],
        ['Deny', 'deny'],
        ['Not you? Use another account', 'switch'],
      ] as const) {
        await openState(page, 'approval-device')
        await page.getByRole('button', { name: button }).click()
        await page.waitForURL('**/console')
        expect(readPosted()).toEqual({ _csrf: 'csrf-value', user_code: 'BCDF-GHJK', decision })
      }
    })
  })

  test('a link is asked for without a password', async () => {
    await withPage({ viewport: phone }, async (page) => {
      await openState(page, 'login-all')
      await page.getByLabel('Username or email').fill('ada')
      await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
      await page.waitForURL('**/console')
      expect(readPosted()).toMatchObject({ username: 'ada', password: '', magicLink: 'true' })
    })
  })

  test.each([
    ['login-wrong', 'password'],
    ['otp-totp-wrong', 'code'],
    ['recovery-code', 'code'],
    ['configure-totp-german', 'code'],
    ['update-password-wrong', 'newPassword'],
    ['update-password-dutch', 'confirmPassword'],
    ['update-profile-wrong', 'lastName'],
    ['register-wrong', 'email'],
    ['register-french', 'accept'],
    ['reset-password-missing', 'username'],
    ['terms-refused', 'accept'],
    ['recovery-codes-unsaved', 'saved'],
    ['user-code-unknown', 'user_code'],
    ['user-code-expired', 'user_code'],
    ['account-personal-wrong', 'lastName'],
    ['account-contact', 'phone'],
    ['account-password', 'currentPassword'],
    ['account-delete', 'confirmation'],
  ])('%s announces its error beside the field and holds the cursor there', async (state, name) => {
    await withPage({ viewport: phone }, async (page) => {
      await openState(page, state)
      const field = page.locator(`[name=${name}]`)
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
      const described = await field.getAttribute('aria-describedby')
      const error = page.locator(`#${described?.split(' ')[0]}`)
      expect(await error.getAttribute('role')).toBe('alert')
      expect((await error.textContent())?.length).toBeGreaterThan(8)
    })
  })
})

function readPosted(): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(gallery.posted.pop()))
}
