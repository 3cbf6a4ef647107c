import { DomainError, notFound } from '../../../platform/errors/index.ts'
import { derivedId } from '../../../platform/ids/index.ts'
import { idParameter, type Loaded } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { readSettings, type RealmSettings } from '../../settings/index.ts'
import { raiseRealmVersion } from '../../snapshot/index.ts'
import type { Channel } from '../channels.ts'
import { languageOrFallback } from './built-in/index.ts'
import { chooseTemplate, type CustomTemplate, directionOf, fromBuiltIn } from './choose.ts'
import { isTemplateKey, type TemplateKey, templateChannels, templateKeys } from './keys.ts'
import type { MailLook } from './layout.ts'
import { renderMessage } from './render.ts'
import type { MessageTemplate, MessageTemplateInput, Preview, PreviewInput } from './schema.ts'
import { toCustom } from './section.ts'
import * as store from './store.ts'

// All of them are in the realm's snapshot.
const maxTemplates = 200

/** A template has the same id before and after it was changed. */
function idOf(realmId: string, key: TemplateKey, locale: string): string {
  return derivedId(realmId, `message-template:${key}:${locale}`)
}

/** For every key what is sent without a language in particular, then what the realm wrote for single languages. */
export async function listTemplates(ctx: Context): Promise<MessageTemplate[]> {
  const { defaultLocale } = await readSettings(ctx)
  const custom = await readCustom(ctx)
  return templateKeys.flatMap((key) => {
    const own = custom.filter(({ templateKey }) => templateKey === key)
    const general = own.some(({ locale }) => locale === '') ? [] : [builtInRecord(ctx.realmId, key, defaultLocale)]
    return [...general, ...own.map((template) => toTemplate(ctx.realmId, template))]
  })
}

async function readCustom(ctx: Context): Promise<CustomTemplate[]> {
  return (await store.selectTemplates(ctx.tx, ctx.realmId)).flatMap(toCustom)
}

export async function upsertTemplate(
  ctx: Context,
  input: MessageTemplateInput,
): Promise<{ template: MessageTemplate; version: number }> {
  await store.lockRealm(ctx.tx, ctx.realmId)
  const locale = input.locale ?? ''
  const id = idOf(ctx.realmId, input.templateKey, locale)
  const custom = await readCustom(ctx)
  if (custom.length >= maxTemplates && !custom.some((template) => template.id === id)) {
    throw new DomainError('limit_reached', `A realm has at most ${maxTemplates} templates of its own.`)
  }
  const { templateKey, channel, subject, body, html, enabled } = input
  const values = { id, template_key: templateKey, channel, locale, subject, body, html, enabled, updated_at: ctx.now }
  const version = await store.upsertTemplate(ctx.tx, ctx.realmId, values)
  await raiseRealmVersion(ctx)
  const { record } = await loadTemplate(ctx, id, false)
  return { template: record, version }
}

/** Only what a realm changed has a row; the built-in texts cannot be taken away. */
export async function loadTemplate(
  ctx: Context,
  templateId: string | undefined,
  forUpdate: boolean,
): Promise<Loaded<MessageTemplate>> {
  const id = idParameter(templateId)
  if (forUpdate) await store.lockRealm(ctx.tx, ctx.realmId)
  const row = await store.selectTemplate(ctx.tx, ctx.realmId, id)
  const [custom] = row ? toCustom(row) : []
  if (!row || !custom) throw notFound()
  return { record: toTemplate(ctx.realmId, custom), version: row.version }
}

export async function deleteTemplate(ctx: Context, template: MessageTemplate): Promise<void> {
  await store.deleteTemplate(ctx.tx, ctx.realmId, template.id)
  await raiseRealmVersion(ctx)
}

export async function previewTemplate(ctx: Context, input: PreviewInput): Promise<Preview> {
  if (!isTemplateKey(input.templateKey)) throw notFound()
  const { templateKey, sample } = input
  const settings = await readSettings(ctx)
  const locales = { personLocale: input.locale ?? null, realmLocale: settings.defaultLocale }
  const template = chooseTemplate(await readCustom(ctx), templateKey, locales)
  const values = { realm: nameOf(settings), ...sample }
  const { subject, body, html, missing } = renderMessage(template, values, lookOf(settings, template.locale))
  return { templateKey, channel: templateChannels[templateKey], subject, body, missing, html }
}

export function nameOf(settings: Pick<RealmSettings, 'displayName' | 'realmId'>): string {
  return settings.displayName ?? settings.realmId
}

export function lookOf(settings: RealmSettings, lang: string): MailLook {
  return { realmName: nameOf(settings), primaryColor: settings.primaryColor, lang, dir: directionOf(lang) }
}

/** The words of a delivery test, in the realm's language and look. */
export async function describeTest(ctx: Context, channel: Channel) {
  const settings = await readSettings(ctx)
  const { locale, texts } = languageOrFallback(settings.defaultLocale)
  const template = { ...texts.test, channel, html: false, action: null }
  const rendered = renderMessage(template, { realm: nameOf(settings) }, lookOf(settings, locale))
  return { subject: rendered.subject, text: rendered.text, html: rendered.html, data: {} }
}

function builtInRecord(realmId: string, templateKey: TemplateKey, locale: string): MessageTemplate {
  const { subject, body, html, enabled } = fromBuiltIn(templateKey, locale)
  const names = { id: idOf(realmId, templateKey, ''), realmId, templateKey, channel: templateChannels[templateKey] }
  return { ...names, locale: null, subject, body, enabled, html, customized: false }
}

function toTemplate(realmId: string, template: CustomTemplate): MessageTemplate {
  const { id, templateKey, locale, subject, body, enabled, html } = template
  const names = { id, realmId, templateKey, channel: templateChannels[templateKey] }
  return { ...names, locale: locale === '' ? null : locale, subject, body, enabled, html, customized: true }
}
