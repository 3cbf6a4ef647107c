import { type Context, type Contribution, maxExportedEntries } from '../context/index.ts'
import type { Consent } from './schema.ts'
import { listConsents } from './service.ts'
import { deleteConsentsOf } from './store.ts'

const pageSize = '1000'

/** Contract 2.53. */
async function exportConsents(ctx: Context, userId: string): Promise<Consent[]> {
  const consents: Consent[] = []
  for (let after: string | undefined; ; ) {
    const query = { size: pageSize, ...(after ? { after } : {}) }
    const { rows, page } = await listConsents(ctx.tx, ctx.realmId, userId, query)
    const items = rows.slice(0, page.limit)
    consents.push(...items.map(({ consent }) => consent))
    if (rows.length <= page.limit || consents.length > maxExportedEntries) return consents
    after = items.at(-1)!.cursor
  }
}

export const consentsContribution: Contribution = {
  dataSubject: [
    {
      section: 'consents',
      tables: ['consents'],
      exportFor: exportConsents,
      eraseFor: (ctx, userId) => deleteConsentsOf(ctx.tx, ctx.realmId, userId),
    },
  ],
}
