import { hashToken } from '../../platform/crypto/index.ts'
import { newId } from '../../platform/ids/index.ts'
import type { Context } from '../context/index.ts'
import { insertUsed } from './store.ts'
import type { Purpose } from './types.ts'

// Nodes whose clocks differ by less than this agree that a value was used.
const clockMarginMs = 10 * 60_000

/**
 * For a value that was not stored when it was given out: remembers that it was used, until it is over anyway. False when it is
 * over or was used before, on whichever node.
 */
export async function useOnce(ctx: Context, purpose: Purpose, value: string, expiresAt: number): Promise<boolean> {
  if (expiresAt <= ctx.now) return false
  const hash = hashToken(value)
  return insertUsed(ctx.tx, {
    realm_id: ctx.realmId,
    id: newId(ctx.now),
    purpose,
    subject: hash.toString('hex'),
    value_hash: hash,
    created_at: ctx.now,
    expires_at: expiresAt + clockMarginMs,
  })
}
