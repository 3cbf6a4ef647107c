// HTTP/1.1 and HTTP/2 servers on loopback that keep what they are asked and answer what the test says.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createSecureHttpServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'

export interface ArrivedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface HostAnswer {
  status?: number
  headers?: Record<string, string>
  body?: string
}

export interface HttpHost {
  port: number
  origin: string
  requests: ArrivedRequest[]
  stop(): Promise<void>
}

export interface HttpHostOptions {
  certificate?: { cert: string; key: string }
  http2?: boolean
  /** The name in the certificate. */
  name?: string
  answer?(request: ArrivedRequest): HostAnswer
}

export async function startHttpHost(options: HttpHostOptions = {}): Promise<HttpHost> {
  const { certificate, name = '127.0.0.1' } = options
  const answer = options.answer ?? ((): HostAnswer => ({}))
  const requests: ArrivedRequest[] = []
  // The compatibility layer of HTTP/2 speaks as HTTP/1.1 does; the types do not say so.
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const arrived = { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') }
      requests.push(arrived)
      const { status = 200, headers: sent = {}, body = '{}' } = answer(arrived)
      response.writeHead(status, sent)
      response.end(body)
    })
  }
  const server: Server = options.http2
    ? createSecureServer({ ...certificate }, handle as never)
    : certificate
      ? createSecureHttpServer({ ...certificate }, handle)
      : createServer(handle)
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `${certificate ? 'https' : 'http'}://${name}:${port}`,
    requests,
    async stop() {
      ;(server as Partial<{ closeAllConnections(): void }>).closeAllConnections?.()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        // Sessions of HTTP/2 that the client left open.
        setTimeout(resolve, 200).unref()
      })
    },
  }
}
