import type { Services } from '../../context/index.ts'
import { networkOf } from '../../../platform/http/index.ts'
import type { Limiter, Limits } from '../../../platform/limits/index.ts'
import { DocumentRefusal } from './refusal.ts'

// Somebody who tries an application out reads its document once; a classroom behind one address a few.
const perSource = { name: 'client-document-source', points: 20, durationSeconds: 60 }
// Contract 5.7: an application that nobody knows yet registers itself, so it counts as one that does so without a token.
const perNewcomer = { name: 'client-document-new', points: 20, durationSeconds: 3600 }
// Applications that are in use are read once in minutes at most, so this is only reached by names made up.
const perRealm = { name: 'client-document-realm', points: 120, durationSeconds: 60 }
// Of all realms together: nobody shall use the service to send a crowd to somebody else's host.
const perHost = { name: 'client-document-host', points: 120, durationSeconds: 60 }

interface Limiters {
  source: Limiter
  newcomer: Limiter
  realm: Limiter
  host: Limiter
}

const known = new WeakMap<Limits, Limiters>()

function limitersOf({ limits }: Pick<Services, 'limits'>): Limiters {
  let limiters = known.get(limits)
  if (!limiters) {
    limiters = {
      source: limits.limiter(perSource),
      newcomer: limits.limiter(perNewcomer),
      realm: limits.limiter(perRealm),
      host: limits.limiter(perHost),
    }
    known.set(limits, limiters)
  }
  return limiters
}

/** Counts a document that is about to be read, and refuses when there were too many. */
export async function admitFetch(
  services: Pick<Services, 'limits'>,
  asked: { realmId: string; sourceIp: string | null; host: string; isNew: boolean },
): Promise<void> {
  const { source, newcomer, realm, host } = limitersOf(services)
  const network = networkOf(asked.sourceIp ?? '')
  const counts = [
    ...(asked.isNew ? [() => newcomer.consume(asked.realmId, network)] : []),
    () => source.consume(asked.realmId, network),
    () => realm.consume(asked.realmId, ''),
    // No realm has an empty name.
    () => host.consume('', asked.host),
  ]
  // One after the other: who is over the first limit must not use up the others.
  for (const count of counts) {
    const { allowed, retryAfterSeconds } = await count()
    if (allowed) continue
    throw new DocumentRefusal('LIMITED', 'Too many client documents were asked for. Try again later.', {
      retryAfterSeconds,
    })
  }
}
