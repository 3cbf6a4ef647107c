import { createHash } from 'node:crypto'
import type { Result } from '../../domain/admin-route/index.ts'
import type { Context } from '../../domain/context/index.ts'
import { openForPerson, sealForPerson } from '../../domain/events/index.ts'
import { DomainError, fieldError } from '../../platform/errors/index.ts'
import { claimKey, readResponse, storeResponse } from './store.ts'

const maxKeyLength = 255

export interface IdempotentRequest {
  id: Buffer
  requestHash: Buffer
}

/** Contract 2.7: per realm, actor and route, so that nobody can read another's answer by guessing a key. */
export function identifyRequest(key: string, actor: string, route: string, body: unknown): IdempotentRequest {
  if (key.length < 1 || key.length > maxKeyLength)
    throw fieldError('Idempotency-Key', `1 to ${maxKeyLength} characters`)
  const id = createHash('sha256').update([actor, route, key].join('\0')).digest()
  return {
    id,
    requestHash: createHash('sha256')
      .update(JSON.stringify(body ?? null))
      .digest(),
  }
}

/**
 * Claims the key in the transaction of the write. A second request with the same key waits for the first and then gets its
 * answer; that also covers an answer lost on the way back.
 */
export async function replayOrClaim(ctx: Context, request: IdempotentRequest): Promise<Result | null> {
  if (await claimKey(ctx.tx, ctx.realmId, request.id, request.requestHash, ctx.now)) return null
  const stored = await readResponse(ctx.tx, ctx.realmId, request.id)
  if (!stored?.response_sealed)
    throw new DomainError('conflict', 'A request with this Idempotency-Key is still running.')
  if (!stored.request_hash.equals(request.requestHash)) {
    throw new DomainError('conflict', 'This Idempotency-Key was used with another body.')
  }
  const opened = ctx.services.sealer.open(stored.response_sealed, place(ctx, request)).toString()
  return openAnswer(ctx, request, JSON.parse(opened) as Result | AnswerAboutPerson)
}

/** An answer about somebody is sealed once more, under their own key: erasing them takes it along, wherever it lies. */
interface AnswerAboutPerson {
  subject: string
  sealed: string
}

async function openAnswer(ctx: Context, request: IdempotentRequest, kept: Result | AnswerAboutPerson): Promise<Result> {
  if (!('subject' in kept)) return kept
  const text = await openForPerson(ctx, kept.subject, Buffer.from(kept.sealed, 'base64'), place(ctx, request))
  if (text === null) {
    throw new DomainError('conflict', 'This was done before; the answer was about somebody who has been erased since.')
  }
  return JSON.parse(text) as Result
}

/** `subject` is the person whom the answer is about, if it is about one. */
export async function keepAnswer(
  ctx: Context,
  request: IdempotentRequest,
  result: Result,
  subject: string | null,
): Promise<void> {
  const kept = {
    status: result.status,
    body: result.body,
    headers: result.headers,
    resourceId: result.resourceId,
    version: result.version,
  }
  const text = JSON.stringify(kept)
  const sealed = subject === null ? null : await sealForPerson(ctx, subject, text, place(ctx, request))
  const stored = sealed ? JSON.stringify({ subject, sealed: sealed.toString('base64') }) : text
  await storeResponse(ctx.tx, ctx.realmId, request.id, ctx.services.sealer.seal(stored, place(ctx, request)))
}

const place = (ctx: Context, request: IdempotentRequest) => answerPlace(ctx.realmId, request.id)

/** Where a kept answer belongs; moved to another row it does not open. */
export function answerPlace(realmId: string, id: Buffer): string {
  return `idempotency_keys:${realmId}:${id.toString('hex')}:response`
}
