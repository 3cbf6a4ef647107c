import type { Executor } from '../../platform/db/index.ts'
import { fieldError } from '../../platform/errors/index.ts'
import { isUuid } from '../../platform/ids/index.ts'
import { type Paging, paging } from '../admin-route/index.ts'
import { toSession } from './record.ts'
import type { Session } from './schema.ts'
import { selectSessions } from './store.ts'

/** Where somebody is signed in, newest first; one more than the page. */
export async function listSessionsOf(
  db: Executor,
  realmId: string,
  userId: string,
  query: { page?: string; size?: string; after?: string },
  now: number,
): Promise<{ sessions: Session[]; page: Paging }> {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is the id of a session')
  const rows = await selectSessions(db, { ...page, realmId, userId, now })
  return { sessions: rows.map((row) => toSession(realmId, row)), page }
}

/** One of them; null when it is somebody else's or over. */
export async function readSessionOf(
  db: Executor,
  realmId: string,
  userId: string,
  id: string,
  now: number,
): Promise<Session | null> {
  const [row] = await selectSessions(db, { realmId, userId, id, now, offset: 0, limit: 1, after: null })
  return row ? toSession(realmId, row) : null
}
