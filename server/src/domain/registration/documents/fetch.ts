import { type Egress, EgressError, type EgressReason, type EgressResponse } from '../../../platform/egress/index.ts'
import { parseJsonBody } from '../../../platform/http/index.ts'
import { DocumentRefusal } from './refusal.ts'

// What the draft recommends (section 6.6): a document that other servers take is taken here, and no other. It holds ten keys.
const maxBytes = 5 * 1024
// A person waits for it in front of an empty page.
const timeoutMs = 3000
// Below, one application could make us ask its host all day; above, a withdrawn document would be believed too long.
const minFreshSeconds = 5 * 60
const maxFreshSeconds = 24 * 60 * 60

export interface FetchedDocument {
  members: Record<string, unknown>
  /** How long it need not be read again. */
  freshForMs: number
}

/** Reads a document. Nothing of the answer is followed, kept or shown before it is judged. */
export async function fetchDocument(egress: Pick<Egress, 'fetch'>, address: string): Promise<FetchedDocument> {
  const answer = await ask(egress, address)
  checkStatus(answer.status)
  const type = (answer.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (!/^application\/([\w.-]+\+)?json$/.test(type)) {
    throw new DocumentRefusal('INVALID', 'The document of client_id is not sent as application/json.')
  }
  return { members: parse(answer.body), freshForMs: freshSeconds(answer.headers['cache-control']) * 1000 }
}

// What an address inside would say must look like no address at all: whoever names the host must not learn what is in here.
const unreachable = 'The document of client_id could not be read.'
const reasons: Partial<Record<EgressReason, string>> = {
  redirect: 'The host of client_id redirects to another address; the document must be at client_id itself.',
  too_large: `The document of client_id is larger than ${maxBytes} bytes.`,
}

async function ask(egress: Pick<Egress, 'fetch'>, address: string): Promise<EgressResponse> {
  try {
    return await egress.fetch(address, { headers: { accept: 'application/json' }, timeoutMs, maxBytes })
  } catch (cause) {
    if (!(cause instanceof EgressError)) throw cause
    const kind = cause.reason === 'timeout' || cause.reason === 'network' ? 'UNREACHABLE' : 'INVALID'
    throw new DocumentRefusal(kind, reasons[cause.reason] ?? unreachable, { cause })
  }
}

function checkStatus(status: number): void {
  if (status === 200) return
  const message = `The host of client_id answered with the status ${status} instead of 200.`
  // Only these say that there is no such application; any other may be a bad day of its host.
  throw new DocumentRefusal(status === 404 || status === 410 ? 'INVALID' : 'UNREACHABLE', message)
}

function parse(body: Buffer): Record<string, unknown> {
  let value: unknown
  try {
    // By the rules of what is sent to us: no text that no column holds, no depth that the next reader falls into.
    value = parseJsonBody(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw new DocumentRefusal('INVALID', 'The document of client_id is not plain JSON in UTF-8.', { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DocumentRefusal('INVALID', 'The document of client_id is not a JSON object.')
  }
  return value as Record<string, unknown>
}

/** RFC 9111 section 5.2.2, within our bounds. Who says nothing is asked again soon. */
export function freshSeconds(cacheControl: string | undefined): number {
  const directives = (cacheControl ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
  const age = directives.map((part) => /^max-age="?(\d{1,10})"?$/.exec(part)?.[1]).find((found) => found !== undefined)
  const isUnwanted = directives.includes('no-store') || directives.includes('no-cache')
  const wanted = age === undefined || isUnwanted ? 0 : Number(age)
  return Math.min(maxFreshSeconds, Math.max(minFreshSeconds, wanted))
}
