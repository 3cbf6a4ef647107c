import type { Services } from '../../context/index.ts'
import { settingsSection } from '../../settings/index.ts'
import type { Channel } from '../channels.ts'
import type { Outgoing } from '../drivers/index.ts'
import {
  chooseTemplate,
  isTemplateKey,
  lookOf,
  nameOf,
  type PlaceholderValues,
  renderMessage,
  templatesSection,
} from '../templates/index.ts'
import type { MessageContents } from './contents.ts'
import { type MessageRow, selectPerson } from './store.ts'

type Person = NonNullable<Awaited<ReturnType<typeof selectPerson>>>

/** Names of people stand in sentences; a longer one was made to say something else. */
const maxNameLength = 100

/** The message in the reader's language; null when the realm is gone or does not send messages of this kind. */
export async function composeMessage(
  services: Services,
  realmId: string,
  row: MessageRow,
  contents: MessageContents,
): Promise<Omit<Outgoing, 'to'> | null> {
  const realm = await services.snapshots.find(realmId)
  if (!realm || !isTemplateKey(row.template_key)) return null
  const settings = await realm.section(settingsSection)
  const person = row.user_id === null ? null : await selectPerson(services.db, realmId, row.user_id)
  const template = chooseTemplate(await realm.section(templatesSection), row.template_key, {
    personLocale: contents.locale ?? person?.locale ?? null,
    realmLocale: settings.defaultLocale,
  })
  if (!template.enabled) return null
  const known = { ...valuesOfPerson(person, row.channel as Channel, contents.to), ...contents.values }
  const values: PlaceholderValues = {
    ...{ realm: nameOf(settings), time: formatTime(row.created_at, template.locale) },
    ...known,
    user: known.user.slice(0, maxNameLength),
  }
  const { subject, text, html } = renderMessage(template, values, lookOf(settings, template.locale))
  const data: Record<string, string> = contents.values.link ? { link: contents.values.link } : {}
  return { id: row.id, subject, text, html, data }
}

/** Somebody without a name is called by the address that the message goes to. */
function valuesOfPerson(person: Person | null, channel: Channel, to: string) {
  const values: Record<string, string> & { user: string } = { user: channel === 'PUSH' ? '' : to }
  if (!person) return values
  values['user.username'] = person.username
  if (person.email !== null) values['user.email'] = person.email
  if (person.phone !== null) values['user.phone'] = person.phone
  for (const [name, value] of Object.entries(person.attributes as Record<string, string | string[]>)) {
    values[`user.${name}`] = Array.isArray(value) ? value.join(', ') : value
  }
  values.user = values['user.firstName'] || person.username
  return values
}

function formatTime(at: number, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return `${format.format(at)} UTC`
}
