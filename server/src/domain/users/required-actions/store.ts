import type { Tx } from '../../../platform/db/index.ts'

export async function updateRequiredActions(tx: Tx, realmId: string, userId: string, actions: string[]): Promise<void> {
  await tx
    .updateTable('users')
    .set((eb) => ({ required_actions: actions, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .execute()
}
