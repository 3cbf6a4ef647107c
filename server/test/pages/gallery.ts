// Serves every page state on loopback with the real headers and assets, as the application would.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { assetHeaders, formPostHeaders, pageAssets, pageHeaders, renderThemeCss } from '../../src/pages/index.ts'
import { renderPageStates } from './page-states.ts'

export interface Gallery {
  baseUrl: string
  names: string[]
  /** Bodies of the forms posted so far. */
  posted: string[]
  close: () => Promise<void>
}

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 220 48" width="220" height="48">
<rect width="220" height="48" rx="8" fill="#0f6b4f"/><circle cx="28" cy="24" r="11" fill="#c9f2d8"/>
<path d="M52 30h140M52 20h96" stroke="#fff" stroke-width="5" stroke-linecap="round"/></svg>`

const theme = renderThemeCss({
  primaryColor: '#0f6b4f',
  backgroundColor: '#e9f3ee',
  customCss: '.gh-card { border-block-start: 4px solid var(--gh-primary) }',
})

const logoDelayMs = 60
const uncached = { 'cache-control': 'no-store' }

/** An address ending in `?dir=rtl` shows the page mirrored; no right-to-left catalogue exists yet. */
export async function startGallery(): Promise<Gallery> {
  const states = renderPageStates()
  const posted: string[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://gallery.invalid')
    const asset = pageAssets.get(pathname.replace('/assets/', ''))
    const page = states[pathname.slice(1)]
    if (request.method === 'POST') {
      let body = ''
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      request.on('end', () => {
        posted.push(body)
        response.writeHead(303, { location: '/console' }).end()
      })
    } else if (asset && pathname.startsWith('/assets/form-post-')) {
      // A form that sends itself would be gone before anybody looked; its script has a test of its own.
      response.writeHead(200, { 'content-type': asset.contentType }).end('')
    } else if (asset) {
      response.writeHead(200, { ...assetHeaders, 'content-type': asset.contentType }).end(asset.body)
    } else if (pathname.endsWith('/login/waiting')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"state":"WAITING"}')
    } else if (pathname.endsWith('/branding/theme.css')) {
      response.writeHead(200, { 'content-type': 'text/css; charset=utf-8' }).end(theme)
    } else if (pathname.endsWith('/branding/logo')) {
      // Late and never kept, as over a slow line: what moves when it arrives is seen.
      setTimeout(() => response.writeHead(200, { 'content-type': 'image/svg+xml', ...uncached }).end(logo), logoDelayMs)
    } else if (page) {
      const html = searchParams.get('dir') === 'rtl' ? page.replace('dir="ltr"', 'dir="rtl"') : page
      response.writeHead(200, headersOf(html)).end(html)
    } else {
      response.writeHead(404, pageHeaders()).end(states['error'])
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    // This one leaves at once, so there is nothing to look at.
    names: Object.keys(states).filter((name) => name !== 'continue'),
    posted,
    close: () => closeServer(server),
  }
}

/** The headers a caller would choose for the page: it knows what it put in. */
function headersOf(html: string): Record<string, string> {
  const action = /<form[^>]* action="(https:[^"]+)"/.exec(html)?.[1]
  if (action) return formPostHeaders(action)
  const script = html.includes('<script')
  return pageHeaders({
    script,
    connects: html.includes('data-wait='),
    frameSources: [...html.matchAll(/<iframe[^>]* src="([^"]+)"/g)].map(([, src = '']) => src),
  })
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
