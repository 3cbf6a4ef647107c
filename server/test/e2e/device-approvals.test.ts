// A telephone and a QR code in a real browser: the screen goes on by itself, and by its button where there is no script.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addDevice,
  addPerson,
  createDevice,
  createRealmFor,
  must,
  type Person,
  type TestDevice,
  type TestRealm,
} from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'
import { desktop, findBarriers, launchBrowser, phone, submitLogin, takePicture, visit } from './browser.ts'

let browser: Browser
let realm: TestRealm
let person: Person
let device: TestDevice

beforeAll(async () => {
  browser = await launchBrowser()
  realm = await createRealmFor()
  person = await addPerson(realm, 'ada')
  device = await addDevice(realm, person.userId)
  const alternative = (authenticator: string) => ({ authenticator, requirement: 'ALTERNATIVE' })
  const first = { requirement: 'REQUIRED', steps: [alternative('username-password'), alternative('qr')] }
  const second = { requirement: 'CONDITIONAL', steps: [alternative('device-key')] }
  await must(realm.call('PUT', '/flow', { steps: [first, second] }), 200)
}, 60_000)
afterAll(() => browser?.close())

const path = (rest: string) => `/realms/${realm.realmId}${rest}`
const open = (page: Page) => page.goto(`${realm.node.url}${path('/login')}?redirect=${path('/account')}`)
const hasArrived = (page: Page) => page.waitForURL((url) => url.pathname === path('/account'))

/** Looked at by a program for barriers, and by people as a picture. */
async function inspect(page: Page, name: string): Promise<void> {
  expect(await findBarriers(page)).toEqual([])
  await takePicture(page, name, { fullPage: true })
}

/** What the app of the person does: find the question, and name the number that the screen shows. */
async function answer(page: Page): Promise<void> {
  const number = Number(await page.locator('.gh-compare-code').textContent())
  const [asked] = (await device.send('GET', path('/push'))).body
  expect(asked.numberChoices).toContain(number)
  const signature = await device.state({ push: asked.id, decision: 'APPROVE', number })
  const body = { number, deviceId: device.deviceId, signature }
  await must(device.send('POST', path(`/push/${asked.id}/approve`), body), 200)
}

describe('the key of a device', { timeout: 60_000 }, () => {
  test.each([
    { name: 'on a phone the page goes on by itself', viewport: phone, javaScriptEnabled: true },
    { name: 'on a desktop without JavaScript by its button', viewport: desktop, javaScriptEnabled: false },
  ])('$name', async ({ name: _name, ...options }) => {
    await visit(browser, options, async ({ page, complaints }) => {
      await open(page)
      await submitLogin(page, 'ada', adminPassword)
      const go = page.getByRole('button', { name: 'I have answered, continue' })
      await go.waitFor()
      if (options.javaScriptEnabled) await inspect(page, 'device-key')
      // Pressed too early it shows the same question.
      if (!options.javaScriptEnabled) await go.click()
      await answer(page)
      if (!options.javaScriptEnabled) await go.click()
      await hasArrived(page)
      expect(complaints).toEqual([])
    })
  })
})

describe('a QR code', { timeout: 60_000 }, () => {
  test('is read with a phone that is signed in, and lets the desktop in', async () => {
    await visit(browser, { viewport: phone }, async ({ page: telephone }) => {
      await open(telephone)
      await submitLogin(telephone, 'ada', adminPassword)
      await answer(telephone)
      await hasArrived(telephone)
      await visit(browser, { viewport: desktop, colorScheme: 'dark' }, async ({ page: screen, complaints }) => {
        await open(screen)
        await screen.getByRole('button', { name: 'Sign in with a QR code' }).click()
        await screen.locator('svg.gh-qr').waitFor()
        await inspect(screen, 'qr-code')
        const [row] = await realm.run(({ tx, realmId }) =>
          tx
            .selectFrom('device_approvals')
            .select('id')
            .where('realm_id', '=', realmId)
            .where('kind', '=', 'QR')
            .execute(),
        )
        await telephone.goto(`${realm.node.url}${path(`/qr/${row!.id}`)}`)
        await screen.getByText('Scanned. Now confirm on your phone.').waitFor()
        await inspect(telephone, 'qr-confirm')
        await telephone.getByRole('button', { name: 'Sign in there' }).click()
        await telephone.getByRole('heading', { name: 'Go back to the other screen' }).waitFor()
        // The code was the first factor; the device is asked for the second.
        await screen.getByRole('heading', { name: 'Confirm with your device' }).waitFor()
        await answer(screen)
        await hasArrived(screen)
        expect(complaints).toEqual([])
      })
    })
  })
})

describe('a device to be enrolled', { timeout: 60_000 }, () => {
  test.each([
    { name: 'on a desktop the page goes on by itself', viewport: desktop, javaScriptEnabled: true },
    { name: 'on a phone without JavaScript by its button', viewport: phone, javaScriptEnabled: false },
  ])('$name, once the device is there', async ({ name: _name, ...options }) => {
    const username = options.javaScriptEnabled ? 'grace' : 'edith'
    const { userId } = await addPerson(realm, username, { requiredActions: ['REGISTER_DEVICE'] })
    await visit(browser, options, async ({ page, complaints }) => {
      await open(page)
      await submitLogin(page, username, adminPassword)
      const url = (await page.getByText('/device/enroll#enr_').first().textContent())!.trim()
      if (options.javaScriptEnabled) await inspect(page, 'register-device')
      await (await createDevice(realm)).enroll(url.split('#')[1]!)
      if (!options.javaScriptEnabled) await page.locator('button[type=submit]').first().click()
      await hasArrived(page)
      expect(complaints).toEqual([])
    })
    const person = (await realm.call('GET', `/users/${userId}`)).body
    expect(person).toMatchObject({ requiredActions: [], mfaEnabled: true })
  })
})
