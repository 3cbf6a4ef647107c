import type { Context } from '../context/index.ts'
import { assertMayActOn, assertMayGrant } from '../permissions/index.ts'

export interface Powers {
  clientId: string
  serviceAccountUserId: string | null
  allowedResources: string[]
  audiences: string[]
}

/**
 * Whoever changes a client, or knows its secret, can act as it. So nobody may do so with a client that can do more than they
 * can: by the roles of its service account, or because the people who sign in through it hand it tokens for the admin API
 * (contract 5.2, S8).
 */
export async function assertMayControl(ctx: Context, client: Powers): Promise<void> {
  assertMayReach(ctx, [client.clientId, ...client.allowedResources, ...client.audiences])
  if (client.serviceAccountUserId !== null) await assertMayActOn(ctx, client.serviceAccountUserId)
}

/**
 * Whatever may end up in `aud`: a clientId, too (includeClientIdInAudience). Tokens for the admin API carry whatever the person who
 * signs in may do, so only who may do everything can arrange for them.
 */
export function assertMayReach(ctx: Context, resources: string[]): void {
  const adminApi = URL.parse(`${ctx.services.config.baseUrl}/admin`)!.href
  const reaches = resources.some((resource) => `${URL.parse(resource)?.href ?? ''}/`.startsWith(`${adminApi}/`))
  if (reaches) assertMayGrant(ctx, ['realm-admin'])
}
