import type { Context, UserActor } from '../../../domain/context/index.ts'
import { revokeConsentFor } from '../../../domain/consents/index.ts'
import { type ApplicationQuery, listApplications as listOf } from '../../../domain/users/applications/index.ts'
import { tellOfChange } from '../../../domain/users/notices/index.ts'
import { isUuid } from '../../../platform/ids/index.ts'

export function listApplications(ctx: Context, holder: UserActor, query: ApplicationQuery) {
  return listOf(ctx.tx, ctx.realmId, holder.userId, query, ctx.now)
}

/** By the client's id or its clientId; its refresh tokens for the person end with it. */
export async function revokeOwnConsent(ctx: Context, holder: UserActor, client: string): Promise<void> {
  await revokeConsentFor(ctx, holder.userId, client)
  // An id says nothing to people; what the client calls itself does.
  await tellOfChange(ctx, holder.userId, 'CONSENT_REVOKED', isUuid(client) ? {} : { about: client })
}
