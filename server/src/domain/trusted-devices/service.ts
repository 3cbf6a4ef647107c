import { hashToken, newToken } from '../../platform/crypto/index.ts'
import type { Executor } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids/index.ts'
import type { Context } from '../context/index.ts'
import * as store from './store.ts'

const dayMs = 86_400_000
// 256 bits in base64url.
const tokenPattern = /^[A-Za-z0-9_-]{43}$/
// Nobody signs in from more browsers than this; the one that was trusted longest ago makes room.
const maxDevices = 20
const maxUserAgentLength = 512

/** The token goes into a cookie of this browser; only its hash is kept. */
export async function trustDevice(
  ctx: Context,
  device: { userId: string; days: number; userAgent: string | null },
): Promise<{ token: string; expiresAt: number }> {
  const token = newToken()
  const expiresAt = ctx.now + device.days * dayMs
  await store.insertDevice(ctx.tx, {
    realm_id: ctx.realmId,
    id: newId(ctx.now),
    user_id: device.userId,
    token_hash: hashToken(token),
    user_agent: device.userAgent?.slice(0, maxUserAgentLength) ?? null,
    created_at: ctx.now,
    expires_at: expiresAt,
  })
  await store.trimDevices(ctx.tx, ctx.realmId, device.userId, maxDevices)
  return { token, expiresAt }
}

/**
 * True when this very person trusted this browser and it is not over. `maxDays` is what the realm allows now: a shorter time
 * counts at once, also for browsers that were trusted before.
 */
export async function findTrustedDevice(
  { tx, realmId, now }: Context,
  userId: string,
  token: string,
  maxDays: number,
): Promise<boolean> {
  if (!tokenPattern.test(token)) return false
  const device = await store.selectDevice(tx, realmId, hashToken(token))
  if (!device || device.user_id !== userId || device.expires_at <= now) return false
  if (device.created_at + maxDays * dayMs <= now) return false
  if (device.last_used_at === null || device.last_used_at + dayMs <= now) {
    await store.touchDevice(tx, realmId, device.id, now)
  }
  return true
}

/** The browsers that a person trusts now, the newest first; few, as `maxDevices` says. */
export async function listTrustedDevices(db: Executor, realmId: string, userId: string, now: number) {
  const rows = await store.selectDevicesOf(db, realmId, userId)
  return rows
    .filter((row) => row.expires_at > now)
    .map((row) => ({ userAgent: row.user_agent, createdAt: row.created_at, expiresAt: row.expires_at }))
}

/** Every browser is asked again from now on. */
export async function forgetDevices(ctx: Context, userId: string): Promise<void> {
  await store.deleteDevicesOf(ctx.tx, ctx.realmId, userId)
}
