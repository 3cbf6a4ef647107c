import type { Context } from '../context/index.ts'
import { deleteSecretsOf } from './store.ts'
import type { Purpose } from './types.ts'

/** Codes and links of a subject are worth nothing from now on: all of them, or those of some purposes. */
export async function revokeSecrets(ctx: Context, subject: string, purposes?: readonly Purpose[]): Promise<void> {
  await deleteSecretsOf(ctx.tx, ctx.realmId, subject, purposes ?? null)
}
