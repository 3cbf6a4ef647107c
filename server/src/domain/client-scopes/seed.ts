import { newId } from '../../platform/ids/index.ts'
import { seedClaims } from '../claims/index.ts'
import type { Context } from '../context/index.ts'
import { standardScopes } from './standard-scopes.ts'
import { insertNewScopes, insertScopeClaims } from './store.ts'

/**
 * The standard scopes with their mappers, in three statements: making a realm must stay quick. A scope or mapper whose name is
 * taken is somebody's own and stays as it is.
 */
export async function seedScopes(ctx: Context): Promise<void> {
  const claimIds = await seedClaims(
    ctx,
    standardScopes.flatMap((scope) => scope.claims),
  )
  const inserted = await insertNewScopes(
    ctx.tx,
    standardScopes.map((scope) => ({
      realm_id: ctx.realmId,
      id: newId(ctx.now),
      name: scope.name,
      description: scope.description,
      consent_text: scope.consentText,
      default_scope: scope.defaultScope,
      include_in_token_scope: true,
      created_at: ctx.now,
    })),
  )
  const scopeIds = new Map(inserted.map(({ id, name }) => [name, id]))
  const pairs = standardScopes.flatMap(({ name, claims }) => {
    const scopeId = scopeIds.get(name)
    return scopeId ? claims.map((claim) => ({ scopeId, claimId: claimIds.get(claim.name)! })) : []
  })
  await insertScopeClaims(ctx.tx, ctx.realmId, pairs)
}
