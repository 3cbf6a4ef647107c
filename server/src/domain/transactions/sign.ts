import { runTransaction } from '../../platform/db/index.ts'
import { DomainError, fieldError, notFound } from '../../platform/errors/index.ts'
import { type Context, issuerOf, openContext, type Origin, type Services, type UserActor } from '../context/index.ts'
import { openSigningKey } from '../keys/index.ts'
import type { Proof } from '../sessions/index.ts'
import { type Confirmation, prepareConfirmation } from '../sign-in/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'
import { queueCallBack } from './callback.ts'
import { listMethods, memberOf, proofOf, readProof } from './proofs.ts'
import { statusOf } from './record.ts'
import type { SignInput, SignMethod } from './schema.ts'
import { findRow, recordTransaction, refusalOf, wrongState } from './service.ts'
import { makeSignature } from './signature.ts'
import * as store from './store.ts'
import { askedLevel, isStrongEnough } from './strength.ts'

/** The person who answers, by their token or in their own session. */
export interface Signer {
  actor: UserActor
  /** What they proved when they signed in. */
  proofs: Proof[]
  origin: Origin
  /** Whether this way of asking reaches this transaction of theirs. */
  reaches(row: store.TransactionRow): boolean
}

/** The person’s answer: a yes with a proof that is verified for this transaction, or a no, which needs none. */
export async function answerTransactionAs(
  services: Services,
  realm: RealmSnapshot,
  signer: Signer,
  id: string,
  sent: SignInput,
): Promise<store.TransactionRow> {
  const row = await findRow(services, realm.realmId, id)
  if (row.user_id !== signer.actor.userId || !signer.reaches(row)) throw notFound()
  if (signer.actor.impersonatorId !== null) {
    throw new DomainError('forbidden', 'Whoever acts for somebody else cannot sign or reject in their name.')
  }
  const status = statusOf(row, services.clock.now())
  if (status !== 'PENDING') throw wrongState(status, sent.decision === 'REJECT' ? 'rejected' : 'signed')
  if (sent.decision === 'REJECT') return reject(services, realm, signer, row)
  const { method } = sent
  if (method === undefined) throw fieldError('method', 'Say how the person shows that it is them.', 'required')
  await checkMethod(services, realm, signer, row, method)
  return approve(services, realm, signer, row, { ...sent, method })
}

/** Before a try is counted: what could never do costs the person nothing. */
async function checkMethod(
  services: Services,
  realm: RealmSnapshot,
  { proofs }: Signer,
  row: store.TransactionRow,
  method: SignMethod,
): Promise<void> {
  const held = await listMethods(services, realm, row.user_id)
  if (!held.includes(method)) throw fieldError('method', `The person cannot sign with ${method}.`)
  const asked = await askedLevel(realm, row.required_acr)
  if (isStrongEnough(asked, proofs, proofOf(method, 0))) return
  const message = `${method} on top of this sign-in does not reach ${row.required_acr}: use a stronger method or sign in anew.`
  throw new DomainError('forbidden', message, { fields: [{ field: 'method', code: 'too_weak', message }] })
}

async function reject(
  services: Services,
  realm: RealmSnapshot,
  { actor, origin }: Signer,
  { id }: store.TransactionRow,
): Promise<store.TransactionRow> {
  const { realmId } = realm
  return runTransaction(services.db, async (work) => {
    const ctx = openContext(services, work, { realmId, actor, origin })
    const answer = { status: 'REJECTED', method: null, signature: null, now: ctx.now } as const
    const row = await store.answerTransaction(ctx.tx, realmId, id, answer)
    if (!row) throw await refusalOf(ctx, id, 'rejected')
    await recordTransaction(ctx, 'TX_REJECTED', row, null)
    await queueCallBack(ctx, row, 'REJECTED')
    return row
  })
}

async function approve(
  services: Services,
  realm: RealmSnapshot,
  { actor, origin }: Signer,
  before: store.TransactionRow,
  sent: SignInput & { method: SignMethod },
): Promise<store.TransactionRow> {
  const { realmId } = realm
  const shown = await readProof(services, realm, before, sent)
  // Opened here, because a transaction that waits for a second connection can stop a busy pool.
  const key = await openSigningKey(services, realmId)
  const person = { id: actor.userId, username: actor.username }
  const settle = await prepareConfirmation(services, { realm, origin, person }, shown)
  const issuer = issuerOf(services, realmId)
  const outcome = await runTransaction(services.db, async (work) => {
    const ctx = openContext(services, work, { realmId, actor, origin })
    const confirmed = await settle(ctx)
    // Whatever became of the proof is written here, so this ends well and the refusal comes after it.
    if (confirmed.kind !== 'PROVED') return refuseProof(confirmed, sent.method)
    const signature = await makeSignature(before, { issuer, proof: confirmed.proof, key, now: ctx.now })
    return writeSigned(ctx, before.id, sent.method, signature)
  })
  if (outcome instanceof DomainError) throw outcome
  return outcome
}

/** Somebody may have answered while the proof was looked at: then it is used up, and nothing is signed with it. */
async function writeSigned(
  ctx: Context,
  id: string,
  method: SignMethod,
  signature: string,
): Promise<store.TransactionRow | DomainError> {
  const answer = { status: 'SIGNED', method, signature, now: ctx.now } as const
  const row = await store.answerTransaction(ctx.tx, ctx.realmId, id, answer)
  if (!row) return refusalOf(ctx, id, 'signed')
  await recordTransaction(ctx, 'TX_SIGNED', row, method)
  await queueCallBack(ctx, row, 'SIGNED')
  return row
}

function refuseProof(outcome: Exclude<Confirmation, { kind: 'PROVED' }>, method: SignMethod): DomainError {
  if (outcome.kind === 'LIMITED') {
    const { retryAfterSeconds } = outcome
    return new DomainError('rate_limited', 'Too many wrong tries. Wait a little.', { retryAfterSeconds })
  }
  const field = memberOf(method)
  const message = `The ${field} is not right.`
  return new DomainError('unauthenticated', message, { fields: [{ field, code: 'wrong', message }] })
}
