// Plays the push service: as much of Firebase Cloud Messaging (HTTP v1) as Gatehouse asks of it, on this machine. Real telephones
// hold a connection to Google or Apple instead; what arrives there is the same.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'

export interface Push {
  /** What the push service calls the device. */
  token: string
  title: string
  body: string
  /** Where the question is. */
  link: string | null
}

export async function startPushService(port: number, onPush: (push: Push) => void): Promise<Server> {
  const server = createServer((request, response) => void serve(request, response))

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request)
    const answer = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    // The real one checks the assertion in the form, and who asks.
    if (request.url === '/token')
      return answer(200, { access_token: 'example', token_type: 'Bearer', expires_in: 3600 })
    if (!/^\/v1\/projects\/[^/]+\/messages:send$/.test(request.url ?? '')) return answer(404, {})
    const { message } = JSON.parse(text) as {
      message: { token: string; notification: { title: string; body: string }; data?: { link?: string } }
    }
    answer(200, { name: 'projects/example/messages/1' })
    const { title, body } = message.notification
    onPush({ token: message.token, title, body, link: message.data?.link ?? null })
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
