import { hashToken, newToken } from '../../../platform/crypto/index.ts'
import { fieldError, notFound } from '../../../platform/errors/index.ts'
import { isUuid, newId } from '../../../platform/ids/index.ts'
import { idParameter, type Loaded, paging } from '../../admin-route/index.ts'
import type { Context, Services } from '../../context/index.ts'
import { assertScopesExist } from '../service.ts'
import type {
  CreatedInitialAccessToken,
  InitialAccessToken,
  InitialAccessTokenInput,
  InitialAccessTokenQuery,
} from './schema.ts'
import * as store from './store.ts'

// More than anybody hands out; they go by themselves when they expire.
export const maxTokens = 1000

export async function listTokens(ctx: Context, query: InitialAccessTokenQuery) {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is the id of a token')
  const rows = await store.selectTokens(ctx.tx, ctx.realmId, page)
  const total = query.count === 'true' ? await countTokens(ctx, maxTokens) : null
  return { tokens: rows.map(toToken), page, total }
}

export async function countTokens(ctx: Context, upTo: number): Promise<number> {
  return store.countTokens(ctx.tx, ctx.realmId, upTo)
}

export async function loadToken(ctx: Context, tokenId: string | undefined): Promise<Loaded<InitialAccessToken>> {
  const row = await store.selectToken(ctx.tx, ctx.realmId, idParameter(tokenId))
  if (!row) throw notFound()
  // The only thing that ever changes is how often it can still be used.
  return { record: toToken(row), version: row.count - row.remaining }
}

export async function createToken(ctx: Context, input: InitialAccessTokenInput): Promise<CreatedInitialAccessToken> {
  const allowedScopes = input.allowedScopes && [...new Set(input.allowedScopes)]
  if (allowedScopes) await assertScopesExist(ctx, 'allowedScopes', allowedScopes)
  const token = newToken('iat_')
  const row: store.TokenRow = {
    id: newId(ctx.now),
    allowed_scopes: allowedScopes,
    count: input.count,
    remaining: input.count,
    created_at: ctx.now,
    expires_at: ctx.now + input.expiresInSeconds * 1000,
  }
  const createdBy = ctx.actor.kind === 'USER' ? ctx.actor.userId : null
  await store.insertToken(ctx.tx, ctx.realmId, { ...row, token_hash: hashToken(token), created_by: createdBy })
  return { ...toToken(row), token }
}

export async function deleteToken(ctx: Context, token: InitialAccessToken): Promise<void> {
  await store.deleteTokenRow(ctx.tx, ctx.realmId, token.id)
}

export interface UsableToken {
  id: string
  allowedScopes: string[] | null
}

/** Whether somebody may register with this token now; using it up is another matter. Looked for by its hash alone. */
export async function findInitialAccessToken(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  realmId: string,
  token: string,
): Promise<UsableToken | null> {
  const row = await store.selectUsable(db, realmId, hashToken(token), clock.now())
  return row && { id: row.id, allowedScopes: row.allowed_scopes }
}

/** Uses it up by one; false when it is exhausted, expired or gone by now. Undone when the transaction is. */
export async function useInitialAccessToken(ctx: Context, id: string): Promise<boolean> {
  return store.useUp(ctx.tx, ctx.realmId, id, ctx.now)
}

function toToken(row: store.TokenRow): InitialAccessToken {
  return {
    id: row.id,
    allowedScopes: row.allowed_scopes,
    count: row.count,
    remainingCount: row.remaining,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  }
}
