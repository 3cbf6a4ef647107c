import { type Context, maxExportedEntries } from '../../context/index.ts'
import { deleteMessagesOf, selectMessagesOf } from './store.ts'

/** What was sent to a person, without its text: that is gone. */
export async function exportMessagesOf(ctx: Context, userId: string) {
  const rows = await selectMessagesOf(ctx.tx, ctx.realmId, userId, maxExportedEntries + 1)
  return rows.map((row) => ({
    id: row.id,
    channel: row.channel,
    templateKey: row.template_key,
    status: row.status,
    createdAt: row.created_at,
    sentAt: row.sent_at,
  }))
}

export async function eraseMessagesOf(ctx: Context, userId: string): Promise<void> {
  await deleteMessagesOf(ctx.tx, ctx.realmId, userId)
}
