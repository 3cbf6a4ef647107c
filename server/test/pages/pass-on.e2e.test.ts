// Pages that lead on to an application, in a browser, with applications on origins of their own.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  assetHeaders,
  formPostHeaders,
  pageAssets,
  pageHeaders,
  renderConsentPage,
  renderContinuePage,
  renderFormPostPage,
  renderLoggedOutPage,
} from '../../src/pages/index.ts'
import { launchBrowser, visit } from '../e2e/browser.ts'
import { buildRealm } from './looks.ts'

const realm = buildRealm()
const client = { clientId: 'travel-desk', name: 'Travel Desk' }

/** How long a slow application takes to forget somebody: well over what a page needs to leave. */
const slowMs = 700

let browser: Browser
let home: Site
let app: Site
let issuer: Site

interface Site {
  server: Server
  origin: string
}

/** What the application was told, in order. */
const seen: string[] = []

beforeAll(async () => {
  home = await serve((_request, response) => sendPage(response, '<h1>Home of the application</h1>'))
  app = await serve(answerAsApp)
  issuer = await serve(answerAsIssuer)
  browser = await launchBrowser()
}, 60_000)

afterAll(async () => {
  await browser?.close()
  for (const site of [home, app, issuer]) {
    site?.server.closeAllConnections()
    site?.server.close()
  }
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<Site> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function sendPage(response: ServerResponse, html: string, headers = {}): void {
  response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html)
}

/** Like many applications it answers a GET of its callback with a redirect to another origin. */
async function answerAsApp(request: IncomingMessage, response: ServerResponse) {
  const body = (await request.toArray()).join('')
  if (request.url === '/favicon.ico') return response.writeHead(204).end()
  if (request.url === '/logout') {
    await new Promise((resolve) => setTimeout(resolve, slowMs))
    seen.push('signed out')
    return sendPage(response, 'done')
  }
  seen.push(`${request.method} ${request.url} ${body}`.trim())
  if (request.method === 'POST') return sendPage(response, '<h1>Arrived</h1>')
  return response.writeHead(303, { location: `${home.origin}/home` }).end()
}

function answerAsIssuer(request: IncomingMessage, response: ServerResponse) {
  const asset = pageAssets.get((request.url ?? '').replace('/assets/', ''))
  if (asset) return response.writeHead(200, { ...assetHeaders, 'content-type': asset.contentType }).end(asset.body)
  if (request.method === 'POST') return response.writeHead(303, { location: '/continue' }).end()
  const callback = `${app.origin}/callback`
  const frames = [`${app.origin}/logout`]
  const pages: Record<string, () => void> = {
    '/form-post': () =>
      sendPage(
        response,
        renderFormPostPage({ realm, client, action: callback, fields: { code: 'c 1', submit: 'x' } }),
        formPostHeaders(callback),
      ),
    '/consent': () => sendPage(response, renderConsentPage(consent), pageHeaders()),
    '/continue': () =>
      sendPage(response, renderContinuePage({ realm, client, continueUrl: `${callback}?code=c` }), pageHeaders()),
    '/logged-out': () =>
      sendPage(
        response,
        renderLoggedOutPage({ realm, client, frames, continueUrl: `${app.origin}/bye` }),
        pageHeaders({ frameSources: frames }),
      ),
    '/logged-out-elsewhere': () =>
      sendPage(response, renderLoggedOutPage({ realm, frames }), pageHeaders({ frameSources: ['https://a.example'] })),
  }
  return (pages[request.url ?? ''] ?? (() => response.writeHead(404).end()))()
}

const consent = {
  realm,
  csrf: 'csrf-value',
  action: '/consent',
  client: { ...client, baseUrl: null },
  username: 'ada',
  scopes: [],
  resources: [],
}

describe('leading on to an application', () => {
  test('the form sends itself', async () => {
    await visit(browser, {}, async ({ page, complaints }) => {
      await page.goto(`${issuer.origin}/form-post`)
      await page.getByRole('heading', { name: 'Arrived' }).waitFor()
      expect(seen.splice(0)).toEqual(['POST /callback code=c+1&submit=x'])
      expect(complaints).toEqual([])
    })
  })

  test('the form is sent by its button where script is off', async () => {
    await visit(browser, { javaScriptEnabled: false }, async ({ page }) => {
      await page.goto(`${issuer.origin}/form-post`)
      expect(seen).toEqual([])
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('heading', { name: 'Arrived' }).waitFor()
      expect(seen.splice(0)).toEqual(['POST /callback code=c+1&submit=x'])
    })
  })

  test.each([true, false])('an answer reaches an application that redirects further (script %s)', async (script) => {
    await visit(browser, { javaScriptEnabled: script }, async ({ page, complaints }) => {
      await page.goto(`${issuer.origin}/consent`)
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(`${home.origin}/home`)
      expect(seen.splice(0)).toEqual(['GET /callback?code=c'])
      expect(complaints).toEqual([])
    })
  })

  test.each([true, false])('front-channel logout is done before the page leaves (script %s)', async (script) => {
    await visit(browser, { javaScriptEnabled: script }, async ({ page, complaints }) => {
      await page.goto(`${issuer.origin}/logged-out`, { waitUntil: 'commit' })
      await page.waitForURL(`${home.origin}/home`)
      expect(seen.splice(0)).toEqual(['signed out', 'GET /bye'])
      expect(complaints).toEqual([])
    })
  })

  test('S47: no frame is loaded from an origin the policy does not name', async () => {
    await visit(browser, {}, async ({ page, complaints }) => {
      await page.goto(`${issuer.origin}/logged-out-elsewhere`)
      await expect.poll(() => complaints.some((text) => text.includes('frame-src'))).toBe(true)
      expect(seen).toEqual([])
    })
  })
})
