import { z } from 'zod'
import type { Executor } from '../../../platform/db/index.ts'
import { fieldError } from '../../../platform/errors/index.ts'
import { isUuid } from '../../../platform/ids/index.ts'
import { pageQuery, type Paging, paging } from '../../admin-route/index.ts'
import { Consent } from '../../consents/index.ts'
import { type ApplicationRow, selectApplications } from './store.ts'

export const Application = z
  .object({
    clientId: z.string(),
    name: z.string().nullable(),
    consent: Consent.nullable().describe('What you allowed it; null where nobody had to ask you.'),
    signedIn: z.boolean().describe('You are signed in to it with one of your sessions.'),
    offlineAccess: z.boolean().describe('It may go on acting for you when you are signed out.'),
    lastUsedAt: z.int().nullable().describe('When it was last given access.'),
  })
  .meta({ id: 'AccountApplication' })
export type Application = z.infer<typeof Application>

export const ApplicationQuery = pageQuery.omit({ count: true }).meta({ id: 'AccountApplicationQuery' })
export type ApplicationQuery = z.infer<typeof ApplicationQuery>

/** In the order of the clients' ids, one more than the page. */
export async function listApplications(
  db: Executor,
  realmId: string,
  userId: string,
  query: ApplicationQuery,
  now: number,
): Promise<{ rows: { application: Application; cursor: string }[]; page: Paging }> {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is what rel="next" carries')
  const rows = await selectApplications(db, realmId, userId, { ...page, now })
  return { rows: rows.map((row) => ({ application: toApplication(row), cursor: row.id })), page }
}

function toApplication(row: ApplicationRow): Application {
  const consent =
    row.granted_at === null
      ? null
      : {
          clientId: row.client_id,
          clientName: row.name,
          scopes: row.scopes ?? [],
          claims: row.claims ?? [],
          grantedAt: row.granted_at,
          updatedAt: row.updated_at!,
          source: row.source as 'USER' | 'ADMIN' | 'AGENT',
          agentId: row.agent_id,
        }
  return {
    clientId: row.client_id,
    name: row.name,
    consent,
    signedIn: row.signed_in,
    offlineAccess: row.offline_access,
    lastUsedAt: row.last_used_at === null ? null : Number(row.last_used_at),
  }
}
