// Between the HTTP server of Node and the requests and responses of the web, which the SDK speaks.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** @param {import('node:http').IncomingMessage} message @param {string} origin what this server is called from outside */
export function toRequest(message, origin) {
  const { method = 'GET', url = '/' } = message
  const ended = new AbortController()
  message.socket.once('close', () => ended.abort())
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(url, origin), {
    method,
    headers: /** @type {Record<string, string>} */ (message.headers),
    signal: ended.signal,
    ...(hasBody ? { body: Readable.toWeb(message), duplex: 'half' } : {}),
  })
}

/** @param {Response} reply @param {import('node:http').ServerResponse} response */
export async function sendResponse(reply, response) {
  response.writeHead(reply.status, Object.fromEntries(reply.headers))
  if (reply.body) await pipeline(Readable.fromWeb(reply.body), response)
  else response.end()
}
