import type { Section } from '../../snapshot/index.ts'
import type { CustomTemplate } from './choose.ts'
import { isTemplateKey } from './keys.ts'
import { selectTemplates, type TemplateRow } from './store.ts'

// The object around the texts of a template.
const entryBytes = 200

/** The templates that the realm changed; the others are code: `await snapshot.section(templatesSection)`. */
export const templatesSection: Section<CustomTemplate[]> = {
  name: 'messageTemplates',
  load: async ({ db }, realmId) => (await selectTemplates(db, realmId)).flatMap(toCustom),
  // Two bytes a character is the most that the engine keeps.
  sizeOf: (templates) =>
    templates.reduce((sum, { subject, body }) => sum + entryBytes + (body.length + (subject?.length ?? 0)) * 2, 0),
}

/** A row whose key is no longer there is left alone: a later release may know it again. */
export function toCustom(row: TemplateRow): CustomTemplate[] {
  const { id, template_key: templateKey, locale, subject, body, html, enabled } = row
  return isTemplateKey(templateKey) ? [{ id, templateKey, locale, subject, body, html, enabled }] : []
}
