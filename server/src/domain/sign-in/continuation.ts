import { hashToken } from '../../platform/crypto/index.ts'
import type { Services } from '../context/index.ts'
import type { Arrival, Continuation } from './types.ts'

const maxLength = 4096

const place = (realmId: string, browserSecret: string) =>
  `continuation:${realmId}:${hashToken(browserSecret).toString('hex')}`

/**
 * What follows the sign-in, carried in the form until the first POST makes a row: sealed and bound to realm and browser, so
 * that nobody else can choose where a person lands.
 */
export function sealContinuation(
  services: Services,
  realmId: string,
  browserSecret: string,
  continuation: Continuation,
): string {
  return services.sealer.seal(JSON.stringify(continuation), place(realmId, browserSecret)).toString('base64url')
}

export function openContinuation(
  services: Services,
  realmId: string,
  browserSecret: string,
  text: string | undefined,
): Continuation | null {
  if (!text || text.length > maxLength) return null
  try {
    return JSON.parse(
      services.sealer.open(Buffer.from(text, 'base64url'), place(realmId, browserSecret)).toString(),
    ) as Continuation
  } catch {
    // Foreign, stale or made up: the sign-in goes on to the usual place.
    return null
  }
}

const arrivalPlace = (realmId: string) => `arrival:${realmId}`

/** For the address of the sign-in page. Only this server can make one; what waits behind the path is bound to the browser there. */
export function sealArrival(services: Services, realmId: string, arrival: Arrival): string {
  return services.sealer.seal(JSON.stringify(arrival), arrivalPlace(realmId)).toString('base64url')
}

export function openArrival(services: Services, realmId: string, text: unknown): Arrival | null {
  if (typeof text !== 'string' || text.length > maxLength) return null
  try {
    return JSON.parse(services.sealer.open(Buffer.from(text, 'base64url'), arrivalPlace(realmId)).toString()) as Arrival
  } catch {
    return null
  }
}
