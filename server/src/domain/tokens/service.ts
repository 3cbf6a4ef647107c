import { hashToken } from '../../platform/crypto/index.ts'
import type { Context, Services } from '../context/index.ts'
import { deleteGrants } from './model-store.ts'
import { readPersonRow } from './person-store.ts'
import { upsertRevocation } from './revocation-store.ts'

// No access token lives longer than a day (settings allow no more); an hour more covers clocks that differ.
export const longestTokenMs = 25 * 3_600_000

/** The id under which a value is kept: its hash, so that the database alone gives nobody a usable token. */
export function modelId(model: string, value: string): Buffer {
  return hashToken(`${model}:${value}`)
}

/** Ends what a person allowed a client: its refresh tokens and what they were made from. Returns how many grants there were. */
export async function revokeUserClientGrants(ctx: Context, userId: string, clientId: string): Promise<number> {
  return deleteGrants(ctx.tx, ctx.realmId, { userId, clientId })
}

/** Voids one token that carries its own proof. */
export async function revokeToken(services: Services, realmId: string, jti: string, expiresAt: number): Promise<void> {
  const now = services.clock.now()
  // Later than any moment it can have been issued at.
  await upsertRevocation(services.db, { realmId, subject: `jti:${jti}`, beforeAt: now + longestTokenMs, expiresAt })
}

/** Voids every access token of the realm issued until now, and ends every grant but those of one session: offline access, too. */
export async function revokeAllTokens(ctx: Context, exceptSessionId: string | null): Promise<void> {
  const { realmId, now } = ctx
  await deleteGrants(ctx.tx, realmId, { exceptSessionId })
  await upsertRevocation(ctx.tx, { realmId, subject: 'realm', beforeAt: now, expiresAt: now + longestTokenMs })
}

/** What is known of a person where tokens are made, and whether they may have any. */
export interface TokenUser {
  userId: string
  username: string
  email: string | null
  emailVerified: boolean
  phone: string | null
  phoneVerified: boolean
  locale: string | null
  attributes: Record<string, string | string[]>
  createdAt: number
  updatedAt: number
  usable: boolean
}

interface UserColumns {
  user_id: string | null
  username: string | null
  email: string | null
  email_verified: boolean | null
  phone: string | null
  phone_verified: boolean | null
  locale: string | null
  attributes: unknown
  enabled: boolean | null
  locked: boolean | null
  locked_until: number | null
  user_created_at: number | null
  user_updated_at: number | null
}

/** Null when the row that was joined holds no person. */
export function toTokenUser(row: UserColumns): TokenUser | null {
  if (row.user_id === null || row.username === null) return null
  return {
    userId: row.user_id,
    username: row.username,
    email: row.email,
    emailVerified: row.email_verified ?? false,
    phone: row.phone,
    phoneVerified: row.phone_verified ?? false,
    locale: row.locale,
    attributes: (row.attributes ?? {}) as Record<string, string | string[]>,
    createdAt: row.user_created_at ?? 0,
    updatedAt: row.user_updated_at ?? row.user_created_at ?? 0,
    // A lock with an end only stops new sign-ins; see domain/sessions.
    usable: row.enabled === true && !(row.locked === true && row.locked_until === null),
  }
}

export async function readTokenUser(services: Services, realmId: string, userId: string): Promise<TokenUser | null> {
  const row = await readPersonRow(services.db, realmId, userId)
  return row ? toTokenUser(row) : null
}

/** What a person's password opened without a session ends where their sessions do. */
export async function revokeSessionlessGrants(ctx: Context, userId: string): Promise<void> {
  await deleteGrants(ctx.tx, ctx.realmId, { userId, withoutSession: true })
}

/** Whatever was issued to a person ends, also what outlives sessions: offline tokens. */
export async function revokeUserGrants(
  ctx: Context,
  userId: string,
  exceptSessionId: string | null = null,
): Promise<void> {
  await deleteGrants(ctx.tx, ctx.realmId, { userId, exceptSessionId })
}
