import { sql } from 'kysely'
import type { Tx } from '../../platform/db/index.ts'

/** A required action is done. */
export async function completeAction(tx: Tx, realmId: string, userId: string, action: string): Promise<void> {
  await tx
    .updateTable('users')
    .set((eb) => ({
      required_actions: sql<string[]>`array_remove(required_actions, ${action})`,
      version: eb('version', '+', 1),
    }))
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .execute()
}

export async function acceptTerms(tx: Tx, realmId: string, userId: string, now: number): Promise<void> {
  await tx
    .updateTable('users')
    .set((eb) => ({
      terms_accepted_at: now,
      required_actions: sql<string[]>`array_remove(required_actions, 'TERMS_AND_CONDITIONS')`,
      version: eb('version', '+', 1),
    }))
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .execute()
}

/** The address that was proved, if it is still the person's; `email` null only takes the action away. */
export async function markEmailVerified(
  tx: Tx,
  realmId: string,
  userId: string,
  email: string | null,
  now: number,
): Promise<boolean> {
  const result = await tx
    .updateTable('users')
    .set((eb) => ({
      ...(email === null ? {} : { email_verified: true, updated_at: now }),
      required_actions: sql<string[]>`array_remove(required_actions, 'VERIFY_EMAIL')`,
      version: eb('version', '+', 1),
    }))
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .$if(email !== null, (query) => query.where('email', '=', email))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
