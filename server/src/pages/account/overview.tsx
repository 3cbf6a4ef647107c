// The overview: who you are, what needs your attention, and the way to everything else.

import { Avatar, HiddenFields, Message } from '../components/index.ts'
import { safeAction, safeHref } from '../links.ts'
import { translate } from '../messages/index.ts'
import { describeAction } from '../names.ts'
import { renderDocument } from '../shell.tsx'
import { type AccountFrame, AccountPage, type AccountPageName, accountHref } from './frame.tsx'
import { Icon, type IconName } from './icons.tsx'

/** What somebody should see to, the most pressing first. */
export type Attention =
  | { kind: 'approval'; href: string }
  | { kind: 'noEmail' | 'verifyEmail' | 'secondFactor' | 'recoveryCodes' }
  /** An action that an administrator asks for. */
  | { kind: 'action'; action: string }

export interface OverviewProps {
  frame: AccountFrame
  person: { username: string; name: string | null; email: string | null }
  attention: Attention[]
  /** For administrators. */
  consoleHref: string | null
}

export function renderOverviewPage(props: OverviewProps): string {
  return renderDocument(<OverviewPage {...props} />)
}

function OverviewPage({ frame, person, attention, consoleHref }: OverviewProps) {
  const { locale } = frame
  return (
    <AccountPage frame={frame} page="overview" title={translate(locale, 'account.overview.title')}>
      <Person frame={frame} person={person} />
      <Todo frame={frame} attention={attention} />
      <nav aria-label={translate(locale, 'account.overview.tiles')}>
        <ul class="gh-doorways">
          {tiles.map((page) => (
            <Doorway
              key={page}
              href={accountHref(frame, page)}
              icon={page}
              name={translate(locale, `account.${page}.nav`)}
              text={translate(locale, `account.${page}.tile`)}
            />
          ))}
          {consoleHref && (
            <Doorway
              href={consoleHref}
              icon="console"
              name={translate(locale, 'account.overview.console')}
              text={translate(locale, 'account.overview.consoleText')}
            />
          )}
        </ul>
      </nav>
    </AccountPage>
  )
}

const tiles = ['personal', 'security', 'places', 'apps', 'privacy'] as const satisfies AccountPageName[]

function Person({ frame, person }: Pick<OverviewProps, 'frame' | 'person'>) {
  const { locale } = frame
  const name = person.name ?? person.username
  return (
    <div class="gh-card gh-panel gh-hero">
      <Avatar name={name} />
      <div class="gh-profile-text">
        <p class="gh-hero-name">
          <Message locale={locale} id="account.overview.greeting" values={{ name }} />
        </p>
        <p class="gh-profile-email">
          <bdi>{person.email ?? person.username}</bdi>
        </p>
      </div>
      {/* Whoever acts for somebody stops by the banner. */}
      {!frame.readOnly && (
        <form method="post" action={safeAction(frame.logoutAction)}>
          <HiddenFields values={{ _csrf: frame.csrf }} />
          <button class="gh-button gh-button-quiet" type="submit">
            {translate(locale, 'landing.signOut')}
          </button>
        </form>
      )}
    </div>
  )
}

function Todo({ frame, attention }: Pick<OverviewProps, 'frame' | 'attention'>) {
  const { locale } = frame
  if (attention.length === 0) {
    return (
      <p class="gh-notice gh-notice-calm">
        <Icon name="done" />
        <span>{translate(locale, 'account.overview.allGood')}</span>
      </p>
    )
  }
  return (
    <section class="gh-todos" aria-labelledby="attention-title">
      <h2 class="gh-panel-title" id="attention-title">
        {translate(locale, 'account.overview.attention')}
      </h2>
      <ul>
        {attention.map((one) => (
          <li key={one.kind === 'action' ? one.action : one.kind}>
            <TodoLine frame={frame} attention={one} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const places = {
  noEmail: 'personal',
  verifyEmail: 'personal',
  secondFactor: 'security',
  recoveryCodes: 'security',
} as const

function TodoLine({ frame, attention }: { frame: AccountFrame; attention: Attention }) {
  const { locale } = frame
  if (attention.kind === 'action') {
    const name = describeAction(locale, attention.action)
    return <TodoWords name={name} text={translate(locale, 'account.todo.action')} />
  }
  const name = translate(locale, `account.todo.${attention.kind}`)
  // Whoever acts for somebody sees what waits and cannot see to it.
  if (frame.readOnly) return <TodoWords name={name} text={null} />
  const href = attention.kind === 'approval' ? attention.href : accountHref(frame, places[attention.kind])
  return (
    <a class="gh-todo-link" href={safeHref(href)}>
      <TodoWords name={name} text={translate(locale, `account.todo.${attention.kind}Text`)} />
    </a>
  )
}

function TodoWords({ name, text }: { name: string; text: string | null }) {
  return (
    <span class="gh-todo-words">
      <Icon name="alert" />
      <span>
        <span class="gh-todo-name">{name}</span>
        {text !== null && <span class="gh-todo-text">{text}</span>}
      </span>
    </span>
  )
}

function Doorway({ href, icon, name, text }: { href: string; icon: IconName; name: string; text: string }) {
  return (
    <li>
      <a class="gh-doorway" href={safeHref(href)}>
        <span class="gh-item-icon">
          <Icon name={icon} />
        </span>
        <span>
          <span class="gh-doorway-name">{name}</span>
          <span class="gh-doorway-text">{text}</span>
        </span>
      </a>
    </li>
  )
}
