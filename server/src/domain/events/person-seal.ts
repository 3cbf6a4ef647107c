import { decryptRecord, encryptRecord } from '../../platform/crypto/index.ts'
import type { Context } from '../context/index.ts'
import { openAuditKeys, usePersonKey } from './audit-keys.ts'

/** Seals what is kept for a while about a person of this realm, so that their erasure makes it unreadable wherever it lies. */
export async function sealForPerson(ctx: Context, userId: string, text: string, place: string): Promise<Buffer> {
  return encryptRecord(await usePersonKey(ctx, ctx.realmId, userId), text, place)
}

/** Null when the person was erased since. */
export async function openForPerson(
  ctx: Context,
  userId: string,
  sealed: Buffer,
  place: string,
): Promise<string | null> {
  const key = (await openAuditKeys(ctx.services, ctx.tx, [ctx.realmId], [userId])).get(userId)
  return key ? decryptRecord(key, sealed, place) : null
}
