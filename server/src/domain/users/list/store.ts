import { type SelectQueryBuilder, sql } from 'kysely'
import type { DB, Executor } from '../../../platform/db/index.ts'
import {
  filterHoldings,
  filterName,
  filterRows,
  type LockState,
  lockState,
  type NameColumn,
  roleIdOf,
  type UserSelection,
  type Users,
} from './filters-store.ts'
import { searchQuery } from './search-store.ts'

export type { UserSelection } from './filters-store.ts'

/** Ids of the page in order, one more than the limit. Every branch reads its index in the order it answers. */
export async function selectUserIds(db: Executor, selection: UserSelection): Promise<string[]> {
  const skipped = selection.after === null ? selection.offset : 0
  const rows = await orderedIds(db, selection, skipped + selection.limit + 1)
    .offset(skipped)
    .limit(selection.limit + 1)
    .execute()
  return rows.map((row) => row.id)
}

/** Counted only when asked for, and never further than the cap. */
export async function countUsers(db: Executor, selection: UserSelection, cap: number): Promise<number> {
  const counted = orderedIds(db, { ...selection, after: null }, cap)
  const row = await db
    .selectFrom(counted.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}

/** They differ in what they select from; what is done with them is the same. */
type OrderedIds = SelectQueryBuilder<DB, 'users', { id: string }>

/** The first `reach` ids of the selection, in its order. */
function orderedIds(db: Executor, selection: UserSelection, reach: number): OrderedIds {
  const { search, username, email, sort } = selection
  if (search !== null) return searchQuery(db, selection, search, reach) as unknown as OrderedIds
  if (username !== null) return byName(db, selection, 'username_folded', username, reach)
  if (email !== null) return byName(db, selection, 'email_folded', email, reach)
  if (sort.column !== 'id') return byName(db, selection, sort.column, null, reach)
  if (selection.attributeHash !== null || selection.roleName !== null)
    return byHolding(db, selection, reach) as OrderedIds
  if (selection.locked === false) return byFlagDown(db, selection, reach) as unknown as OrderedIds
  return byId(db, selection, lockState(selection), reach)
}

const direction = (descending: boolean) => (descending ? 'desc' : 'asc')
const beyond = (descending: boolean) => sql.raw(descending ? '<' : '>')

function byId(db: Executor, selection: UserSelection, lock: LockState, reach: number) {
  const { descending } = selection.sort
  let query = filterRows(db.selectFrom('users') as Users, selection, lock)
  if (selection.after !== null) query = query.where(sql<boolean>`users.id ${beyond(descending)} ${selection.after}`)
  return query.select('users.id').orderBy('users.id', direction(descending)).limit(reach)
}

/** Two indexes merged: the flag of a lock that is over is still up, and only a few of those wait for the job at any time. */
function byFlagDown(db: Executor, selection: UserSelection, reach: number) {
  const part = (lock: LockState) => db.selectFrom(byId(db, selection, lock, reach).as('part')).select('part.id')
  return db
    .selectFrom(part('FLAG_DOWN').unionAll(part('OVER')).as('users'))
    .select('users.id')
    .orderBy('users.id', direction(selection.sort.descending))
    .limit(reach)
}

/** In the order of a name, of all users or of those whose name begins with the prefix. */
function byName(db: Executor, selection: UserSelection, column: NameColumn, prefix: string | null, reach: number) {
  const { realmId, after, exact } = selection
  const descending = prefix === null && selection.sort.descending
  let query = filterHoldings(filterRows(db.selectFrom('users') as Users, selection), selection)
  if (prefix !== null) query = filterName(query, column, prefix, exact)
  if (after !== null) {
    const cursor = sql`(select ${sql.ref(column)}, id from users where realm_id = ${realmId} and id = ${after})`
    query = query.where(sql<boolean>`(${sql.ref(`users.${column}`)}, users.id) ${beyond(descending)} ${cursor}`)
  }
  return query
    .select('users.id')
    .orderBy(`users.${column}`, direction(descending))
    .orderBy('users.id', direction(descending))
    .limit(reach)
}

/**
 * In the order of the holders of a role or attribute. OFFSET 0 keeps the look-up of each user a look-up: joined freely,
 * PostgreSQL would at some sizes rather read all users of the realm.
 */
function byHolding(db: Executor, selection: UserSelection, reach: number) {
  const { realmId, after, attributeHash } = selection
  const { descending } = selection.sort
  const holding =
    attributeHash !== null
      ? sql`select user_id from user_attribute_index where realm_id = ${realmId} and attribute_hash = ${attributeHash}`
      : sql`select user_id from user_roles where realm_id = ${realmId} and role_id = ${roleIdOf(selection)}`
  const behind = after === null ? sql`` : sql`and user_id ${beyond(descending)} ${after}`
  const holders = sql<{ user_id: string }>`(${holding} ${behind})`.as<'holders'>('holders')
  const rest = attributeHash === null ? { ...selection, roleName: null } : { ...selection, attributeHash: null }
  return db
    .selectFrom(holders)
    .innerJoinLateral(
      (eb) =>
        filterHoldings(filterRows(eb.selectFrom('users') as unknown as Users, selection), rest)
          .where('users.id', '=', sql<string>`holders.user_id`)
          .select('users.id')
          .offset(0)
          .as('users'),
      (join) => join.onTrue(),
    )
    .select('users.id')
    .orderBy(sql.ref('holders.user_id'), direction(descending))
    .limit(reach)
}
