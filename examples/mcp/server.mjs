// An MCP server whose tools a realm protects: it names the realm, checks the realm's tokens and says which scopes it needs.

import { createServer } from 'node:http'
import {
  bearerAuthChallengeResponse,
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  McpServer,
  OAuthError,
  OAuthErrorCode,
  originValidationResponse,
  requireScopes,
  verifyBearerToken,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { sendResponse, toRequest } from './http-bridge.mjs'
import { createTokenVerifier } from './token-verifier.mjs'

const { ISSUER, PORT = '3002' } = process.env
if (!ISSUER) throw new Error('Set ISSUER.')
// What clients know this server by, and what has to be the audience of their tokens (RFC 8707).
const { RESOURCE = `http://127.0.0.1:${PORT}/mcp` } = process.env

const resource = new URL(RESOURCE)
const metadataUrl = getOAuthProtectedResourceMetadataUrl(resource)
const metadataPath = '/.well-known/oauth-protected-resource'
const verifier = createTokenVerifier(ISSUER, RESOURCE)

/** RFC 9728: where to get a token, and the least that is of any use here. Whatever needs more says so when it is called. */
const metadata = {
  resource: RESOURCE,
  authorization_servers: [ISSUER],
  scopes_supported: ['notes:read'],
  bearer_methods_supported: ['header'],
  resource_name: 'Notes',
}

/** Everybody's own notes, by the subject of their tokens. In memory: a restart forgets them. @type {Map<string, string[]>} */
const notes = new Map()

/** The tools for one request; what a token lacks is asked for before a tool is run. @param {string} subject */
function createTools(subject) {
  const server = new McpServer({ name: 'notes', version: '1.0.0' })
  const own = notes.get(subject) ?? []
  server.registerTool(
    'list-notes',
    { description: 'Lists your notes.', scopeChallenge: requireScopes('notes:read') },
    () => ({ content: own.map((text) => ({ type: /** @type {const} */ ('text'), text })) }),
  )
  server.registerTool(
    'add-note',
    {
      description: 'Adds a note.',
      inputSchema: z.object({ text: z.string().min(1).max(1000) }),
      scopeChallenge: requireScopes('notes:write'),
    },
    ({ text }) => {
      notes.set(subject, [...own, text])
      return { content: [{ type: 'text', text: `Kept. That makes ${own.length + 1}.` }] }
    },
  )
  return server
}

const mcp = createMcpHandler(({ authInfo }) => createTools(String(authInfo?.extra?.subject)))

/** @param {Request} request */
async function answer(request) {
  const { pathname, searchParams } = new URL(request.url)
  // Also without the path of the resource, where some clients look as well.
  if (pathname === metadataPath || pathname === metadataPath + resource.pathname) return describeResource(request)
  if (pathname !== resource.pathname) return new Response('Not found', { status: 404 })
  // A page of another site must not reach a server on this machine by the browser that it runs in.
  const refused = originValidationResponse(request, [resource.hostname])
  if (refused) return refused
  try {
    if (searchParams.has('access_token')) {
      throw new OAuthError(
        OAuthErrorCode.InvalidRequest,
        'Send the token in the Authorization header: addresses end up in logs.',
      )
    }
    const header = request.headers.get('authorization')
    const authInfo = await verifyBearerToken(header, { verifier, resourceMetadataUrl: metadataUrl })
    return await mcp.fetch(request, { authInfo })
  } catch (error) {
    const challenge = bearerAuthChallengeResponse(error, {
      requiredScopes: metadata.scopes_supported,
      resourceMetadataUrl: metadataUrl,
    })
    if (challenge.status >= 500) console.error(error)
    return challenge
  }
}

/** @param {Request} request */
function describeResource({ method }) {
  if (method !== 'GET') return new Response(null, { status: 405, headers: { allow: 'GET' } })
  return Response.json(metadata, { headers: { 'access-control-allow-origin': '*' } })
}

const server = createServer((message, response) => {
  const request = toRequest(message, resource.origin)
  answer(request)
    .then((reply) => sendResponse(reply, response))
    .catch((error) => {
      console.error(error)
      response.destroy()
    })
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`MCP server at ${RESOURCE}`))
