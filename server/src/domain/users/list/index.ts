// The list of users: search, filters, order and pages, each by its index.
// Contract 2.5 and 2.42; pages of a realm with a million users cost what those of a small one cost.
// Called by the routes of domain/users.
import { fieldError } from '../../../platform/errors/index.ts'
import { isUuid } from '../../../platform/ids/index.ts'
import { foldName } from '../../../platform/text/index.ts'
import { paging } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { hashAttribute } from '../attributes.ts'
import type { UserQuery } from '../schema.ts'
import { countUsers, selectUserIds, type UserSelection } from './store.ts'

// A count beyond this says "many"; nobody pages there.
const countCap = 100_000

const sorts = {
  createdAt: { column: 'id', descending: false },
  '-createdAt': { column: 'id', descending: true },
  username: { column: 'username_folded', descending: false },
  '-username': { column: 'username_folded', descending: true },
  email: { column: 'email_folded', descending: false },
  '-email': { column: 'email_folded', descending: true },
} as const

const flag = (text: 'true' | 'false' | undefined) => (text === undefined ? null : text === 'true')

export async function findUserIds(ctx: Context, query: UserQuery) {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is the id of a user')
  if ([query.search, query.username, query.email].filter((term) => term !== undefined).length > 1) {
    throw fieldError('search', 'Use one of search, username and email at a time.')
  }
  const fold = (term: string | undefined) => (term === undefined ? null : foldName(term))
  const selection: UserSelection = {
    realmId: ctx.realmId,
    search: fold(query.search),
    username: fold(query.username),
    email: fold(query.email),
    exact: query.exact === 'true',
    enabled: flag(query.enabled),
    locked: flag(query.locked),
    roleName: query.role ?? null,
    attributeHash: query.attribute === undefined ? null : attributeHashOf(query.attribute),
    serviceAccounts: query.serviceAccounts === 'true',
    sort: sorts[query.sort ?? '-createdAt'],
    ...page,
    now: ctx.now,
  }
  const ids = await selectUserIds(ctx.tx, selection)
  const total = query.count === 'true' ? await countUsers(ctx.tx, selection, countCap) : null
  return { ids, page, total }
}

function attributeHashOf(text: string): Buffer {
  const at = text.indexOf(':')
  return hashAttribute(text.slice(0, at), text.slice(at + 1))
}
