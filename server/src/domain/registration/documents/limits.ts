import type { Services } from '../../context/index.ts'
import { networkOf } from '../../../platform/http/index.ts'
import { defineLimiter } from '../../../platform/limits/index.ts'
import { DocumentRefusal } from './refusal.ts'

// Somebody who tries an application out reads its document once; a classroom behind one address a few.
const perSource = defineLimiter({ name: 'client-document-source', points: 20, durationSeconds: 60 })
// Contract 5.7: an application that nobody knows yet registers itself, so it counts as one that does so without a token.
const perNewcomer = defineLimiter({ name: 'client-document-new', points: 20, durationSeconds: 3600 })
// Applications that are in use are read once in minutes at most, so this is only reached by names made up.
const perRealm = defineLimiter({ name: 'client-document-realm', points: 120, durationSeconds: 60 })
// Of all realms together: nobody shall use the service to send a crowd to somebody else's host.
const perHost = defineLimiter({ name: 'client-document-host', points: 120, durationSeconds: 60 })

/** Counts a document that is about to be read, and refuses when there were too many. */
export async function admitFetch(
  services: Pick<Services, 'limits'>,
  asked: { realmId: string; sourceIp: string | null; host: string; isNew: boolean },
): Promise<void> {
  const network = networkOf(asked.sourceIp ?? '')
  const counts = [
    ...(asked.isNew ? [() => perNewcomer(services).consume(asked.realmId, network)] : []),
    () => perSource(services).consume(asked.realmId, network),
    () => perRealm(services).consume(asked.realmId, ''),
    // No realm has an empty name.
    () => perHost(services).consume('', asked.host),
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
