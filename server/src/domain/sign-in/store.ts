import { type RawBuilder, sql } from 'kysely'
import {
  definePart,
  type Executor,
  type PartRun,
  prepareStatement,
  runTogether,
  type Tx,
} from '../../platform/db/index.ts'
import type { Continuation, SignInState } from './types.ts'

export interface LoginUser {
  id: string
  username: string
  email: string | null
  enabled: boolean
  locked: boolean
  lockedUntil: number | null
  serviceAccount: boolean
  requiredActions: string[]
  passwordHash: string | null
  passwordChangedAt: number | null
  emailVerified: boolean
  phone: string | null
  phoneVerified: boolean
  locale: string | null
  /** Types of further credentials that are ready for use. */
  factors: string[]
}

/** In the same statement: every sign-in asks which second factors a person has. */
const factorsOfUser = (): RawBuilder<string[] | null> => sql<string[] | null>`(
  select array_agg(distinct factor.type) from credentials factor
  where factor.realm_id = users.realm_id and factor.user_id = users.id and factor.type <> 'password'
    and not coalesce((factor.details ->> 'pending')::boolean, false))`

const personColumns = [
  'users.id',
  'users.username',
  'users.email',
  'users.email_verified',
  'users.phone',
  'users.phone_verified',
  'users.locale',
  'users.enabled',
  'users.locked',
  'users.locked_until',
  'users.required_actions',
  'users.service_account_client_id',
] as const
const passwordColumns = ['credentials.secret_hash', 'credentials.created_at as password_at'] as const

const byName = prepareStatement('login_user_by_name', (db, realmId: string, name: string) =>
  db
    .selectFrom('login_names')
    .innerJoin('users', (join) =>
      join.onRef('users.realm_id', '=', 'login_names.realm_id').onRef('users.id', '=', 'login_names.user_id'),
    )
    .leftJoin('credentials', (join) =>
      join
        .onRef('credentials.realm_id', '=', 'users.realm_id')
        .onRef('credentials.user_id', '=', 'users.id')
        .on('credentials.type', '=', 'password'),
    )
    .select([...personColumns, ...passwordColumns, 'login_names.kind'])
    .select(factorsOfUser().as('factors'))
    .where('login_names.realm_id', '=', realmId)
    .where('login_names.name', '=', name),
)

export async function findByLoginName(
  db: Executor,
  realmId: string,
  foldedName: string,
  withEmail: boolean,
): Promise<LoginUser | null> {
  const [row] = await byName(db, realmId, foldedName)
  if (!row || (row.kind === 'EMAIL' && !withEmail)) return null
  return toLoginUser(row)
}

const byId = definePart(
  'login_user',
  ['realmId', 'userId'],
  (db, { realmId, userId }: { realmId: string; userId: string }) =>
    db
      .selectFrom('users')
      .innerJoin('realms', 'realms.realm_id', 'users.realm_id')
      .leftJoin('credentials', (join) =>
        join
          .onRef('credentials.realm_id', '=', 'users.realm_id')
          .onRef('credentials.user_id', '=', 'users.id')
          .on('credentials.type', '=', 'password'),
      )
      .select([...personColumns, ...passwordColumns])
      .select(factorsOfUser().as('factors'))
      .where('users.realm_id', '=', realmId)
      .where('users.id', '=', userId)
      .where('realms.enabled', '=', true)
      .where('realms.deleted_at', 'is', null)
      .forUpdate('users'),
)

/**
 * Locked until the end of the transaction: a sign-in and a disabling of the same person see one another. Null also when the
 * realm was disabled or deleted a moment ago. `alongside` are writes that do not depend on the answer.
 */
export async function readLoginUser(
  tx: Tx,
  realmId: string,
  userId: string,
  alongside: PartRun[] = [],
): Promise<LoginUser | null> {
  const [row] = await runTogether(tx, [...alongside, byId({ realmId, userId })])
  return row ? toLoginUser(row) : null
}

interface LoginRow {
  id: string
  username: string
  email: string | null
  enabled: boolean
  locked: boolean
  locked_until: number | null
  required_actions: string[]
  service_account_client_id: string | null
  secret_hash: string | null
  password_at: number | null
  email_verified: boolean
  phone: string | null
  phone_verified: boolean
  locale: string | null
  factors: string[] | null
}

