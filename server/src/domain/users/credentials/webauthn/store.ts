import { sql } from 'kysely'
import { type Executor, prepareStatement, type Tx } from '../../../../platform/db/index.ts'
import type { Context, Services } from '../../../context/index.ts'

// All of them are named to the browser at a second step, so there cannot be many.
export const maxKeys = 20

/** Whoever has a transaction open reads in it: waiting for a second connection while holding one can stop a busy pool. */
export function executorOf(from: Context | Services): Executor {
  return 'tx' in from ? from.tx : from.db
}

export interface KeyRow {
  id: string
  user_id: string
  public_key: Buffer
  counter: number
}

const byCredentialId = prepareStatement('webauthn_key', (db, realmId: string, credentialId: string) =>
  db
    .selectFrom('webauthn_keys')
    .select(['id', 'user_id', 'public_key', 'counter'])
    .where('realm_id', '=', realmId)
    .where('credential_id', '=', credentialId),
)

export async function selectKey(db: Executor, realmId: string, credentialId: string): Promise<KeyRow | null> {
  const [row] = await byCredentialId(db, realmId, credentialId)
  return row ?? null
}

export async function selectKeysOf(db: Executor, realmId: string, userId: string) {
  return db
    .selectFrom('webauthn_keys')
    .select(['credential_id', 'transports'])
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(maxKeys)
    .execute()
}

export interface KeyInsert extends KeyRow {
  realm_id: string
  credential_id: string
  transports: string[]
}

/** False when the realm has a key of this id. */
export async function insertKey(tx: Tx, key: KeyInsert): Promise<boolean> {
  const row = await tx
    .insertInto('webauthn_keys')
    .values(key)
    .onConflict((conflict) => conflict.columns(['realm_id', 'credential_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export interface KeyUse {
  credentialId: string
  userId: string
  counter: number
  backedUp: boolean
  now: number
}

/** The second of two at once waits here, and then sees the counter of the first. */
export async function raiseCounter(tx: Tx, realmId: string, use: KeyUse): Promise<boolean> {
  const row = await tx
    .updateTable('webauthn_keys')
    .set({ counter: use.counter })
    .where('realm_id', '=', realmId)
    .where('id', '=', use.credentialId)
    .where('user_id', '=', use.userId)
    .where('counter', use.counter === 0 ? '=' : '<', use.counter)
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  await tx
    .updateTable('credentials')
    .set((eb) => ({
      last_used_at: use.now,
      details: sql`details || jsonb_build_object('backedUp', ${use.backedUp}::boolean)`,
      version: eb('version', '+', 1),
    }))
    .where('realm_id', '=', realmId)
    .where('id', '=', use.credentialId)
    .execute()
  return true
}
