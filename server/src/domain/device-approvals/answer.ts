import { runTogether } from '../../platform/db/index.ts'
import { DomainError, fieldError, notFound } from '../../platform/errors/index.ts'
import { idTime, isUuid } from '../../platform/ids/index.ts'
import { asUser, type Context } from '../context/index.ts'
import { verifyStatement } from '../devices/index.ts'
import { recordEvent } from '../events/index.ts'
import { forgetCounter, ledgerSubject } from '../lockout/index.ts'
import { levelOf, type Proof } from '../sessions/index.ts'
import { type Approval, isOpen, toApproval } from './record.ts'
import { deleteSignInRow, readApprovalRow, writeAnswer, writeScan } from './store.ts'

/** Who answers: somebody with a session of the realm, or one of their devices by its key. */
export interface Approver {
  userId: string
  username: string
  sessionId: string | null
  /** What the person proved when the session began. */
  proofs: Proof[]
  deviceId: string | null
}

export interface ApprovalAnswer {
  decision: 'APPROVE' | 'DENY'
  number?: number | undefined
  deviceId?: string | undefined
  signature?: string | undefined
  /** The person says that somebody else is at the screen. */
  fraud?: boolean
}

/** A question to this person; to anybody else there is none. */
export async function readForPerson(ctx: Context, approver: Approver, id: string): Promise<Approval> {
  const row = isUuid(id) ? await readApprovalRow(ctx.tx, ctx.realmId, id) : null
  if (!row || row.kind === 'QR' || row.user_id !== approver.userId) throw notFound()
  return toApproval(row, ctx.now)
}

/** The answer to a push or a question for a device's key. A wrong number is a no: there is one guess. */
export async function answerApproval(
  ctx: Context,
  approver: Approver,
  id: string,
  answer: ApprovalAnswer,
): Promise<Approval> {
  const approval = await readForPerson(ctx, approver, id)
  if (!isOpen(approval)) throw answered(approval)
  if (answer.decision === 'DENY') {
    const deviceId = await checkSignature(ctx, approver, approval, answer, { decision: 'DENY' })
    return settle(ctx, approver, approval, { status: 'DENIED', deviceId, why: answer.fraud ? 'fraud' : 'refused' })
  }
  if (approval.choices !== null && answer.number === undefined)
    throw fieldError('number', 'Send the number that the screen of the sign-in shows.', 'required')
  const said: Record<string, string | number> = { decision: 'APPROVE' }
  if (answer.number !== undefined) said.number = answer.number
  const deviceId = await checkSignature(ctx, approver, approval, answer, said)
  if (deviceId === null) assertSessionMayApprove(approver, approval)
  if (approval.choices !== null && answer.number !== approval.number)
    return settle(ctx, approver, approval, { status: 'DENIED', deviceId, why: 'wrong number' })
  return settle(ctx, approver, approval, { status: 'APPROVED', deviceId, why: null })
}

/** The device whose key signed the answer; null where a session answers and no key is asked for. */
async function checkSignature(
  ctx: Context,
  approver: Approver,
  approval: Approval,
  { deviceId, signature }: ApprovalAnswer,
  claims: Record<string, string | number>,
): Promise<string | null> {
  const isNeeded = approver.deviceId !== null || (approval.needsSignature && claims.decision === 'APPROVE')
  if (!isNeeded && signature === undefined) return null
  if (signature === undefined)
    throw fieldError('signature', 'Only an enrolled device can answer this, with its key.', 'required')
  const named = deviceId ?? approver.deviceId
  if (!named) throw fieldError('deviceId', 'Say which device signed.', 'required')
  // A device answers for itself and never with another one's key.
  const isOther = approver.deviceId !== null && approver.deviceId !== named
  const subject = approval.kind === 'QR' ? 'qr' : 'push'
  const sent = {
    userId: approver.userId,
    deviceId: named,
    jws: signature,
    claims: { [subject]: approval.id, ...claims },
  }
  if (isOther || !(await verifyStatement(ctx, sent)))
    throw fieldError('signature', 'The signature is not that of this device over this answer.')
  return named
}

/**
 * Whether this session can stand for a second factor. One that began after the question may be the one of whoever asks; one that
 * has seen no second factor itself has none to lend, and would raise itself by its own yes.
 */
