import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Services } from '../../domain/context/index.ts'
import { lookSection } from '../../domain/settings/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { actingNow } from './acting.ts'

/** The realm's look, for pages that the engine asks us to show. */
export async function readLook(services: Services, realmId: string) {
  const realm = await services.snapshots.find(realmId)
  if (!realm) throw new DomainError('realm_not_found', 'There is no realm of this name.')
  return { ...(await realm.section(lookSection)), acting: actingNow()?.shown ?? null }
}

export function sendPage(ctx: KoaContextWithOIDC, headers: Record<string, string>, html: string): void {
  for (const [name, value] of Object.entries(headers)) ctx.set(name, value)
  ctx.body = html
}
