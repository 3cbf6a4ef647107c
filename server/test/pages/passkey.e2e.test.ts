// The script of passkeys in Chromium with a virtual authenticator; its answers are verified as the service does it.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StepPage } from '../../src/domain/sign-in/index.ts'
import { assetHeaders, pageAssets, pageHeaders, renderStepPage, stepPageUsesScript } from '../../src/pages/index.ts'
import { launchBrowser, visit } from '../e2e/browser.ts'
import { buildFrame } from './login-states.ts'
import { buildRealm, keep } from './looks.ts'

const challenge = Buffer.from('a challenge of the server, 32 bytes').toString('base64url')
const rpID = 'localhost'

let browser: Browser
let server: Server
let origin: string
/** What the pages ask for; a test may change it. */
let prompts: Record<'get' | 'create', { options: object; challenge: string | null }>
const posted: Record<string, string>[] = []

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Passkeys belong to names, not to addresses.
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
  browser = await launchBrowser()
}, 60_000)

afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
})

async function answer(request: IncomingMessage, response: ServerResponse) {
  const path = request.url ?? ''
  const asset = pageAssets.get(path.replace('/assets/', ''))
  if (asset) return response.writeHead(200, { ...assetHeaders, 'content-type': asset.contentType }).end(asset.body)
  if (request.method === 'POST') {
    posted.push(Object.fromEntries(new URLSearchParams((await request.toArray()).join(''))))
    return response.writeHead(303, { location: '/done' }).end()
  }
  const page = pageAt(path)
  if (!page) return response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Done</h1>')
  const headers = pageHeaders({ script: stepPageUsesScript(page) })
  return response.writeHead(200, headers).end(renderStepPage(buildFrame(keep, buildRealm()), page))
}

function pageAt(path: string): StepPage | null {
  const who = { username: 'ada', error: null }
  if (path === '/create') return { ...who, page: 'REGISTER_WEBAUTHN', prompt: prompts.create, others: [] }
  if (path === '/get') return { ...who, page: 'WEBAUTHN', prompt: prompts.get, others: ['totp'], trustDays: 30 }
  if (path !== '/login') return null
  return { page: 'LOGIN', username: '', error: null, fields: 'BOTH', passkey: prompts.get, magicLink: false, qr: false }
}

function resetPrompts(): void {
  const get = { challenge, rpId: rpID, allowCredentials: [], userVerification: 'required', timeout: 20_000 }
  const create = {
    challenge,
    rp: { id: rpID, name: 'Acme' },
    user: { id: Buffer.from('user-1').toString('base64url'), name: 'ada', displayName: 'Ada' },
    pubKeyCredParams: [-7, -257].map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [],
    timeout: 20_000,
  }
  prompts = { get: { options: get, challenge: 'sealed' }, create: { options: create, challenge: null } }
}

interface Authenticator {
  session: CDPSession
  id: string
}

async function addAuthenticator(page: Page): Promise<Authenticator> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { session, id: authenticatorId }
}

async function create(page: Page) {
  await page.goto(`${origin}/create`)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await page.waitForURL('**/done')
  const form = posted.pop()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: JSON.parse(form?.['assertion'] ?? '{}'),
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
  })
  expect(verified).toBe(true)
  return registrationInfo!.credential
}

async function expectSignedBy(
  credential: Awaited<ReturnType<typeof create>>,
  form: Record<string, string> | undefined,
) {
  const { verified } = await verifyAuthenticationResponse({
    response: JSON.parse(form?.['assertion'] ?? '{}'),
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential,
  })
  expect(verified).toBe(true)
}

/** Browsers from before WebAuthn Level 3, and password managers that put themselves in its place. */
function withoutJson() {
  const { PublicKeyCredential } = globalThis as unknown as { PublicKeyCredential: Record<string, unknown> }
  PublicKeyCredential['parseCreationOptionsFromJSON'] = undefined
  PublicKeyCredential['parseRequestOptionsFromJSON'] = undefined
  PublicKeyCredential['isConditionalMediationAvailable'] = undefined
  const prototype = PublicKeyCredential['prototype'] as { toJSON: () => never }
  prototype.toJSON = () => {
    throw new TypeError('Illegal invocation')
  }
}

