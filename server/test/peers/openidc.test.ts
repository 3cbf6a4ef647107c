// A certified relying party that is not ours: Apache with mod_auth_openidc, driven in a browser.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, submitLogin, visit } from '../e2e/browser.ts'
import { createRealmFor, issuerOf, startTestNode, type TestNode, type TestRealm } from '../harness/index.ts'
import { adminPassword, must } from '../harness/realm.ts'
import { findPort } from './ports.ts'

const script = fileURLToPath(new URL('openidc.sh', import.meta.url))
const run = promisify(execFile)

let browser: Browser
let node: TestNode
let realm: TestRealm
let folder: string
let peer: string
let clientId: string

beforeAll(async () => {
  browser = await launchBrowser()
  // The back-channel goes to an address that outbound calls otherwise refuse.
  node = await startTestNode({ env: { GATEHOUSE_EGRESS_ALLOW: 'http://127.0.0.1' } })
  realm = await createRealmFor({ node })
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-openidc-'))
  const port = await findPort()
  peer = `http://127.0.0.1:${port}`
  const members = {
    clientId: 'apache',
    name: 'Apache',
    redirectUris: [`${peer}/app/callback`],
    postLogoutRedirectUris: [`${peer}/`],
    backchannelLogoutUri: `${peer}/app/callback?logout=backchannel`,
  }
  const { body } = await must(realm.call('POST', '/clients', members), 201)
  clientId = body.clientId
  await run('bash', [script, 'start', folder, String(port), issuerOf(realm), clientId, body.secret], {
    env: { ...process.env, OIDC_EXTRA: 'OIDCPKCEMethod S256' },
  })
}, 60_000)

afterAll(async () => {
  await browser?.close()
  if (folder) {
    await run('bash', [script, 'stop', folder])
    await rm(folder, { recursive: true, force: true })
  }
  await node?.stop()
})

/** What Apache tells the program behind it: one claim in a line. */
async function readClaims(page: Page): Promise<Record<string, string>> {
  const text = await page.locator('body').innerText()
  return Object.fromEntries(
    text.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

async function signIn(page: Page): Promise<Record<string, string>> {
  await page.goto(`${peer}/app/`)
  await submitLogin(page, 'admin', adminPassword)
  await page.waitForURL(`${peer}/app/`)
  return readClaims(page)
}

describe('Apache mod_auth_openidc', { timeout: 60_000 }, () => {
  test('signs a person in and gets their claims', async () => {
    await visit(browser, {}, async ({ page, complaints }) => {
      const claims = await signIn(page)
      expect(claims).toMatchObject({
        REMOTE_USER: realm.adminId,
        OIDC_CLAIM_iss: issuerOf(realm),
        OIDC_CLAIM_preferred_username: 'admin',
      })
      expect(complaints).toEqual([])
    })
  })

  test('refreshes its access token', async () => {
    await visit(browser, {}, async ({ page }) => {
      const { OIDC_access_token: before = '' } = await signIn(page)
      const back = encodeURIComponent(`${peer}/app/`)
      // Two tokens of one second would be told apart by their ids only; what counts is that another one came.
      await page.goto(`${peer}/app/callback?refresh=${back}&access_token=${before}`)
      const { OIDC_access_token: after = '' } = await readClaims(page)
      expect(after).not.toBe('')
      expect(after).not.toBe(before)
      expect(await realm.events(`&type=TOKEN_REFRESHED&clientId=${clientId}`)).toHaveLength(1)
    })
  })

  test('signs out here and there', async () => {
    await visit(browser, {}, async ({ page }) => {
      await signIn(page)
      await page.goto(`${peer}/app/callback?logout=${encodeURIComponent(`${peer}/`)}`)
      await page.waitForURL(`${peer}/`)
      await page.goto(`${peer}/app/`)
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    })
  })

  test('is told when an administrator ends the session (back-channel logout)', async () => {
    await visit(browser, {}, async ({ page }) => {
      await signIn(page)
      const { body } = await realm.call('GET', `/sessions?clientId=${clientId}`)
      for (const session of body) await must(realm.call('DELETE', `/sessions/${session.id}`), 204)
      await expect
        .poll(
          async () => {
            await page.goto(`${peer}/app/`)
            return page.url().startsWith(node.url)
          },
          { timeout: 20_000, interval: 500 },
        )
        .toBe(true)
    })
  })
})
