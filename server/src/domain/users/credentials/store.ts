import { sql } from 'kysely'
import { type Executor, prepareStatement, type Tx } from '../../../platform/db/index.ts'
import { raiseUserVersion } from '../store.ts'

export interface CredentialRow {
  id: string
  type: string
  label: string | null
  details: Record<string, unknown>
  created_at: number
  last_used_at: number | null
  version: number
  remaining_codes: number
}

// Every type has a limit of its own far below this.
const maxCredentials = 1000

// The columns with secret material are not among them, so that no record can show it by mistake.
const shownColumns = ['id', 'type', 'label', 'created_at', 'last_used_at', 'version'] as const

function shownRows(db: Executor, realmId: string, userId: string) {
  return db
    .selectFrom('credentials')
    .select(shownColumns)
    .select([
      sql<Record<string, unknown>>`details`.as('details'),
      sql<number>`case when type = 'recovery-codes' then (select count(*)::int from recovery_codes
        where recovery_codes.realm_id = credentials.realm_id and recovery_codes.credential_id = credentials.id)
        else 0 end`.as('remaining_codes'),
    ])
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
}

/** Newest first. */
export async function selectCredentials(db: Executor, realmId: string, userId: string): Promise<CredentialRow[]> {
  return shownRows(db, realmId, userId).orderBy('id', 'desc').limit(maxCredentials).execute()
}

export async function selectCredential(
  db: Executor,
  realmId: string,
  userId: string,
  id: string,
): Promise<CredentialRow | null> {
  return (await shownRows(db, realmId, userId).where('id', '=', id).executeTakeFirst()) ?? null
}

export async function countOfType(db: Executor, realmId: string, userId: string, type: string): Promise<number> {
  const row = await db
    .selectFrom('credentials')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('type', '=', type)
    .executeTakeFirstOrThrow()
  return row.total
}

export interface CredentialInsert {
  realm_id: string
  id: string
  user_id: string
  type: string
  label: string | null
  secret_sealed: Buffer | null
  details: string
  created_at: number
}

export async function insertCredential(tx: Tx, credential: CredentialInsert): Promise<void> {
  await tx.insertInto('credentials').values(credential).execute()
}

export async function updateLabel(
  tx: Tx,
  realmId: string,
  userId: string,
  id: string,
  label: string | null,
): Promise<void> {
  await tx
    .updateTable('credentials')
    .set((eb) => ({ label, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

export async function deleteCredentialRow(tx: Tx, realmId: string, userId: string, id: string): Promise<void> {
  await tx
    .deleteFrom('credentials')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
  await raiseUserVersion(tx, realmId, userId)
}

const usableFactors = prepareStatement('usable_factors', (db, realmId: string, userId: string) =>
  db
    .selectFrom('users')
    .select([
      sql<string | null>`case when email_verified then email end`.as('email'),
      sql<string | null>`case when phone_verified then phone end`.as('phone'),
      sql<boolean>`exists (select from credentials where credentials.realm_id = users.realm_id
        and credentials.user_id = users.id and type = 'totp' and not (details @> '{"pending": true}'))`.as('totp'),
      sql<boolean>`exists (select from webauthn_keys where webauthn_keys.realm_id = users.realm_id
        and webauthn_keys.user_id = users.id)`.as('webauthn'),
      sql<boolean>`exists (select from recovery_codes where recovery_codes.realm_id = users.realm_id
        and recovery_codes.user_id = users.id)`.as('recovery_codes'),
    ])
    .where('realm_id', '=', realmId)
    .where('id', '=', userId),
)

export async function selectFactors(db: Executor, realmId: string, userId: string) {
  const [row] = await usableFactors(db, realmId, userId)
  return row ?? null
}