export function maySayYes({ sessionId, proofs }: Approver, { createdAt, needsSignature }: Approval): boolean {
  return !needsSignature && sessionId !== null && idTime(sessionId) < createdAt && levelOf(proofs) > 1
}

function assertSessionMayApprove(approver: Approver, approval: Approval): void {
  if (maySayYes(approver, approval)) return
  throw new DomainError(
    'forbidden',
    'A session that is younger than the question, or has seen no second factor, cannot answer it. Use your device.',
  )
}

interface Outcome {
  status: 'APPROVED' | 'DENIED' | 'CONFIRMED'
  deviceId: string | null
  /** Why not; null for a yes. */
  why: string | null
}

async function settle(ctx: Context, approver: Approver, approval: Approval, outcome: Outcome): Promise<Approval> {
  const { status, deviceId, why } = outcome
  const from = approval.kind === 'QR' ? ['SCANNED'] : ['PENDING']
  const answeredBy = deviceId ?? approver.sessionId
  const answer = { id: approval.id, from, status, answeredBy, now: ctx.now }
  if (!(await writeAnswer(ctx.tx, ctx.realmId, answer))) throw answered(approval)
  const { userId: id, username, sessionId } = approver
  const acting = { ...ctx, actor: asUser(ctx.realmId, { id, username, sessionId }) }
  const way = { PUSH: 'push', KEY: 'device-key', QR: 'qr' }[approval.kind]
  await recordEvent(acting, {
    type: why === null ? 'MFA_SUCCESS' : 'MFA_FAILURE',
    outcome: why === null ? 'SUCCESS' : 'FAILURE',
    detail: JSON.stringify({ method: way, ...(deviceId && { deviceId }), ...(why && { why }) }),
  })
  if (why === null) await runTogether(ctx.tx, [forgetCounter(ctx.realmId, ledgerSubject(id, ''), 'PUSH')])
  // Whoever sits at that screen knows a secret of the person; at least this try of theirs is over.
  if (why === 'fraud') await deleteSignInRow(ctx.tx, ctx.realmId, approval.signInId)
  return { ...approval, status }
}

function answered({ status }: Approval): DomainError {
  const ranOut = status === 'EXPIRED'
  return new DomainError('conflict', ranOut ? 'The time to answer is over.' : 'This was answered already.')
}

/** The first look by a person makes the code theirs; to everybody else it is not there any more. */
export async function scanQr(ctx: Context, approver: Approver, id: string): Promise<Approval> {
  if (!isUuid(id)) throw notFound()
  await writeScan(ctx.tx, ctx.realmId, { id, userId: approver.userId, now: ctx.now })
  const row = await readApprovalRow(ctx.tx, ctx.realmId, id)
  const isTheirs = row?.kind === 'QR' && row.user_id === approver.userId
  // A code that ran out before anybody read it is nobody's, and tells nothing but that.
  const ranOut = row?.kind === 'QR' && row.user_id === null && row.expires_at <= ctx.now
  if (!row || !(isTheirs || ranOut)) throw notFound()
  return toApproval(row, ctx.now)
}

/** A code that this person read before. */
export async function readQr(ctx: Context, approver: Approver, id: string): Promise<Approval> {
  const row = isUuid(id) ? await readApprovalRow(ctx.tx, ctx.realmId, id) : null
  if (!row || row.kind !== 'QR' || row.user_id !== approver.userId) throw notFound()
  return toApproval(row, ctx.now)
}

/** The person who read the code lets the other screen in as themselves. A wrong number ends it. */
export async function confirmQr(
  ctx: Context,
  approver: Approver,
  id: string,
  answer: { code?: string | undefined; deviceId?: string | undefined; signature?: string | undefined },
): Promise<Approval> {
  const approval = await readQr(ctx, approver, id)
  if (approval.status !== 'SCANNED') throw answered(approval)
  if (approval.number !== null && answer.code === undefined)
    throw fieldError('code', 'Send the number that the other screen shows.', 'required')
  const signed = { decision: 'APPROVE' as const, ...answer }
  const deviceId = await checkSignature(ctx, approver, approval, signed, { decision: 'CONFIRM' })
  if (approval.number !== null && answer.code !== String(approval.number))
    return settle(ctx, approver, approval, { status: 'DENIED', deviceId, why: 'wrong number' })
  return settle(ctx, approver, approval, { status: 'CONFIRMED', deviceId, why: null })
}
