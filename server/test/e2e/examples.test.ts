import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'
import { launchBrowser, submitLogin, visit } from './browser.ts'

const examples = new URL('../../../examples/', import.meta.url)
const started: ChildProcess[] = []

let browser: Browser
let realm: TestRealm
let web: string
let spa: string
let machine: { clientId: string; secret: string }

beforeAll(async () => {
  browser = await launchBrowser()
  realm = await createRealmFor()
  const [webPort, spaPort] = [await findPort(), await findPort()]
  web = `http://127.0.0.1:${webPort}`
  spa = `http://127.0.0.1:${spaPort}`
  const webClient = await createClient({
    clientId: 'web-app',
    name: 'Web app',
    redirectUris: [`${web}/callback`],
    postLogoutRedirectUris: [`${web}/`],
    backchannelLogoutUri: `${web}/backchannel-logout`,
  })
  await createClient({
    clientId: 'single-page-app',
    publicClient: true,
    redirectUris: [`${spa}/`],
    postLogoutRedirectUris: [`${spa}/`],
    webOrigins: ['+'],
  })
  machine = await createClient({ clientId: 'machine-client', grantTypes: ['client_credentials'] })
  await start('web-app/server.mjs', { CLIENT_ID: 'web-app', CLIENT_SECRET: webClient.secret, PORT: String(webPort) })
  await start('single-page-app/server.mjs', { CLIENT_ID: 'single-page-app', PORT: String(spaPort) })
}, 60_000)

afterAll(async () => {
  await browser?.close()
  for (const child of started) child.kill()
})

async function createClient(body: object): Promise<{ clientId: string; secret: string }> {
  const answer = await realm.call('POST', '/clients', body)
  expect(answer.status).toBe(201)
  return answer.body as { clientId: string; secret: string }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function run(file: string, settings: Record<string, string>): ChildProcess {
  const env = { ...process.env, ISSUER: `${realm.node.url}/realms/${realm.realmId}`, ...settings }
  return spawn(process.execPath, [fileURLToPath(new URL(file, examples))], { env })
}

/** Starts an example and waits until it says where it is. */
async function start(file: string, settings: Record<string, string>): Promise<void> {
  const child = run(file, settings)
  started.push(child)
  let complaints = ''
  child.stderr?.on('data', (chunk: Buffer) => (complaints += String(chunk)))
  await Promise.race([
    once(child.stdout!, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended: ${complaints}`))),
  ])
}

async function signInTo(page: Page, address: string, open: () => Promise<void>): Promise<void> {
  await page.goto(address)
  await open()
  await submitLogin(page, 'admin', adminPassword)
}

describe('the examples', () => {
  test('web app: signs in, shows the claims and signs out', async () => {
    await visit(browser, {}, async ({ page, complaints }) => {
      await signInTo(page, web, () => page.getByRole('link', { name: 'Sign in', exact: true }).click())
      await page.getByRole('heading', { name: /^Hello/ }).waitFor()
      expect(await page.getByRole('table').textContent()).toContain(`/realms/${realm.realmId}`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByText('Nobody is signed in.').waitFor()
      expect(page.url()).toBe(`${web}/`)
      // The session at the issuer is over as well: the form comes again.
      await page.getByRole('link', { name: 'Sign in', exact: true }).click()
      await page.getByLabel('Password').waitFor()
      expect(complaints).toEqual([])
    })
  })

  test('single-page app: signs in, reads userinfo, refreshes and signs out', async () => {
    await visit(browser, {}, async ({ page, complaints }) => {
      await signInTo(page, spa, () => page.getByRole('button', { name: 'Sign in', exact: true }).click())
      await page.getByText('You are signed in.').waitFor()
      expect(await page.locator('#claims').textContent()).toContain('"preferred_username": "admin"')
      expect(page.url()).toBe(`${spa}/`)
      for (let round = 0; round < 2; round++) {
        await page.getByRole('button', { name: 'Refresh the tokens' }).click()
        await page.getByText('The tokens were refreshed.').waitFor()
      }
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByText('Nobody is signed in.').waitFor()
      expect(complaints).toEqual([])
    })
  })

  test('one sign-in serves both', async () => {
    await visit(browser, {}, async ({ page }) => {
      await signInTo(page, web, () => page.getByRole('link', { name: 'Sign in', exact: true }).click())
      await page.getByRole('heading', { name: /^Hello/ }).waitFor()
      await page.goto(spa)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByText('You are signed in.').waitFor()
    })
  })

  test('machine client: gets a token and introspects it', async () => {
    const child = run('machine-client/client.mjs', { CLIENT_ID: machine.clientId, CLIENT_SECRET: machine.secret })
    const output = (await child.stdout!.toArray()).join('')
    expect(output).toContain(`client_id: 'machine-client'`)
    expect(output).toContain('active: true')
  })
})
