// The browser between a relying party and the issuer: it follows an address until it is sent back to the application.
// Used with relying parties that build their own addresses and read their own answers.
import { type Answer, type Browser, readForm } from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'

export interface Walk {
  /** What an application is given: the address it is called at, or the form that is posted to it; null when a page stays. */
  callback: URL | Request | null
  /** The pages that were seen on the way, filled in or stayed at. */
  pages: ('sign-in' | 'consent' | 'form-post' | 'logout' | 'other')[]
  /** The last answer. */
  answer: Answer
}

export interface WalkOptions {
  username?: string
  /** A question before a sign-out is answered with yes. */
  confirmLogout?: boolean
  /** Stay at the first page that wants something from the person. */
  touchNothing?: boolean
  form?: Record<string, string>
}

const html = { headers: { accept: 'text/html' } }

export async function walk(browser: Browser, start: URL, options: WalkOptions = {}): Promise<Walk> {
  const pages: Walk['pages'] = []
  const here = (address: string) => new URL(address, start)
  let answer = options.form
    ? await browser.send('POST', start.pathname, { ...html, form: options.form })
    : await browser.get(start.pathname + start.search, html)
  for (let hop = 0; hop < 15; hop++) {
    const location = answer.headers.location as string | undefined
    if (location !== undefined) {
      const target = here(location)
      if (target.origin !== start.origin) return { callback: target, pages, answer }
      answer = await browser.get(target.pathname + target.search, html)
      continue
    }
    const page = pageOf(answer)
    pages.push(page)
    const form = readForm(answer.text)
    const action = here(readAction(answer.text))
    if (page === 'form-post' && action.origin !== start.origin) {
      const callback = new Request(action, { method: 'POST', body: new URLSearchParams(form) })
      return { callback, pages, answer }
    }
    const filled = page === 'form-post' ? form : fill(page, form, options)
    if (!filled) return { callback: null, pages, answer }
    answer = await browser.send('POST', action.pathname, { ...html, form: filled })
  }
  throw new Error('the browser goes round in circles')
}

function pageOf({ status, text }: Answer): Walk['pages'][number] {
  // An error goes back the same way, so the page that posts it may have the status of the error.
  if (text.includes('gh-page-form-post')) return 'form-post'
  if (status !== 200) return 'other'
  if (text.includes('name="password"')) return 'sign-in'
  if (text.includes('name="decision"')) return 'consent'
  return text.includes('gh-page-logout') ? 'logout' : 'other'
}

function fill(page: Walk['pages'][number], form: Record<string, string>, options: WalkOptions) {
  if (options.touchNothing) return null
  if (page === 'sign-in') return { ...form, username: options.username ?? 'admin', password: adminPassword }
  if (page === 'consent') return { ...form, decision: 'allow' }
  if (page === 'logout' && options.confirmLogout) return { ...form, logout: 'yes' }
  return null
}

function readAction(text: string): string {
  return /<form[^>]* action="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
}

/** The parameters an application is given, in whichever way. */
export async function readCallback(callback: URL | Request): Promise<URLSearchParams> {
  return callback instanceof URL ? callback.searchParams : new URLSearchParams(await callback.clone().text())
}
