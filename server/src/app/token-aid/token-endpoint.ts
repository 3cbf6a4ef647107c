import type { Json } from './decode.ts'
import type { MetError } from './explain.ts'
import { fetchJson, type RemoteAnswer, RemoteError } from './remote.ts'

export interface Credentials {
  clientId: string
  /** Null for a public client. */
  secret: string | null
  method: 'basic' | 'post'
}

export type Answered = { ok: true; body: Json } | { ok: false; error: MetError }

/** Sends a form as the client: a secret goes into the header or the body, and never into an address. */
export async function sendForm(
  url: URL,
  { clientId, secret, method }: Credentials,
  form: [string, string][],
): Promise<Answered> {
  const body = new URLSearchParams(form)
  const headers: Record<string, string> = {}
  if (secret !== null && method === 'basic') headers.authorization = basicOf(clientId, secret)
  else {
    body.set('client_id', clientId)
    if (secret !== null) body.set('client_secret', secret)
  }
  return readAnswer(url, await fetchJson(url, { method: 'POST', headers, body }))
}

/** Both halves are encoded as in a form first (RFC 6749, 2.3.1). */
function basicOf(clientId: string, secret: string): string {
  const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1)
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(secret)}`).toString('base64')}`
}

function readAnswer(url: URL, { status, body }: RemoteAnswer): Answered {
  if (status >= 200 && status < 300) return { ok: true, body }
  const { error, error_description: description } = body
  if (typeof error !== 'string') throw new RemoteError(`${url.href} answers ${status} without an error code`)
  return { ok: false, error: { code: error, description: typeof description === 'string' ? description : '' } }
}
