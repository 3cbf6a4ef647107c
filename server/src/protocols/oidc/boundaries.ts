import type { Client } from 'oidc-provider'
import type { Services } from '../../domain/context/index.ts'
import { clientFacts } from './client-metadata.ts'

/** Exact origins, at run time (contract 2.14, S33). */
export function allowsOrigin(client: Client, origin: string): boolean {
  return clientFacts(client)?.webOrigins.includes(origin) ?? false
}

// What a client may publish or answer: far more than any key set, far less than what could hurt.
const maxBytes = 256 * 1024
const timeoutMs = 5000

/** Everything the engine fetches goes through the one client that checks where it connects to. */
export function createFetch({ egress }: Services) {
  return async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const headers = Object.fromEntries(new Headers(init.headers).entries())
    // The engine sends forms and JSON, both of which are texts.
    const body = init.body === undefined || init.body === null ? undefined : (init.body as URLSearchParams).toString()
    const answer = await egress.fetch(String(url), {
      method: (init.method ?? 'GET') as never,
      headers,
      timeoutMs,
      maxBytes,
      ...(body === undefined ? {} : { body }),
    })
    const hasBody = answer.status !== 204 && answer.status !== 304
    return new Response(hasBody ? new Uint8Array(answer.body) : null, {
      status: answer.status,
      headers: answer.headers as never,
    })
  }
}
