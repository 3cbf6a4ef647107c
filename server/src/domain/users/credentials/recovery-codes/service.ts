import { newId } from '../../../../platform/ids/index.ts'
import type { Context } from '../../../context/index.ts'
import { lockUser, raiseUserVersion } from '../../store.ts'
import { insertCredential } from '../store.ts'
import { hashRecoveryCode, readRecoveryCode } from './codes.ts'
import * as store from './store.ts'

/** Earlier ones stop working. Returns the credential's id. */
export async function storeRecoveryCodes(ctx: Context, userId: string, codes: readonly string[]): Promise<string> {
  // Of two sets that are made at once the later one is left, whole.
  await lockUser(ctx.tx, ctx.realmId, userId)
  await store.deleteSets(ctx.tx, ctx.realmId, userId)
  const id = newId(ctx.now)
  await insertCredential(ctx.tx, {
    realm_id: ctx.realmId,
    id,
    user_id: userId,
    type: 'recovery-codes',
    label: null,
    secret_sealed: null,
    details: '{}',
    created_at: ctx.now,
  })
  const hashes = codes.map((text) => {
    const code = readRecoveryCode(text)
    if (code === null) throw new Error('recovery codes are made by makeRecoveryCodes')
    return hashRecoveryCode(ctx.realmId, userId, code)
  })
  await store.insertCodes(ctx.tx, ctx.realmId, userId, id, hashes)
  await raiseUserVersion(ctx.tx, ctx.realmId, userId)
  return id
}

/** Uses a code up by deleting it: of many at once exactly one gets it, and only if its transaction is committed. */
export async function useRecoveryCode(
  ctx: Context,
  userId: string,
  text: string,
): Promise<{ credentialId: string; remaining: number } | null> {
  const code = readRecoveryCode(text)
  if (code === null) return null
  const hash = hashRecoveryCode(ctx.realmId, userId, code)
  const credentialId = await store.takeCode(ctx.tx, ctx.realmId, userId, hash)
  if (credentialId === null) return null
  await store.markUsed(ctx.tx, ctx.realmId, credentialId, ctx.now)
  return { credentialId, remaining: await store.countCodes(ctx.tx, ctx.realmId, credentialId) }
}
