import { lookup as systemLookup } from 'node:dns/promises'
import { EgressError } from './errors.ts'

export interface ResolvedAddress {
  address: string
  family: number
}

export type Lookup = (hostname: string) => Promise<ResolvedAddress[]>

/**
 * The system's resolver works in the shared thread pool and cannot be cancelled. More waiting than this means that names
 * hang, and further ones would only queue behind them.
 */
const maxPendingLookups = 64

/** A name with more addresses than this is no service; the check of each would be work an outsider can order. */
const maxAddresses = 64

const defaultLookup: Lookup = (hostname) => systemLookup(hostname, { all: true, order: 'verbatim' })

/** One lookup per name at a time, so that a name that hangs holds one thread and not as many as there are callers. */
export function createResolver(lookup: Lookup = defaultLookup): Lookup {
  const pending = new Map<string, Promise<ResolvedAddress[]>>()

  const ask = async (hostname: string): Promise<ResolvedAddress[]> => {
    try {
      const addresses = await lookup(hostname)
      if (addresses.length === 0 || addresses.length > maxAddresses) throw new Error('no usable addresses')
      return addresses
    } catch (cause) {
      throw new EgressError('network', { cause })
    } finally {
      pending.delete(hostname)
    }
  }

  return (hostname) => {
    const running = pending.get(hostname)
    if (running) return running
    if (pending.size >= maxPendingLookups) {
      return Promise.reject(new EgressError('network', { cause: new Error('too many name lookups are waiting') }))
    }
    const answer = ask(hostname)
    pending.set(hostname, answer)
    return answer
  }
}
