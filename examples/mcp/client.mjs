// A command line MCP client that knows nothing but the address of a server: the rest it discovers.

import { createServer as createSecureServer } from 'node:https'
import { readFileSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { describeClient } from './client-metadata.mjs'
import { createProvider } from './oauth-provider.mjs'
import { listenForAnswers } from './redirect-listener.mjs'
import { openStore } from './store.mjs'

const [address, command, text] = process.argv.slice(2)
const commands = {
  list: { name: 'list-notes', arguments: {} },
  add: { name: 'add-note', arguments: { text } },
}
const call = Object.hasOwn(commands, command ?? '') ? commands[/** @type {'list'} */ (command)] : undefined
if (!address || !call) throw new Error('Usage: node client.mjs <address of the MCP server> list | add <text>')

const { STATE_FILE = '.mcp-client.json', CLIENT_ID, ISSUER, CLIENT_METADATA_URL, TLS_CERT, TLS_KEY } = process.env
if (CLIENT_ID && !ISSUER) throw new Error('CLIENT_ID belongs to an issuer: set ISSUER as well.')

// A server that asks for more each time must not send people round in circles.
const maxSignIns = 3
let signIns = 0

const document = TLS_CERT && TLS_KEY ? await hostDocument() : null
const answers = await listenForAnswers()
const provider = createProvider({
  store: openStore(STATE_FILE, address),
  redirectUrl: answers.redirectUrl,
  metadataUrl: CLIENT_METADATA_URL,
  registered: CLIENT_ID ? { client_id: CLIENT_ID, issuer: /** @type {string} */ (ISSUER) } : undefined,
  ask: (url, state) => {
    if (++signIns > maxSignIns) throw new Error('The server asks for more each time, and no sign-in is enough.')
    answers.expect(state)
    console.error(`Open this address in your browser:\n${url.href}`)
  },
})

/** Calls the tool, and signs in for it as often as the server asks for more. */
async function run() {
  for (;;) {
    const transport = new StreamableHTTPClientTransport(new URL(/** @type {string} */ (address)), {
      authProvider: provider,
    })
    const client = new Client({ name: 'notes-client', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
    try {
      await client.connect(transport)
      return await client.callTool(/** @type {NonNullable<typeof call>} */ (call))
    } catch (error) {
      // The SDK has sent a person to the issuer, for a first token or for one that may do more.
      if (!(error instanceof UnauthorizedError)) throw error
      await transport.finishAuth(await answers.next())
    } finally {
      provider.forgetSignIn()
      await client.close()
    }
  }
}

/** Publishes the document about this client at its own address, for issuers that read it there (CIMD). */
async function hostDocument() {
  const url = new URL(CLIENT_METADATA_URL ?? '')
  const certificate = { cert: readFileSync(TLS_CERT ?? ''), key: readFileSync(TLS_KEY ?? '') }
  const server = createSecureServer(certificate, (request, response) => {
    if (request.url !== url.pathname) return response.writeHead(404).end()
    const headers = { 'content-type': 'application/json', 'cache-control': 'max-age=3600' }
    response.writeHead(200, headers).end(JSON.stringify({ client_id: url.href, ...describeClient() }))
  })
  await new Promise((resolve) => server.listen(Number(url.port || 443), () => resolve(null)))
  return server
}

try {
  const result = await run()
  for (const part of result.content) if (part.type === 'text') console.log(part.text)
  process.exitCode = result.isError ? 1 : 0
} catch (error) {
  console.error(error instanceof Error ? `${error.name}: ${error.message}` : error)
  process.exitCode = 1
} finally {
  answers.close()
  document?.close()
  document?.closeAllConnections()
}
