import type { Actor, Origin, UserActor } from '../context/index.ts'
import type { TransactionRow } from './store.ts'

/** Who asks: an application, for itself or with the token of a person. The issuer of the tokens finds them. */
export interface TransactionCaller {
  /** The application that the token was issued to. */
  clientUuid: string
  clientId: string
  /** Where it may be called back: the origins of its redirect URIs and resources. */
  origins: string[]
  /** Null for an application’s own token. */
  person: UserActor | null
  /** Whether the person’s token may be used at their account (contract 4.32). */
  forAccount: boolean
  /** How the person proved themselves when the token’s session began (RFC 8176). */
  amr: string[]
}

export interface Asking {
  caller: TransactionCaller
  origin: Origin
}

export function actorOf({ person, clientId }: TransactionCaller): Actor {
  return person ?? { kind: 'CLIENT', clientId }
}

/** The application that made it, for itself or with a token of the very person it is for. */
export function isMaker({ clientUuid, person }: TransactionCaller, row: TransactionRow): boolean {
  return row.client_uuid === clientUuid && (person === null || person.userId === row.user_id)
}

/** The person it is for: with any token that opens their account, or with one of the application that made it. */
export function isOwner(caller: TransactionCaller, row: TransactionRow): boolean {
  return caller.person?.userId === row.user_id && (caller.forAccount || isMaker(caller, row))
}
