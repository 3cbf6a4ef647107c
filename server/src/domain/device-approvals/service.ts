import { randomInt } from 'node:crypto'
import { runRead } from '../../platform/db/index.ts'
import type { Executor } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids/index.ts'
import { truncate } from '../../platform/text/index.ts'
import type { Context, Services } from '../context/index.ts'
import { type Approval, type ApprovalKind, toApproval } from './record.ts'
import {
  deleteApprovalsOf,
  deleteOpenOf,
  insertApproval,
  readAnswerer,
  readApprovalRow,
  selectOpenRows,
  useAnswer,
} from './store.ts'

// Contract 3.8.
const lifetimeMs = 120_000
// The screen that waits looks every other second; a yes in the last moment is still seen.
const pickUpMs = 60_000
// More open questions than this nobody answers.
const maxPending = 20

export interface Question {
  kind: ApprovalKind
  /** Null for a QR code: who reads it says who they are. */
  userId: string | null
  signInId: string
  clientId: string | null
  action: 'LOGIN' | 'STEP_UP'
  /** Whether the device has to name the number that the screen shows. */
  numberMatching: boolean
  /** Whether only an enrolled device can answer, with its key. */
  needsSignature: boolean
}

/** Asks; what this sign-in asked before and nobody answered is over. */
export async function askElsewhere(ctx: Context, question: Question): Promise<Approval> {
  const { kind, userId, signInId, clientId, action, numberMatching, needsSignature } = question
  await deleteOpenOf(ctx.tx, ctx.realmId, signInId)
  const choices = numberMatching ? drawNumbers() : null
  const id = newId(ctx.now)
  await insertApproval(ctx.tx, ctx.realmId, {
    id,
    kind,
    user_id: userId,
    sign_in_id: signInId,
    client_id: clientId,
    action,
    number: choices && choices[randomInt(choices.length)]!,
    // Of a QR code the number is typed: there is nothing to choose from.
    choices: kind === 'QR' ? null : choices,
    needs_signature: needsSignature,
    source_ip: ctx.origin.sourceIp,
    user_agent: ctx.origin.userAgent ? truncate(ctx.origin.userAgent, 512) : null,
    created_at: ctx.now,
    expires_at: ctx.now + lifetimeMs,
  })
  return toApproval((await readApprovalRow(ctx.tx, ctx.realmId, id))!, ctx.now)
}

/** Three numbers of two digits, so that whoever says yes without looking at the screen is wrong twice in three times. */
function drawNumbers(): number[] {
  const numbers = new Set<number>()
  while (numbers.size < 3) numbers.add(randomInt(10, 100))
  return [...numbers]
}

export async function findApproval(db: Executor, realmId: string, id: string, now: number): Promise<Approval | null> {
  const row = await readApprovalRow(db, realmId, id)
  return row && toApproval(row, now)
}

/** What a person is asked at this moment. */
export async function listPendingApprovals(services: Services, realmId: string, userId: string): Promise<Approval[]> {
  const now = services.clock.now()
  const rows = await runRead(() => selectOpenRows(services.db, realmId, { userId, now, limit: maxPending }))
  return rows.map((row) => toApproval(row, now))
}

/**
 * Uses a yes up for the sign-in that asked. Null when there is none: refused, still open, too old, used before, or said in a
 * session or by a device that is gone since (S12). `provedAt` is when the person proved who they are to whatever said it.
 */
export async function takeApproval(
  ctx: Context,
  asked: { id: string; signInId: string },
): Promise<{ userId: string; provedAt: number } | null> {
  const since = ctx.now - pickUpMs
  const row = await useAnswer(ctx.tx, ctx.realmId, { ...asked, now: ctx.now, answeredSince: since })
  if (!row?.user_id || !row.answered_by) return null
  const [userId, answeredBy] = [row.user_id, row.answered_by]
  const answerer = await readAnswerer(ctx.tx, ctx.realmId, { userId, answeredBy, now: ctx.now })
  return answerer && { userId, provedAt: Math.min(ctx.now, ...answerer.proofs.map(({ at, since }) => since ?? at)) }
}

/** What was asked, and not yet come for, counts no more: whoever answered it may have known the old password (S41). */
export async function endApprovals(ctx: Context, userId: string): Promise<void> {
  await deleteApprovalsOf(ctx.tx, ctx.realmId, userId)
}
