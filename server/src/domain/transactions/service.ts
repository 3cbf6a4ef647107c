import { runRead, runTransaction } from '../../platform/db/index.ts'
import { DomainError, fieldError, notFound } from '../../platform/errors/index.ts'
import { isUuid, newId } from '../../platform/ids/index.ts'
import { type Context, openContext, type Services } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import { levelOfAcr } from '../sessions/index.ts'
import { settingsSection } from '../settings/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'
import { checkCallback } from './callback.ts'
import { actorOf, type Asking, isMaker, isOwner, type TransactionCaller } from './caller.ts'
import { canonicaliseDetails, parseDetails } from './details.ts'
import { hashContent } from './hash.ts'
import { createLimit } from './limit.ts'
import { statusOf, toTransaction } from './record.ts'
import { maxTtlSeconds, type Transaction, type TransactionInput } from './schema.ts'
import * as store from './store.ts'

// More questions than anybody answers in an hour; a person who is asked without end signs by mistake.
const maxWaiting = 50

/** A transaction that waits for its person. */
export async function createTransaction(
  services: Services,
  realm: RealmSnapshot,
  { caller, origin }: Asking,
  input: TransactionInput,
): Promise<Transaction> {
  const { realmId } = realm
  const userId = signerOf(caller, input)
  const details = canonicaliseDetails(input.details, input.type)
  await checkAcr(realm, input.requiredAcr)
  if (input.callbackUrl !== undefined) checkCallback(services, caller, input.callbackUrl)
  const limit = await createLimit(services).consume(realmId, caller.clientUuid)
  if (!limit.allowed) {
    const { retryAfterSeconds } = limit
    throw new DomainError('rate_limited', 'The application makes too many transactions.', { retryAfterSeconds })
  }
  return runTransaction(services.db, async (work) => {
    const ctx = openContext(services, work, { realmId, actor: actorOf(caller), origin })
    await admitSigner(ctx, userId)
    const { type, title } = input
    const row = await store.insertTransaction(ctx.tx, {
      realm_id: realmId,
      id: newId(ctx.now),
      ...{ type, title, details, user_id: userId, client_uuid: caller.clientUuid, client_id: caller.clientId },
      hash: hashContent({ type, title, details: parseDetails(details), userId, clientId: caller.clientId }),
      required_acr: input.requiredAcr ?? null,
      callback_url: input.callbackUrl ?? null,
      created_at: ctx.now,
      expires_at: ctx.now + input.ttlSeconds * 1000,
    })
    await recordTransaction(ctx, 'TX_CREATED', row, `${type}: ${title}`)
    return toTransaction(services, realmId, row, isOwner(caller, row))
  })
}

/** Whose turn it will be: a person’s token speaks for nobody else. */
function signerOf({ person }: TransactionCaller, { userId }: TransactionInput): string {
  if (person === null) {
    if (userId === undefined) throw fieldError('userId', 'An application’s own token names the person.', 'required')
    return userId
  }
  if (userId !== undefined && userId !== person.userId) {
    throw fieldError('userId', 'A person’s token makes transactions for that person only.')
  }
  return person.userId
}

async function checkAcr(realm: RealmSnapshot, requiredAcr: string | undefined): Promise<void> {
  if (requiredAcr === undefined) return
  const { acrAliases } = await realm.section(settingsSection)
  if (levelOfAcr(requiredAcr, acrAliases) === null) {
    throw fieldError('requiredAcr', 'The realm knows no class of this name; discovery lists those it knows.')
  }
}

/** Unknown, disabled and not a person look the same: nobody learns here who there is. */
async function admitSigner(ctx: Context, userId: string): Promise<void> {
  const person = await store.lockPerson(ctx.tx, ctx.realmId, userId)
  const isLockedOut = person?.locked === true && person.locked_until === null
  if (!person?.enabled || isLockedOut || person.service_account_client_id !== null) {
    throw fieldError('userId', 'There is nobody of this id who could sign.')
  }
  const bounds = { now: ctx.now, maxAgeMs: maxTtlSeconds * 1000, limit: maxWaiting }
  if ((await store.countWaiting(ctx.tx, ctx.realmId, userId, bounds)) >= maxWaiting) {
    throw new DomainError('limit_reached', `${maxWaiting} transactions wait for this person already.`)
  }
}

/** The one answer for what is not there and for what is somebody else’s. */
export async function findRow(services: Services, realmId: string, id: string): Promise<store.TransactionRow> {
  const row = isUuid(id) ? await runRead(() => store.selectTransaction(services.db, realmId, id)) : null
  if (!row) throw notFound()
  return row
}

export async function readTransaction(
  services: Services,
  realmId: string,
  caller: TransactionCaller,
  id: string,
): Promise<Transaction> {
  const row = await findRow(services, realmId, id)
  const isTheirs = isOwner(caller, row)
  if (!isTheirs && !isMaker(caller, row)) throw notFound()
  return toTransaction(services, realmId, row, isTheirs)
}

/** Takes a signed transaction, once. */
export async function consumeTransaction(
  services: Services,
  realmId: string,
  { caller, origin }: Asking,
  id: string,
): Promise<Transaction> {
  const before = await findRow(services, realmId, id)
  const isTheirs = isOwner(caller, before)
  if (!isMaker(caller, before)) {
    if (!isTheirs) throw notFound()
    throw new DomainError('forbidden', 'Only the application that made the transaction consumes it.')
  }
  return runTransaction(services.db, async (work) => {
    const ctx = openContext(services, work, { realmId, actor: actorOf(caller), origin })
    const row = await store.consumeSigned(ctx.tx, realmId, id, { clientUuid: caller.clientUuid, now: ctx.now })
    if (!row) throw await refusalOf(ctx, id, 'consumed')
    await recordTransaction(ctx, 'TX_CONSUMED', row, null)
    return toTransaction(services, realmId, row, isTheirs)
  })
}

/** Why a move does not exist, from the state as it is now. */
export async function refusalOf(ctx: Context, id: string, move: string): Promise<DomainError> {
  const row = await store.selectTransaction(ctx.tx, ctx.realmId, id)
  return row ? wrongState(statusOf(row, ctx.now), move) : notFound()
}

export function wrongState(status: Transaction['status'], move: string): DomainError {
  if (status === 'CONSUMED' && move === 'consumed') {
    return new DomainError('already_consumed', 'The transaction was consumed before.')
  }
  return new DomainError('invalid_transition', `The transaction is ${status} and cannot be ${move}.`)
}

/** What it says is about the person, so their erasure makes it unreadable. */
export async function recordTransaction(
  ctx: Context,
  type: 'TX_CREATED' | 'TX_SIGNED' | 'TX_REJECTED' | 'TX_CONSUMED',
  row: store.TransactionRow,
  detail: string | null,
): Promise<void> {
  await recordEvent(ctx, {
    type,
    outcome: 'SUCCESS',
    resourceType: 'transactions',
    resourceId: row.id,
    clientId: row.client_id,
    detail,
    detailSubject: row.user_id,
  })
}
