// What an application wants signed, in a real browser: with a passkey by its button, and without script by what is typed.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson, createRealmFor, must, startTestNode, type TestRealm } from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'
import { callTx, createShop, machineToken, startTx } from '../harness/transactions.ts'
import { addAuthenticator } from './authenticator.ts'
import { desktop, findBarriers, launchBrowser, phone, submitLogin, takePicture, visit } from './browser.ts'

let browser: Browser
let realm: TestRealm
let machine: string
beforeAll(async () => {
  browser = await launchBrowser()
  // Passkeys belong to a name.
  realm = await createRealmFor({ node: await startTestNode({ host: 'localhost' }) })
  machine = await machineToken(realm, await createShop(realm))
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await realm?.node.stop()
})

const patience = { timeout: 60_000 }
const accountUrl = () => `${realm.node.url}/realms/${realm.realmId}/account`
const read = async (id: string) => (await must(callTx(realm, machine, 'GET', `/${id}`), 200)).body

test('a passkey signs on a phone by one press, and what it may sign is all on the page', patience, async () => {
  const { userId, username } = await addPerson(realm, 'ada')
  await must(realm.call('PUT', `/users/${userId}/required-actions`, ['REGISTER_WEBAUTHN']), 200)
  const { id, signUrl } = await startTx(realm, machine, { userId, requiredAcr: 'urn:gatehouse:acr:3' })
  await visit(browser, { viewport: phone }, async ({ page, complaints }) => {
    await addAuthenticator(page)
    // Whoever is not signed in comes back here afterwards.
    await page.goto(signUrl)
    await submitLogin(page, username, adminPassword)
    await page.locator('[data-passkey-start]').click()
    await page.waitForURL(signUrl)
    for (const text of ['Pay 12.50 EUR to Northwind', 'creditor', 'Northwind', '12.5'])
      expect(await page.getByText(text).count()).toBeGreaterThan(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    await takePicture(page, 'transaction-passkey', { fullPage: true })
    await page.getByRole('button', { name: 'Sign with a passkey' }).click()
    await page.getByRole('heading', { name: 'You signed' }).waitFor()
    expect(complaints).toEqual([])
    const signed = await read(id)
    expect(signed).toMatchObject({ status: 'SIGNED', method: 'WEBAUTHN', signature: expect.any(String) })
    // Looked at again, or sent again by the way back, it stays signed.
    await page.goto(signUrl)
    await page.getByRole('heading', { name: 'You signed' }).waitFor()
    expect((await read(id)).signature).toBe(signed.signature)
  })
})

test('a passkey that is not there says so, and the password beside it signs', patience, async () => {
  const { userId, username } = await addPerson(realm, 'grace')
  await must(realm.call('PUT', `/users/${userId}/required-actions`, ['REGISTER_WEBAUTHN']), 200)
  const { id, signUrl } = await startTx(realm, machine, { userId })
  await visit(browser, { viewport: desktop, colorScheme: 'dark' }, async ({ page, complaints }) => {
    const authenticator = await addAuthenticator(page)
    await page.goto(`${realm.node.url}/realms/${realm.realmId}/login`)
    await submitLogin(page, username, adminPassword)
    await page.locator('[data-passkey-start]').click()
    await page.waitForURL(accountUrl())
    await authenticator.remove()
    await addAuthenticator(page)
    await page.goto(signUrl)
    await page.getByRole('button', { name: 'Sign with a passkey' }).click()
    await page.locator('[data-passkey-status]:not(:empty)').waitFor()
    expect((await read(id)).status).toBe('PENDING')
    await page.getByLabel('Password').fill('not-the-password')
    await page.getByRole('button', { name: 'Sign with the password' }).click()
    await page.getByText('That password is not right.').waitFor()
    await page.getByLabel('Password').fill(adminPassword)
    await page.getByRole('button', { name: 'Sign with the password' }).click()
    await page.getByRole('heading', { name: 'You signed' }).waitFor()
    expect((await read(id)).method).toBe('PASSWORD')
    expect(complaints).toEqual([])
  })
})

test('without JavaScript the password signs, and one press rejects', patience, async () => {
  const { userId, username } = await addPerson(realm, 'edith')
  const [one, two] = [await startTx(realm, machine, { userId }), await startTx(realm, machine, { userId })]
  await visit(browser, { viewport: phone, javaScriptEnabled: false }, async ({ page, complaints }) => {
    await page.goto(one.signUrl)
    await submitLogin(page, username, adminPassword)
    await page.waitForURL(one.signUrl)
    await page.getByLabel('Password').fill(adminPassword)
    await page.getByRole('button', { name: 'Sign with the password' }).click()
    await page.getByRole('heading', { name: 'You signed' }).waitFor()
    await page.goto(two.signUrl)
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('heading', { name: 'You rejected it' }).waitFor()
    expect([(await read(one.id)).status, (await read(two.id)).status]).toEqual(['SIGNED', 'REJECTED'])
    expect(complaints).toEqual([])
  })
})
