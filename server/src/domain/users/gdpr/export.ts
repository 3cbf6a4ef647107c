import { type Context, maxExportedEntries } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'
import { loadUser } from '../service.ts'
import type { ExportDocument } from './schema.ts'
import { selectAccount } from './store.ts'

// What the specification names although nothing is kept of it, or nobody has any.
const emptySections = { organizations: [], federatedLinks: [], devices: [], agents: [], groups: [] }

/**
 * Everything that is kept of a person, without any secret. Needs no transaction: with the pool as `ctx.tx` each section is read
 * by statements of its own, so that a document of ten thousand events holds no connection and no snapshot for its whole length.
 * Being handed out is an event, which is written before anybody gets the document.
 */
export async function exportUser(ctx: Context, userId: string): Promise<ExportDocument> {
  const { record: user } = await loadUser(ctx, userId, false)
  const { realmId } = ctx
  const account = await selectAccount(ctx.tx, realmId, user.userId, maxExportedEntries + 1)
  const { sections, truncated } = await readSections(ctx, user.userId)
  if (account.clientRoles.length > maxExportedEntries) truncated.push('account.clientRoles')
  const { username, email, enabled, createdAt } = user
  const document = {
    generatedAt: ctx.now,
    schema: 'gatehouse.gdpr.export/v1',
    realmId,
    userId: user.userId,
    profile: { username, email, enabled, createdAt },
    attributes: user.attributes,
    roles: user.roles,
    // A user belongs to one realm (contract 2.108).
    realmMemberships: [{ realmId, joinedAt: createdAt }],
    ...emptySections,
    account: {
      emailVerified: user.emailVerified,
      phone: user.phone,
      phoneVerified: user.phoneVerified,
      locale: user.locale,
      locked: user.locked,
      lastLoginAt: user.lastLoginAt,
      requiredActions: user.requiredActions,
      termsAcceptedAt: account.termsAcceptedAt,
      federationAlias: user.federationAlias,
      clientRoles: account.clientRoles.slice(0, maxExportedEntries),
    },
    ...sections,
    truncated,
  }
  await recordEvent(ctx, {
    type: 'DATA_EXPORTED',
    outcome: 'SUCCESS',
    resourceType: 'users',
    resourceId: user.userId,
  })
  // Which sections there are is known to the folders that contribute them, and a test compares the two.
  return document as unknown as ExportDocument
}

/** One after the other: a document is waited for, and whoever asks for it gets one connection, not twenty. */
async function readSections(ctx: Context, userId: string) {
  const sections: Record<string, unknown[]> = {}
  const truncated: string[] = []
  const asked = ctx.services.contributions.flatMap(({ dataSubject = [] }) => dataSubject)
  for (const { section, exportFor, maxEntries = maxExportedEntries } of asked) {
    const entries = (await exportFor(ctx, userId)) as unknown[]
    sections[section] = entries.slice(0, maxEntries)
    if (entries.length > maxEntries) truncated.push(section)
  }
  return { sections, truncated }
}
