import type { Credential } from '../../../domain/users/credentials/index.ts'
import type { Factor } from '../../../pages/account/index.ts'
import { listOwnCredentials } from '../actions/credentials.ts'
import { type AccountVisit, look } from './holder.ts'

/** All of them: each type has a small limit of its own. */
export async function readCredentials(account: AccountVisit): Promise<Credential[]> {
  const { credentials } = await look(account, (ctx) => listOwnCredentials(ctx, account.holder, { size: '200' }))
  return credentials
}

/** What stands among the passkeys and codes; an app that never showed its first code is none yet. */
export function toFactors(credentials: Credential[]): Factor[] {
  return credentials.flatMap(({ id, type, label, createdAt, lastUsedAt, details }): Factor[] => {
    const own = { id, label, createdAt, lastUsedAt }
    if (type === 'totp') return details.pending === true ? [] : [{ ...own, type, kind: 'app' }]
    if (type !== 'webauthn') return []
    const kind = details.userVerified !== true ? 'key' : details.backedUp === true ? 'synced' : 'passkey'
    return [{ ...own, type, kind }]
  })
}
