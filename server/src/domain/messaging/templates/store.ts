import type { Executor, Tx } from '../../../platform/db/index.ts'

export interface TemplateRow {
  id: string
  template_key: string
  channel: string
  locale: string
  subject: string | null
  body: string
  html: boolean
  enabled: boolean
  version: number
}

const columns = ['id', 'template_key', 'channel', 'locale', 'subject', 'body', 'html', 'enabled', 'version'] as const

export async function selectTemplates(db: Executor, realmId: string): Promise<TemplateRow[]> {
  return db
    .selectFrom('message_templates')
    .select(columns)
    .where('realm_id', '=', realmId)
    .orderBy('template_key')
    .orderBy('locale')
    .execute()
}

export async function selectTemplate(db: Executor, realmId: string, id: string): Promise<TemplateRow | null> {
  const row = await db
    .selectFrom('message_templates')
    .select(columns)
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Makes writers of the realm's configuration wait for one another. */
export async function lockRealm(tx: Tx, realmId: string): Promise<void> {
  await tx.selectFrom('realms').select('realm_id').where('realm_id', '=', realmId).forNoKeyUpdate().execute()
}

/** Returns the version that the template now has. */
export async function upsertTemplate(
  tx: Tx,
  realmId: string,
  template: Omit<TemplateRow, 'version'> & { updated_at: number },
): Promise<number> {
  const { subject, body, html, enabled, updated_at } = template
  const row = await tx
    .insertInto('message_templates')
    .values({ ...template, realm_id: realmId })
    .onConflict((conflict) =>
      conflict.columns(['realm_id', 'template_key', 'channel', 'locale']).doUpdateSet((eb) => ({
        ...{ subject, body, html, enabled, updated_at },
        version: eb('message_templates.version', '+', 1),
      })),
    )
    .returning('version')
    .executeTakeFirstOrThrow()
  return row.version
}

export async function deleteTemplate(tx: Tx, realmId: string, id: string): Promise<void> {
  await tx.deleteFrom('message_templates').where('realm_id', '=', realmId).where('id', '=', id).execute()
}
