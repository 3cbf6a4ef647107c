import { hashToken, newToken } from '../../platform/crypto/index.ts'
import { runRead } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids/index.ts'
import type { Context, Services } from '../context/index.ts'
import { sealedPlace } from './places.ts'
import * as store from './store.ts'
import type { Issue, Purpose, StoredSecret } from './types.ts'

// 256 bits in base64url.
const tokenPattern = /^[A-Za-z0-9_-]{43}$/

/** For a link; the one before of this purpose and subject is worth nothing from now on. `sealed` is for what is personal. */
export async function issueToken(ctx: Context, issue: Issue & { sealed?: string }): Promise<string> {
  const token = newToken()
  const id = newId(ctx.now)
  const { sealer } = ctx.services
  await store.replaceSecret(ctx.tx, {
    realm_id: ctx.realmId,
    id,
    purpose: issue.purpose,
    subject: issue.subject,
    value_hash: hashToken(token),
    bound_to: issue.boundTo,
    details: JSON.stringify(issue.details ?? {}),
    sealed: issue.sealed === undefined ? null : sealer.seal(issue.sealed, sealedPlace(ctx.realmId, id)),
    created_at: ctx.now,
    expires_at: ctx.now + issue.ttlMs,
  })
  return token
}

/** What a link says, without using it: scanners of mail fetch every link before the person does. */
export async function peekToken(
  services: Services,
  realmId: string,
  purpose: Purpose,
  token: string,
): Promise<StoredSecret | null> {
  if (!tokenPattern.test(token)) return null
  const now = services.clock.now()
  const row = await runRead(() => store.selectByValue(services.db, realmId, purpose, hashToken(token), now))
  return row ? toStoredSecret(services, realmId, row) : null
}

/** Uses it up in the caller's transaction: of many at once exactly one gets it, and only if its transaction is committed. */
export async function useToken(ctx: Context, purpose: Purpose, token: string): Promise<StoredSecret | null> {
  if (!tokenPattern.test(token)) return null
  const row = await store.takeByValue(ctx.tx, ctx.realmId, purpose, hashToken(token), ctx.now)
  return row ? toStoredSecret(ctx.services, ctx.realmId, row) : null
}

function toStoredSecret({ sealer }: Services, realmId: string, row: store.SecretRow): StoredSecret {
  return {
    subject: row.subject,
    boundTo: row.bound_to,
    details: row.details as Record<string, unknown>,
    sealed: row.sealed ? sealer.open(row.sealed, sealedPlace(realmId, row.id)).toString('utf8') : null,
    expiresAt: row.expires_at,
  }
}
