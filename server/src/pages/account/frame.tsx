// What the account pages have in common: the menu, the title, what was just done, and the forms, which are absent where nobody
// may change anything.

import type { ComponentChildren } from 'preact'
import { HiddenFields } from '../components/index.ts'
import { safeAction, safeHref } from '../links.ts'
import { isMessage, type Locale, type MessageKey, translate } from '../messages/index.ts'
import { type RealmLook, Shell } from '../shell.tsx'
import { Icon, type IconName } from './icons.tsx'

export const accountPages = ['overview', 'personal', 'security', 'places', 'apps', 'privacy'] as const
export type AccountPageName = (typeof accountPages)[number]

export interface AccountFrame {
  realm: RealmLook
  locale: Locale
  csrf: string
  /** `/realms/{realm}/account`; the pages are below it. */
  base: string
  logoutAction: string
  /** True while somebody else acts as the person: everything is shown, nothing is offered. */
  readOnly: boolean
  /** Who it is that others see; shown by the banner while somebody acts for them. */
  username: string
  /** What was just done, by its key; see `readNotice`. */
  notice: NoticeKey | null
  now: number
}

export type NoticeKey = MessageKey extends infer Key ? (Key extends `account.done.${infer Name}` ? Name : never) : never

/** Only what we have words for: a link from elsewhere cannot put words on the page. */
export function readNotice(text: unknown): NoticeKey | null {
  return typeof text === 'string' && isMessage(`account.done.${text}`) ? (text as NoticeKey) : null
}

/** The address of a page; the overview is at the base itself. */
export function accountHref({ base }: Pick<AccountFrame, 'base'>, page: AccountPageName): string {
  return page === 'overview' ? base : `${base}/${page}`
}

/** The address of one change on a page, which is a page of its own. */
export function stepHref(frame: Pick<AccountFrame, 'base'>, page: AccountPageName, step: string, id?: string): string {
  const query = new URLSearchParams({ step, ...(id === undefined ? {} : { id }) })
  return `${accountHref(frame, page)}?${query}`
}

interface AccountPageProps {
  frame: AccountFrame
  page: AccountPageName
  title: string
  text?: string
  children: ComponentChildren
}

export function AccountPage({ frame, page, title, text, children }: AccountPageProps) {
  const { realm, locale } = frame
  const name = page === 'overview' ? 'account' : `account-${page}`
  return (
    <Shell page={name} title={title} realm={realm} locale={locale} width="broad">
      <div class="gh-columns">
        <Menu frame={frame} page={page} />
        <div class="gh-column">
          {page !== 'overview' && <BackLink frame={frame} />}
          <h1 class="gh-title">{title}</h1>
          {text && <p class="gh-subtitle">{text}</p>}
          {frame.notice && <Notice text={translate(locale, `account.done.${frame.notice}`)} />}
          {children}
        </div>
      </div>
    </Shell>
  )
}

function Menu({ frame, page }: { frame: AccountFrame; page: AccountPageName }) {
  return (
    <nav class="gh-menu" aria-label={translate(frame.locale, 'account.menu')}>
      <ul>
        {accountPages.map((name) => (
          <li key={name}>
            <a
              class="gh-menu-link"
              href={safeHref(accountHref(frame, name))}
              aria-current={name === page ? 'page' : undefined}
            >
              <Icon name={name} />
              {translate(frame.locale, `account.${name}.nav`)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** On a telephone the overview is the menu. */
function BackLink({ frame }: { frame: AccountFrame }) {
  return (
    <p class="gh-back">
      <a class="gh-link" href={safeHref(frame.base)}>
        {translate(frame.locale, 'account.back')}
      </a>
    </p>
  )
}

function Notice({ text }: { text: string }) {
  return (
    <p class="gh-notice" role="status">
      <Icon name="done" />
      <span>{text}</span>
    </p>
  )
}

interface PanelProps {
  id: string
  title: string
  text?: ComponentChildren
  /** Stands at the end of the title's line. */
  aside?: ComponentChildren
  children?: ComponentChildren
}

/** One matter of a page. */
export function Panel({ id, title, text, aside, children }: PanelProps) {
  return (
    <section class="gh-card gh-panel" aria-labelledby={`${id}-title`} id={id}>
      <div class="gh-panel-head">
        <div class="gh-panel-words">
          <h2 class="gh-panel-title" id={`${id}-title`}>
            {title}
          </h2>
          {text && <p class="gh-note">{text}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  )
}

interface ActionFormProps {
  frame: AccountFrame
  page: AccountPageName
  action: string
  /** Sent along unseen. */
  fields?: Readonly<Record<string, string | null>>
  class?: string
  children: ComponentChildren
}

/** A change. It is not there at all for somebody who may not make it. */
export function ActionForm({ frame, page, action, fields = {}, children, ...props }: ActionFormProps) {
  if (frame.readOnly) return null
  return (
    <form class={props.class ?? 'gh-form'} method="post" action={safeAction(accountHref(frame, page))}>
      <HiddenFields values={{ _csrf: frame.csrf, action, ...fields }} />
      {children}
    </form>
  )
}

interface StepLinkProps {
  frame: AccountFrame
  href: string
  label: string
  /** The whole sentence for whoever hears the link alone, such as which of many is removed. */
  name?: string
  icon?: IconName
  tone?: 'quiet' | 'danger' | 'primary'
}

/** Leads to the page of a change, and is absent like its form. */
export function StepLink({ frame, href, label, name, icon, tone = 'quiet' }: StepLinkProps) {
  if (frame.readOnly) return null
  const classes = { quiet: 'gh-button gh-button-quiet', danger: 'gh-button gh-button-danger', primary: 'gh-button' }
  return (
    <a class={classes[tone]} href={safeHref(href)} aria-label={name}>
      {icon && <Icon name={icon} />}
      {label}
    </a>
  )
}
