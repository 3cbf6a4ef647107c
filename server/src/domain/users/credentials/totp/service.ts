import { DomainError } from '../../../../platform/errors/index.ts'
import { newId } from '../../../../platform/ids/index.ts'
import type { Context } from '../../../context/index.ts'
import { lockUser, raiseUserVersion } from '../../store.ts'
import { secretPlace } from '../places.ts'
import { countOfType, insertCredential } from '../store.ts'
import { findStep, makeSecret, readCode, uriOf } from './codes.ts'
import * as store from './store.ts'

// Every one of them is tried at each sign-in.
const maxApps = 10

export interface TotpEnrolment {
  id: string
  /** base32 */
  secret: string
  uri: string
}

interface Naming {
  issuerName: string
  username: string
}

/** A new secret that waits for its first good code; the one that waited before is forgotten. */
export async function startTotp(
  ctx: Context,
  {
    userId,
    label,
    signInId = null,
    ...naming
  }: Naming & { userId: string; label: string | null; signInId?: string | null },
): Promise<TotpEnrolment> {
  // Of two that start at once one comes after the other, so that only one is left waiting.
  await lockUser(ctx.tx, ctx.realmId, userId)
  await store.deletePending(ctx.tx, ctx.realmId, userId)
  if ((await countOfType(ctx.tx, ctx.realmId, userId, 'totp')) >= maxApps) {
    throw new DomainError('limit_reached', `A user has at most ${maxApps} authenticator apps.`)
  }
  const id = newId(ctx.now)
  const secret = makeSecret()
  await insertCredential(ctx.tx, {
    realm_id: ctx.realmId,
    id,
    user_id: userId,
    type: 'totp',
    label,
    secret_sealed: ctx.services.sealer.seal(secret, secretPlace(ctx.realmId, id)),
    details: JSON.stringify({ pending: true, ...(signInId ? { signInId } : {}) }),
    created_at: ctx.now,
  })
  return { id, secret, uri: uriOf(secret, naming) }
}

/**
 * The one that waits, so that a page can show it again: of this sign-in, or made by an administrator. What another sign-in
 * began is somebody else's for all we know, and confirming it would give them the key.
 */
export async function readPendingTotp(
  ctx: Context,
  { userId, signInId, ...naming }: Naming & { userId: string; signInId: string },
): Promise<TotpEnrolment | null> {
  const [row] = await store.selectApps(ctx.tx, ctx.realmId, userId, 'PENDING')
  if (!row || (row.sign_in_id !== null && row.sign_in_id !== signInId)) return null
  const secret = openSecret(ctx, row)
  return { id: row.id, secret, uri: uriOf(secret, naming) }
}

/**
 * Takes a code of one of the person's apps. Each time step of an app counts once, also for two requests at the same moment; the
 * first good code confirms an app that waited.
 */
export async function useTotp(
  ctx: Context,
  { userId, code, allow }: { userId: string; code: string; allow: store.Allowed },
): Promise<{ credentialId: string } | null> {
  const typed = readCode(code)
  if (typed === null) return null
  const rows = await store.selectApps(ctx.tx, ctx.realmId, userId, allow)
  return tryApps(ctx, userId, rows, typed)
}

/** The same for one app that waits, named by its id. */
export async function confirmTotp(ctx: Context, userId: string, id: string, code: string): Promise<boolean> {
  const typed = readCode(code)
  if (typed === null) return false
  const rows = await store.selectApps(ctx.tx, ctx.realmId, userId, 'PENDING')
  const named = rows.filter((row) => row.id === id)
  return (await tryApps(ctx, userId, named, typed)) !== null
}

async function tryApps(
  ctx: Context,
  userId: string,
  rows: store.AppRow[],
  code: string,
): Promise<{ credentialId: string } | null> {
  for (const row of rows) {
    const step = findStep(openSecret(ctx, row), code, ctx.now)
    if (step === null || !(await store.useStep(ctx.tx, ctx.realmId, userId, row.id, step, ctx.now))) continue
    // From now on the record says `mfaEnabled`.
    if (row.pending) await raiseUserVersion(ctx.tx, ctx.realmId, userId)
    return { credentialId: row.id }
  }
  return null
}

function openSecret(ctx: Context, row: store.AppRow): string {
  return ctx.services.sealer.open(row.secret_sealed, secretPlace(ctx.realmId, row.id)).toString('utf8')
}
