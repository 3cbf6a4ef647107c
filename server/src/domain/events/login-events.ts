import { firstIdAt } from '../../platform/ids/index.ts'
import { type AuditLine, type Context, hiddenImpersonator, maxExportedEntries } from '../context/index.ts'
import { readEventPage } from './list-store.ts'
import { openEvents } from './open-events.ts'
import { readVisibleFrom, withinPartitions } from './service.ts'

// Opened and decoded at one go; other requests get their turn between two pages.
const pageSize = 500

/** A person's sign-ins, tokens and the like, newest first, for the export of their data (contract 2.53). */
export async function readLoginEvents(ctx: Context, userId: string): Promise<AuditLine[]> {
  const visibleFrom = await readVisibleFrom(ctx)
  const from = visibleFrom === null ? undefined : firstIdAt(visibleFrom)
  const filter = await withinPartitions(ctx, { actor: userId, category: 'AUTHN', from })
  const events: AuditLine[] = []
  for (let cursor: string | null = null; events.length <= maxExportedEntries; ) {
    const limit = Math.min(pageSize, maxExportedEntries + 1 - events.length)
    const rows = await readEventPage(ctx.tx, ctx.realmId, filter, { ascending: false, cursor, offset: 0, limit })
    events.push(...(await openEvents(ctx, rows)).map(withoutOthers))
    if (rows.length < limit) break
    cursor = rows.at(-1)!.id
  }
  return events
}

/** Who acted as the person and where they sat is the administrator's, not theirs. */
function withoutOthers(event: AuditLine): AuditLine {
  return event.impersonatorId === null ? event : { ...event, ...hiddenImpersonator }
}
