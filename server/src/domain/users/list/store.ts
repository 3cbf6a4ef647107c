import { type SelectQueryBuilder, sql } from 'kysely'
import type { DB, Executor } from '../../../platform/db/index.ts'
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

type Users = SelectQueryBuilder<DB, 'users', object>
type NameColumn = 'username_folded' | 'email_folded' | 'first_name_folded' | 'last_name_folded'
const nameColumns: NameColumn[] = ['username_folded', 'email_folded', 'first_name_folded', 'last_name_folded']

/** Ids of the page in order, one more than the limit. Every branch reads its index in the order it answers. */
export async function selectUserIds(db: Executor, selection: UserSelection): Promise<string[]> {
  if (selection.search !== null) return searchUserIds(db, selection, selection.search)
  const prefix = selection.username ?? selection.email
  const column =
    selection.username !== null ? 'username_folded' : selection.email !== null ? 'email_folded' : selection.sort.column
  const descending = prefix !== null ? false : selection.sort.descending
  let query = filtered(db.selectFrom('users') as Users, selection)
  if (selection.username !== null) query = matching(query, 'username_folded', selection.username, selection.exact)
  if (selection.email !== null) query = matching(query, 'email_folded', selection.email, selection.exact)
  if (selection.after !== null) query = query.where(beyond(selection.realmId, column, selection.after, descending))
  const direction = descending ? 'desc' : 'asc'
  if (column !== 'id') query = query.orderBy(`users.${column}`, direction)
  const rows = await query
    .select('users.id')
    .orderBy(orderingId(selection), direction)
    .limit(selection.limit + 1)
    .offset(selection.after === null ? selection.offset : 0)
    .execute()
  return rows.map((row) => row.id)
}

// With a role or an attribute the page follows the index of that table, which is in the order of its user_id.
function orderingId(selection: UserSelection) {
  if (selection.sort.column !== 'id' || selection.username !== null || selection.email !== null)
    return 'users.id' as const
  if (selection.roleName !== null) return sql.ref('user_roles.user_id')
  if (selection.attributeHash !== null) return sql.ref('user_attribute_index.user_id')
  return 'users.id' as const
}

function filtered(base: Users, selection: UserSelection): Users {
  let query = base.where('users.realm_id', '=', selection.realmId)
  query = selection.serviceAccounts
    ? query.where('users.service_account_client_id', 'is not', null)
    : query.where('users.service_account_client_id', 'is', null)
  if (selection.enabled !== null) query = query.where('users.enabled', '=', selection.enabled)
  if (selection.locked === true) query = query.where('users.locked', '=', true).where(stillLocked(selection.now))
  if (selection.locked === false)
    query = query.where(sql<boolean>`not (users.locked and ${stillLocked(selection.now)})`)
  if (selection.roleName !== null) {
    query = query.innerJoin('user_roles', (join) =>
      join
        .onRef('user_roles.realm_id', '=', 'users.realm_id')
        .onRef('user_roles.user_id', '=', 'users.id')
        .on('user_roles.realm_id', '=', selection.realmId)
        .on(
          'user_roles.role_id',
          '=',
          sql<string>`(select id from roles where realm_id = ${selection.realmId} and name = ${selection.roleName})`,
        ),
    ) as unknown as Users
  }
  if (selection.attributeHash !== null) {
    query = query.innerJoin('user_attribute_index', (join) =>
      join
        .onRef('user_attribute_index.realm_id', '=', 'users.realm_id')
        .onRef('user_attribute_index.user_id', '=', 'users.id')
        .on('user_attribute_index.realm_id', '=', selection.realmId)
        .on('user_attribute_index.attribute_hash', '=', selection.attributeHash),
    ) as unknown as Users
  }
  return query
}

/** A lock by failed sign-ins ends by itself; the flag is cleared later. */
function stillLocked(now: number) {
  return sql<boolean>`(users.locked_until is null or users.locked_until > ${now})`
}

function matching(query: Users, column: NameColumn, value: string, exact: boolean): Users {
  if (exact) return query.where(`users.${column}`, '=', value)
  return query.where(`users.${column}`, '>=', value).where(`users.${column}`, '<', prefixEnd(value))
}

/** Strictly behind the cursor's user in the order of the list. */
function beyond(realmId: string, column: 'id' | NameColumn, after: string, descending: boolean) {
  const operator = sql.raw(descending ? '<' : '>')
  if (column === 'id') return sql<boolean>`users.id ${operator} ${after}`
  const name = sql.ref(`users.${column}`)
  const cursor = sql`(select ${sql.ref(column)}, id from users where realm_id = ${realmId} and id = ${after})`
  return sql<boolean>`(${name}, users.id) ${operator} ${cursor}`
}

/**
 * A prefix in any of four names: four index scans, each cut at the page's end, merged in the order of the matched name. A user
 * counts only where the match is their smallest, so nobody appears twice.
 */
async function searchUserIds(db: Executor, selection: UserSelection, prefix: string): Promise<string[]> {
  const reach = selection.limit + 1 + (selection.after === null ? selection.offset : 0)
  const smallest = sql<string>`(select min(term) from (values ${sql.join(nameColumns.map((column) => sql`(${sql.ref(`users.${column}`)})`))}) as names(term)
    where term >= ${prefix} and term < ${prefixEnd(prefix)})`
  const branch = (column: NameColumn) => {
    let query = matching(filtered(db.selectFrom('users') as Users, selection), column, prefix, false)
    query = query.where(sql<boolean>`${sql.ref(`users.${column}`)} = ${smallest}`)
    if (selection.after !== null) {
      const cursor = sql`(select ${smallest}, users.id from users where realm_id = ${selection.realmId} and id = ${selection.after})`
      query = query.where(sql<boolean>`(${sql.ref(`users.${column}`)}, users.id) > ${cursor}`)
    }
    return query
      .select(['users.id', sql<string>`${sql.ref(`users.${column}`)}`.as('term')])
      .orderBy(`users.${column}`)
      .orderBy('users.id')
      .limit(reach)
  }
  const [first, ...rest] = nameColumns.map((column) => db.selectFrom(branch(column).as('matches')).selectAll())
  const union = rest.reduce((query, next) => query.unionAll(next), first!)
  const rows = await db
    .selectFrom(union.as('found'))
    .select(['found.id', 'found.term'])
    .distinct()
    .orderBy('found.term')
    .orderBy('found.id')
    .limit(selection.limit + 1)
    .offset(selection.after === null ? selection.offset : 0)
    .execute()
  return rows.map((row) => row.id)
}

/** Counted only when asked for, and never further than the cap. */
export async function countUsers(db: Executor, selection: UserSelection, cap: number): Promise<number> {
  const ids = filtered(db.selectFrom('users') as Users, selection)
  let query = ids
  if (selection.username !== null) query = matching(query, 'username_folded', selection.username, selection.exact)
  if (selection.email !== null) query = matching(query, 'email_folded', selection.email, selection.exact)
  const prefix = selection.search
  if (prefix !== null) {
    query = query.where((eb) =>
      eb.or(
        nameColumns.map((column) =>
          eb.and([eb(`users.${column}`, '>=', prefix), eb(`users.${column}`, '<', prefixEnd(prefix))]),
        ),
      ),
    )
  }
  const row = await db
    .selectFrom(query.select('users.id').limit(cap).as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}
