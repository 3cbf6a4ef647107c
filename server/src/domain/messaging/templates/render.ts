import { type BuiltInLanguage, languageOrFallback } from './built-in/index.ts'
import { layOutMail, type MailBlock, type MailLook } from './layout.ts'
import { cleanValue, escapeHtml, fillIn, onlyPlaceholder, type PlaceholderValues } from './placeholders.ts'
import { textOf } from './text-part.ts'

/** What is needed of a template to render it, wherever it came from. */
export interface RenderableTemplate {
  channel: string
  subject: string | null
  body: string
  html: boolean
  /** What the button says, where the template has words of its own for it. */
  action: string | null
}

export interface RenderedMessage {
  subject: string | null
  /** The text, or the text part of a mail. */
  text: string
  /** The HTML part; only mails have one. */
  html: string | null
  /** Placeholders without a value. */
  missing: string[]
}

/** The body as an administrator wrote it, with the values filled in: what a preview shows. */
export function renderMessage(
  template: RenderableTemplate,
  values: PlaceholderValues,
  look: MailLook,
): RenderedMessage & { body: string } {
  const missing = new Set<string>()
  // Whatever was stored or filled in, a subject is one line (S47).
  const subject = template.subject === null ? null : cleanValue(fillIn(template.subject, values, missing)).trim()
  const body = fillIn(template.body, values, missing, template.html ? escapeHtml : undefined)
  if (template.channel !== 'EMAIL') return { subject, body, text: body, html: null, missing: [...missing] }
  if (template.html) return { subject, body, text: textOf(body), html: body, missing: [...missing] }
  const html = layOut(template, values, look, subject ?? '')
  const { texts } = languageOrFallback(look.lang)
  const text = `${body.trim()}\n\n${fillIn(texts.footer, values, missing)}\n`
  return { subject, body, text, html, missing: [...missing] }
}

function layOut(template: RenderableTemplate, values: PlaceholderValues, look: MailLook, title: string): string {
  const { texts } = languageOrFallback(look.lang)
  const paragraphs = template.body
    .split(/\r?\n\s*\r?\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
  const fill = (text: string) => fillIn(escapeHtml(text), values, new Set(), escapeHtml)
  const blocks = paragraphs.flatMap((paragraph) => blockOf(paragraph, { template, values, texts, fill }))
  // The line that programs show beside the subject: the first that says something, which is not the greeting.
  const preheader = fill(
    paragraphs.find((paragraph) => paragraph.length > 40 && onlyPlaceholder(paragraph) === null) ?? '',
  )
  return layOutMail(look, { title: escapeHtml(title), preheader, blocks, footer: fill(texts.footer) })
}

interface BlockTools {
  template: RenderableTemplate
  values: PlaceholderValues
  texts: BuiltInLanguage
  fill(text: string): string
}

function blockOf(paragraph: string, { template, values, texts, fill }: BlockTools): MailBlock[] {
  const only = onlyPlaceholder(paragraph)
  const value = only === null || !Object.hasOwn(values, only) ? '' : cleanValue(values[only]!)
  if (only !== null && value === '') return []
  // Nothing but an address of the web becomes a button.
  if (only === 'link' && /^https?:\/\//i.test(value)) {
    return [{ kind: 'button', url: value, label: template.action ?? texts.action, hint: texts.linkHint }]
  }
  if (only === 'code') return [{ kind: 'code', html: escapeHtml(value) }]
  return [{ kind: 'paragraph', html: fill(paragraph).replaceAll(/\r?\n/g, '<br>\n') }]
}
