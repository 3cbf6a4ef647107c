import type { Context, Contribution } from '../context/index.ts'
import { insertSigningKey, privateKeyPlace } from './service.ts'
import { selectActiveKey } from './store.ts'

export const keysContribution: Contribution = {
  // The key was made before the transaction, because making one takes a while.
  seed: async (ctx, seed) => void (await insertSigningKey(ctx, seed.signingKey, ctx.now)),
  health: [{ component: 'signingKey', check: checkSigningKey }],
  sealed: [
    {
      table: 'realm_keys',
      column: 'private_key_sealed',
      key: ['realm_id', 'id'],
      place: (key) => privateKeyPlace(String(key.realm_id), String(key.id)),
    },
  ],
}

/** There is a signer and its private half opens with the server's key ring. */
async function checkSigningKey(ctx: Context): Promise<'UP' | 'DOWN'> {
  const key = await selectActiveKey(ctx.tx, ctx.realmId)
  if (!key) return 'DOWN'
  try {
    ctx.services.sealer.open(key.private_key_sealed, privateKeyPlace(ctx.realmId, key.id))
    return 'UP'
  } catch {
    return 'DOWN'
  }
}
