// Where a sign-in ends while there is no console: who you are, what you may do, where to go (contract 4.3, 4.5b).

import { Avatar, HiddenFields } from './components/index.ts'
import { safeAction, safeHref } from './links.ts'
import { fallbackLocale, formatMoment, type Locale, translate } from './messages/index.ts'
import { type RealmLook, renderDocument, Shell } from './shell.tsx'

export interface LandingPageProps {
  realm: RealmLook
  locale?: Locale
  user: { username: string; email: string | null }
  permissions: { key: string; label: string }[]
  links: { label: string; href: string }[]
  csrf: string
  logoutAction: string
  sessionExpiresAt: Date
}

export function renderLandingPage(props: LandingPageProps): string {
  return renderDocument(<LandingPage {...props} />)
}

function LandingPage(props: LandingPageProps) {
  const { realm, locale = fallbackLocale, links, sessionExpiresAt } = props
  const title = translate(locale, 'landing.consoleTitle')
  return (
    <Shell page="console" title={title} realm={realm} locale={locale} width="wide">
      <div class="gh-card">
        <h1 class="gh-title">{title}</h1>
        <Profile {...props} locale={locale} />
        {links.length > 0 && (
          <section class="gh-section" aria-labelledby="links-title">
            <h2 class="gh-heading" id="links-title">
              {translate(locale, 'landing.links')}
            </h2>
            <ul class="gh-tiles">
              {links.map(({ label, href }) => (
                <li key={href}>
                  <a class="gh-tile" href={safeHref(href)}>
                    <bdi>{label}</bdi>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
        <Permissions {...props} locale={locale} />
        <p class="gh-note">
          <time dateTime={sessionExpiresAt.toISOString()}>
            {translate(locale, 'landing.sessionEnds', { time: formatMoment(locale, sessionExpiresAt) })}
          </time>
        </p>
      </div>
    </Shell>
  )
}

function Profile({ user, csrf, logoutAction, locale }: LandingPageProps & { locale: Locale }) {
  return (
    <div class="gh-profile">
      <Avatar name={user.username} />
      <div class="gh-profile-text">
        <p class="gh-profile-label">{translate(locale, 'landing.signedInAs')}</p>
        <p class="gh-profile-name">
          <bdi>{user.username}</bdi>
        </p>
        <p class="gh-profile-email">
          <bdi>{user.email ?? translate(locale, 'landing.noEmail')}</bdi>
        </p>
      </div>
      <form class="gh-push" method="post" action={safeAction(logoutAction)}>
        <HiddenFields values={{ _csrf: csrf }} />
        <button class="gh-button gh-button-quiet" type="submit">
          {translate(locale, 'landing.signOut')}
        </button>
      </form>
    </div>
  )
}

function Permissions({ permissions, locale }: LandingPageProps & { locale: Locale }) {
  return (
    <section class="gh-section" aria-labelledby="permissions-title">
      <h2 class="gh-heading" id="permissions-title">
        {translate(locale, 'landing.permissions')}
      </h2>
      {permissions.length === 0 ? (
        <p class="gh-note">{translate(locale, 'landing.noPermissions')}</p>
      ) : (
        <ul class="gh-permissions">
          {permissions.map(({ key, label }) => (
            <li key={key}>
              <bdi>{label}</bdi>
              <code class="gh-code">{key}</code>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
