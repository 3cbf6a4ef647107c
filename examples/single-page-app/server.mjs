// Serves the files of the single-page app and nothing else. The app talks to the issuer from the browser.

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'

const { ISSUER, CLIENT_ID, PORT = '3001' } = process.env
if (!ISSUER || !CLIENT_ID) throw new Error('Set ISSUER and CLIENT_ID.')

/** @param {string} name */
const own = (name) => fileURLToPath(new URL(name, import.meta.url))

/** The only addresses there are, so no path from outside ever names a file. @type {Record<string, [file: string, type: string]>} */
const files = {
  '/': [own('index.html'), 'text/html; charset=utf-8'],
  '/app.js': [own('app.js'), 'text/javascript; charset=utf-8'],
  '/oauth4webapi.js': [fileURLToPath(import.meta.resolve('oauth4webapi')), 'text/javascript; charset=utf-8'],
}

const headers = {
  // The app may call its issuer and run its own files; markup that gets in can do neither.
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; connect-src 'self' ${new URL(ISSUER).origin}; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function answer(request, response) {
  const { pathname } = new URL(request.url ?? '/', 'http://app.invalid')
  const [file, type] = files[pathname] ?? []
  if (pathname === '/config.json') {
    response.writeHead(200, { ...headers, 'content-type': 'application/json' })
    response.end(JSON.stringify({ issuer: ISSUER, clientId: CLIENT_ID }))
  } else if (file) {
    response.writeHead(200, { ...headers, 'content-type': type }).end(await readFile(file))
  } else {
    response.writeHead(404, headers).end('Not found')
  }
}

const server = createServer((request, response) => void answer(request, response))
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://127.0.0.1:${PORT}`))
