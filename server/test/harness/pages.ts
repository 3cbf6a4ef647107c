// Pages as a browser without script sees them: forms with their values, errors beside their fields, where the cursor is.
import type { Answer, Browser } from './browser.ts'

export interface PageForm {
  action: string
  /** What the form sends if nothing is typed: hidden and filled fields, boxes that are ticked. */
  values: Record<string, string>
  /** Every field a person can fill in. */
  fields: string[]
  /** Buttons that send a value of their own, as `name=value`. */
  buttons: string[]
}

export interface Page {
  answer: Answer
  /** From the class of the page: `otp`, `update-profile` … */
  name: string
  title: string
  forms: PageForm[]
  /** Messages beside fields, by the field. */
  errors: Record<string, string>
  /** The message above the form. */
  alert: string | null
  focus: string | null
}

type Attributes = Record<string, string>

export function readPage(answer: Answer): Page {
  const html = answer.text
  const inputs = tags(html, 'input')
  const errors = [...html.matchAll(/<p class="gh-field-error" id="([^"]*)-error"[^>]*>(.*?)<\/p>/g)]
  return {
    answer,
    name: /gh-page-([a-z-]+)/.exec(html)?.[1] ?? '',
    title: plain(/<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1] ?? ''),
    forms: [...html.matchAll(/<form ([^>]*)>(.*?)<\/form>/gs)].map((form) => readForm(attributes(form[1]!), form[2]!)),
    errors: Object.fromEntries(errors.map((error) => [error[1]!, plain(error[2]!)])),
    alert: plain(/<p class="gh-alert"[^>]*>(.*?)<\/p>/.exec(html)?.[1] ?? '') || null,
    focus: inputs.find((input) => 'autofocus' in input)?.name ?? null,
  }
}

function readForm(form: Attributes, html: string): PageForm {
  const inputs = tags(html, 'input')
  const sends = ({ type, ...rest }: Attributes) => type !== 'checkbox' || 'checked' in rest
  return {
    action: form.action ?? '',
    values: Object.fromEntries(inputs.filter(sends).map(({ name, value }) => [name!, value ?? ''])),
    fields: inputs.filter(({ type }) => type !== 'hidden').map(({ name }) => name!),
    buttons: tags(html, 'button').flatMap(({ name, value }) => (name ? [`${name}=${value ?? ''}`] : [])),
  }
}

const tags = (html: string, tag: string): Attributes[] =>
  [...html.matchAll(new RegExp(`<${tag}\\b([^>]*)>`, 'g'))].map((found) => attributes(found[1]!))

function attributes(text: string): Attributes {
  const found = [...text.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)]
  return Object.fromEntries(found.map((attribute) => [attribute[1]!, decode(attribute[2] ?? '')]))
}

const plain = (html: string) => decode(html.replaceAll(/<[^>]*>/g, ''))

const decode = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const html = { accept: 'text/html' }

export async function openPage(browser: Browser, path: string): Promise<Page> {
  return readPage(await browser.get(path, { headers: html }))
}

/** Fills in the form that has these fields, or this button, and sends it as a browser does. */
export async function submit(browser: Browser, page: Page, values: Record<string, string> = {}): Promise<Page> {
  const names = Object.keys(values)
  const form = page.forms.find(({ fields, buttons }) =>
    names.every((name) => fields.includes(name) || buttons.includes(`${name}=${values[name]}`)),
  )
  if (!form) throw new Error(`no form for ${names.join(', ')} on “${page.title}”: ${page.answer.text.slice(0, 2000)}`)
  const answer = await browser.send('POST', form.action, { form: { ...form.values, ...values }, headers: html })
  return readPage(answer)
}

/** An answer without what differs each time it is given: sealed values, ids, and what the visitor typed. */
export function shapeOf({ status, headers, text }: Answer, typed: string[] = []): unknown {
  const { date: _date, 'set-cookie': cookies = [], ...rest } = headers
  const hidden = text
    .replaceAll(/(name="(?:continuation|signIn|_csrf|passkeyChallenge)" value=")[^"]*/g, '$1')
    .replaceAll(/((?:"|&quot;)challenge(?:"|&quot;):(?:"|&quot;))[\w-]+/g, '$1')
  const shown = typed.reduce((page, value) => page.replaceAll(value, 'TYPED'), hidden)
  return { status, headers: rest, cookies: [cookies].flat().map((cookie) => cookie.replace(/=[^;]*/, '')), text: shown }
}
