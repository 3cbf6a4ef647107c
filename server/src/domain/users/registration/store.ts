import type { Tx } from '../../../platform/db/index.ts'

export async function markTermsAccepted(tx: Tx, realmId: string, userId: string, now: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ terms_accepted_at: now })
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .execute()
}
