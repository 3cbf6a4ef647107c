import { createServer } from 'node:http'
import { redirectUri } from './client-metadata.mjs'

const minutes = 60_000
// People look up their password; whoever went away starts again.
const patience = 5 * minutes

/** Listens on this machine for the answers of issuers, on whichever port is free. */
export async function listenForAnswers() {
  const path = new URL(redirectUri).pathname
  /** @type {string | undefined} */
  let expected
  /** @type {PromiseWithResolvers<URLSearchParams>} */
  let waiting = Promise.withResolvers()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', redirectUri)
    // Nothing is asked twice here, and an open connection would keep this program from ending.
    response.setHeader('connection', 'close')
    if (url.pathname !== path) return response.writeHead(404).end()
    // An answer to a question that was not asked here: somebody else's code, or somebody trying.
    if (expected === undefined || url.searchParams.get('state') !== expected) {
      return response.writeHead(400).end('This answer belongs to no request of this program.')
    }
    expected = undefined
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
    response.end('You can close this window.', () => waiting.resolve(url.searchParams))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const redirectUrl = new URL(redirectUri)
  redirectUrl.port = String(port)
  return {
    redirectUrl: redirectUrl.href,
    /** @param {string} state */
    expect(state) {
      expected = state
      waiting = Promise.withResolvers()
    },
    /** What the issuer answered to the question that was asked last. */
    async next() {
      const timer = setTimeout(() => waiting.reject(new Error('Nobody signed in.')), patience)
      return waiting.promise.finally(() => clearTimeout(timer))
    },
    close() {
      server.close()
      server.closeIdleConnections()
    },
  }
}
