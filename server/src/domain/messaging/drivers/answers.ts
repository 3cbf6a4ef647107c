import { EgressError, type EgressRequest, type EgressResponse } from '../../../platform/egress/index.ts'
import { type DriverTools, DeliveryError, type HandOver } from './types.ts'

// Contract 8.1.
export const httpTimeoutMs = 5000
// Providers answer with an id or with an error of some lines.
const maxAnswerBytes = 64 * 1024

/** Sends a request that delivers something; answers only what the provider accepted or clearly refused. */
export async function deliverOverHttp(
  { egress }: DriverTools,
  url: string,
  request: Pick<EgressRequest, 'method' | 'headers' | 'body'>,
  handOver: HandOver,
): Promise<EgressResponse> {
  await handOver()
  try {
    return await egress.fetch(url, {
      ...request,
      // A kept connection may be closed by the other side in the moment it is used, and nobody could tell what was heard.
      headers: { ...request.headers, connection: 'close' },
      timeoutMs: httpTimeoutMs,
      maxBytes: maxAnswerBytes,
    })
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    // A redirect is an answer, and it says that the message was not taken.
    const isCertain = error.unsent || error.reason === 'redirect'
    throw new DeliveryError(isCertain ? 'failed' : 'unconfirmed', error.message, error)
  }
}

export function isAccepted({ status }: EgressResponse): boolean {
  return status >= 200 && status < 300
}

/** What a provider says about itself, cut to a line. */
export function refusalOf({ status, body }: EgressResponse): DeliveryError {
  const said = body.toString('utf8', 0, 300).replaceAll(/\s+/g, ' ').trim()
  return new DeliveryError('failed', `The provider answered ${status}${said ? `: ${said}` : ''}.`)
}

/** A member of a JSON answer, when there is one. */
export function readMember({ body }: EgressResponse, ...names: string[]): string | null {
  try {
    const parsed = JSON.parse(body.toString('utf8')) as Record<string, unknown> | null
    const value = names.map((name) => parsed?.[name]).find((entry) => typeof entry === 'string' && entry.length <= 255)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}
