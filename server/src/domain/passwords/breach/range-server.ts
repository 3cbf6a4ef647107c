import type { Egress } from '../../../platform/egress/index.ts'
import { findInRange, type RangeKey } from './range.ts'

/** A person waits for the answer, and without it the password is allowed: shorter than the usual five seconds. */
const timeoutMs = 2000

/** `GET {url}/range/ABCDE`. null when the server cannot be reached or its answer is no range. */
export async function askRangeServer(egress: Egress, baseUrl: string, key: RangeKey): Promise<boolean | null> {
  try {
    const { status, body } = await egress.fetch(`${baseUrl.replace(/\/+$/, '')}/range/${key.prefix}`, {
      // Padding makes all answers alike in size, so that the encrypted traffic does not tell which range was asked.
      headers: { 'add-padding': 'true', accept: 'text/plain' },
      timeoutMs,
    })
    return status === 200 ? findInRange(body.toString('latin1'), key.suffix) : null
  } catch {
    return null
  }
}
