import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { DB } from '../../../platform/db/index.ts'
import { prefixEnd } from '../../../platform/text/index.ts'

export interface UserSelection {
  realmId: string
  search: string | null
  username: string | null
  email: string | null
  exact: boolean
  enabled: boolean | null
  locked: boolean | null
  roleName: string | null
  attributeHash: Buffer | null
  serviceAccounts: boolean
  sort: { column: 'id' | 'username_folded' | 'email_folded'; descending: boolean }
  offset: number
  limit: number
  after: string | null
  now: number
}

export type Users = SelectQueryBuilder<DB, 'users', object>
export type NameColumn = 'username_folded' | 'email_folded' | 'first_name_folded' | 'last_name_folded'
/** FLAG_DOWN and OVER together are those who are not locked: a lock by failed sign-ins ends before a job takes its flag down. */
export type LockState = 'ANY' | 'LOCKED' | 'NOT_LOCKED' | 'FLAG_DOWN' | 'OVER'

export function lockState({ locked }: UserSelection): LockState {
  return locked === null ? 'ANY' : locked ? 'LOCKED' : 'NOT_LOCKED'
}

/** What the row of a user itself must fulfil. Every index of the lists holds people only, no service accounts. */
export function filterRows(query: Users, selection: UserSelection, lock: LockState = lockState(selection)): Users {
  let filtered = query.where('users.realm_id', '=', selection.realmId)
  filtered = selection.serviceAccounts
    ? filtered.where('users.service_account_client_id', 'is not', null)
    : filtered.where('users.service_account_client_id', 'is', null)
  if (selection.enabled !== null) filtered = filtered.where('users.enabled', '=', selection.enabled)
  const { now } = selection
  if (lock === 'LOCKED') filtered = filtered.where('users.locked', '=', true).where(isInForce(now))
  if (lock === 'NOT_LOCKED') filtered = filtered.where(sql<boolean>`not (users.locked and ${isInForce(now)})`)
  if (lock === 'FLAG_DOWN') filtered = filtered.where('users.locked', '=', false)
  if (lock === 'OVER') filtered = filtered.where('users.locked', '=', true).where('users.locked_until', '<=', now)
  return filtered
}

function isInForce(now: number) {
  return sql<boolean>`(users.locked_until is null or users.locked_until > ${now})`
}

export function roleIdOf({ realmId, roleName }: UserSelection) {
  return sql<string>`(select id from roles where realm_id = ${realmId} and name = ${roleName})`
}

/** Roles and attributes as conditions on a user, where the list follows the order of something else. */
export function filterHoldings(query: Users, selection: UserSelection): Users {
  const { realmId, attributeHash } = selection
  let filtered = query
  if (selection.roleName !== null) {
    const held = (eb: ExpressionBuilder<DB, 'users'>) =>
      eb
        .selectFrom('user_roles')
        .select('user_roles.role_id')
        .where('user_roles.realm_id', '=', realmId)
        .whereRef('user_roles.user_id', '=', 'users.id')
        .where('user_roles.role_id', '=', roleIdOf(selection))
    filtered = filtered.where((eb) => eb.exists(held(eb)))
  }
  if (attributeHash !== null) {
    const found = (eb: ExpressionBuilder<DB, 'users'>) =>
      eb
        .selectFrom('user_attribute_index')
        .select('user_attribute_index.user_id')
        .where('user_attribute_index.realm_id', '=', realmId)
        .where('user_attribute_index.attribute_hash', '=', attributeHash)
        .whereRef('user_attribute_index.user_id', '=', 'users.id')
    filtered = filtered.where((eb) => eb.exists(found(eb)))
  }
  return filtered
}

export function filterName(query: Users, column: NameColumn, value: string, exact: boolean): Users {
  if (exact) return query.where(`users.${column}`, '=', value)
  return query.where(`users.${column}`, '>=', value).where(`users.${column}`, '<', prefixEnd(value))
}