describe('the script of passkeys', () => {
  test.each(['with', 'without'])(
    'registers a passkey and uses it as a second factor, %s the JSON methods',
    async (json) => {
      resetPrompts()
      await visit(browser, {}, async ({ page, complaints }) => {
        if (json === 'without') await page.addInitScript(withoutJson)
        await addAuthenticator(page)
        const credential = await create(page)
        await page.goto(`${origin}/get`)
        // Nothing is asked before the person wants it.
        expect(posted).toEqual([])
        await page.getByLabel('Do not ask again').check()
        await page.getByRole('button', { name: 'Use passkey' }).click()
        await page.waitForURL('**/done')
        const form = posted.pop()
        expect(form).toMatchObject({ _csrf: 'csrf-value', passkeyChallenge: 'sealed', trustDevice: 'true' })
        await expectSignedBy(credential, form)
        expect(complaints).toEqual([])
      })
    },
  )

  test('signs in with the button while names are being suggested, and sends no password along', async () => {
    resetPrompts()
    await visit(browser, {}, async ({ page, complaints }) => {
      const authenticator = await addAuthenticator(page)
      const credential = await create(page)
      // The suggestion waits for somebody; a person who is not there picks none.
      await setPresence(authenticator, false)
      await page.goto(`${origin}/login`)
      await page.getByLabel('Password').fill('begun')
      await page.getByLabel('Keep me signed in').check()
      await setPresence(authenticator, true)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.waitForURL('**/done')
      const form = posted.pop()
      expect(form).toMatchObject({ username: '', rememberMe: 'true', passkeyChallenge: 'sealed' })
      expect(form).not.toHaveProperty('password')
      await expectSignedBy(credential, form)
      expect(complaints).toEqual([])
    })
  })

  test('a suggestion that is taken signs in by itself, with the other fields empty', async () => {
    resetPrompts()
    await visit(browser, {}, async ({ page }) => {
      await addAuthenticator(page)
      const credential = await create(page)
      // The virtual authenticator takes the suggestion as soon as it is made.
      await page.goto(`${origin}/login`)
      await page.waitForURL('**/done')
      await expectSignedBy(credential, posted.pop())
    })
  })

  test('says what went wrong in the page and keeps what was typed', async () => {
    resetPrompts()
    await visit(browser, {}, async ({ page, complaints }) => {
      const { session, id: authenticatorId } = await addAuthenticator(page)
      await create(page)
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
      await page.goto(`${origin}/login`)
      await page.getByLabel('Username or email').fill('ada')
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('alert').getByText('That did not work, or you stopped it.').waitFor()
      expect(await page.getByLabel('Username or email').inputValue()).toBe('ada')
      expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isEnabled()).toBe(true)
      expect(posted).toEqual([])
      expect(complaints).toEqual([])
    })
  })

  test('says that the device has a passkey for the account already', async () => {
    resetPrompts()
    await visit(browser, {}, async ({ page }) => {
      await addAuthenticator(page)
      const { id } = await create(page)
      prompts.create.options = { ...prompts.create.options, excludeCredentials: [{ type: 'public-key', id }] }
      await page.goto(`${origin}/create`)
      await page.getByRole('button', { name: 'Create a passkey' }).click()
      await page.getByRole('alert').getByText('There is already a passkey').waitFor()
      expect(posted).toEqual([])
    })
  })

  test('says so where the browser has no passkeys', async () => {
    resetPrompts()
    await visit(browser, {}, async ({ page, complaints }) => {
      await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'))
      await page.goto(`${origin}/login`)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('alert').getByText('This browser cannot use passkeys').waitFor()
      expect(complaints).toEqual([])
    })
  })
})

function setPresence({ session, id: authenticatorId }: Authenticator, enabled: boolean) {
  return session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
}
