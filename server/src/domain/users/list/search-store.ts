import { sql } from 'kysely'
import type { Executor } from '../../../platform/db/index.ts'
import { prefixEnd } from '../../../platform/text/index.ts'
import {
  filterHoldings,
  filterName,
  filterRows,
  type NameColumn,
  type UserSelection,
  type Users,
} from './filters-store.ts'

const nameColumns: NameColumn[] = ['username_folded', 'email_folded', 'first_name_folded', 'last_name_folded']

/**
 * Users with a prefix in any of four names, in the order of the smallest name that has it. Four index scans give `reach` rows
 * each: whoever is among the first `reach` users stands among the first `reach` rows of the name that decides their place,
 * because every row before it is another user who comes earlier. Behind a cursor, those who were shown for a smaller name are
 * passed over.
 */
export function searchQuery(db: Executor, selection: UserSelection, prefix: string, reach: number) {
  const end = prefixEnd(prefix)
  const matched = nameColumns.map((column) => {
    const name = sql.ref(`users.${column}`)
    return sql`case when ${name} >= ${prefix} and ${name} < ${end} then ${name} end`
  })
  const smallest = sql<string>`least(${sql.join(matched)})`
  const branch = (column: NameColumn) => {
    const people = filterHoldings(filterRows(db.selectFrom('users') as Users, selection), selection)
    let query = filterName(people, column, prefix, false)
    if (selection.after !== null) {
      const cursor = sql`(select ${smallest}, users.id from users where realm_id = ${selection.realmId} and id = ${selection.after})`
      query = query
        .where(sql<boolean>`(${sql.ref(`users.${column}`)}, users.id) > ${cursor}`)
        .where(sql<boolean>`(${smallest}, users.id) > ${cursor}`)
    }
    return query
      .select(['users.id', smallest.as('term')])
      .orderBy(`users.${column}`)
      .orderBy('users.id')
      .limit(reach)
  }
  const [first, ...rest] = nameColumns.map((column) => db.selectFrom(branch(column).as('matches')).selectAll())
  const union = rest.reduce((query, next) => query.unionAll(next), first!)
  return db
    .selectFrom(union.as('found'))
    .select(['found.id', 'found.term'])
    .distinct()
    .orderBy('found.term')
    .orderBy('found.id')
    .limit(reach)
}