function toLoginUser(row: LoginRow): LoginUser {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    enabled: row.enabled,
    locked: row.locked,
    lockedUntil: row.locked_until,
    serviceAccount: row.service_account_client_id !== null,
    requiredActions: row.required_actions,
    passwordHash: row.secret_hash,
    passwordChangedAt: row.password_at,
    emailVerified: row.email_verified,
    phone: row.phone,
    phoneVerified: row.phone_verified,
    locale: row.locale,
    factors: row.factors ?? [],
  }
}

const byIdUnlocked = prepareStatement('login_user_by_id', (db, realmId: string, userId: string) =>
  db
    .selectFrom('users')
    .leftJoin('credentials', (join) =>
      join
        .onRef('credentials.realm_id', '=', 'users.realm_id')
        .onRef('credentials.user_id', '=', 'users.id')
        .on('credentials.type', '=', 'password'),
    )
    .select([...personColumns, ...passwordColumns])
    .select(factorsOfUser().as('factors'))
    .where('users.realm_id', '=', realmId)
    .where('users.id', '=', userId),
)

/** Without a lock, to find out which step a request is for; what is decided is read again under the lock. */
export async function findLoginUser(db: Executor, realmId: string, userId: string): Promise<LoginUser | null> {
  const [row] = await byIdUnlocked(db, realmId, userId)
  return row ? toLoginUser(row) : null
}

/** The same password under newer parameters: neither its age nor its history changes. */
export async function replacePasswordHash(tx: Tx, realmId: string, userId: string, hash: string): Promise<void> {
  await tx
    .updateTable('credentials')
    .set({ secret_hash: hash })
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('type', '=', 'password')
    .execute()
}

interface LastLogin {
  realmId: string
  userId: string
  now: number
}

/** The lock of a person who came back in is over; version stays, nothing of the record changed by hand. */
export const lastLoginPart = definePart('last_login', ['realmId', 'userId', 'now'], (db, login: LastLogin) =>
  db
    .updateTable('users')
    .set({ last_login_at: login.now, locked: false, locked_until: null })
    .where('realm_id', '=', login.realmId)
    .where('id', '=', login.userId),
)

export async function readSignIn(db: Executor, realmId: string, id: string) {
  return db.selectFrom('sign_ins').selectAll().where('realm_id', '=', realmId).where('id', '=', id).executeTakeFirst()
}

export interface SignInRow {
  realmId: string
  id: string
  browserHash: Buffer
  flowAlias: string
  flowVersion: string
  state: SignInState
  continuation: Continuation
  now: number
  expiresAt: number
}

export async function insertSignIn(tx: Tx, row: SignInRow): Promise<void> {
  await tx
    .insertInto('sign_ins')
    .values({
      realm_id: row.realmId,
      id: row.id,
      browser_hash: row.browserHash,
      flow_alias: row.flowAlias,
      flow_version: row.flowVersion,
      state: JSON.stringify(row.state),
      continuation: JSON.stringify(row.continuation),
      user_id: row.state.userId,
      created_at: row.now,
      expires_at: row.expiresAt,
    })
    .execute()
}

/** Moves a sign-in on, if nobody did meanwhile: of two equal requests one wins, the other changes nothing. */
export async function updateSignIn(
  tx: Tx,
  realmId: string,
  id: string,
  version: number,
  state: SignInState,
): Promise<boolean> {
  const result = await tx
    .updateTable('sign_ins')
    .set((eb) => ({ state: JSON.stringify(state), user_id: state.userId, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function deleteSignIn(tx: Tx, realmId: string, id: string, version: number): Promise<boolean> {
  const result = await tx
    .deleteFrom('sign_ins')
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Unfinished sign-ins of a person: those they began to prove themselves in, and those where only their name was typed. */
export async function deleteSignInsOf(
  tx: Tx,
  realmId: string,
  userId: string,
  names: readonly string[],
): Promise<void> {
  const typed = sql<string>`lower(normalize(trim(state ->> 'typedName'), NFKC))`
  await tx
    .deleteFrom('sign_ins')
    .where('realm_id', '=', realmId)
    .where((eb) => eb.or([eb('user_id', '=', userId), eb(typed, '=', sql<string>`any(${[...names]}::text[])`)]))
    .execute()
}

/** Not bound to one realm: what nobody finished is forgotten. */
export async function deleteExpiredSignIns(db: Executor, now: number): Promise<void> {
  await db.deleteFrom('sign_ins').where('expires_at', '<', now).execute()
}
