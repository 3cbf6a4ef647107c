// The shell around every page: document head, realm header, main part, footer. It works without script.

import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { markPath, styleSheetPath } from './assets.ts'
import { type ActingLook, ImpersonationBanner } from './components/impersonation-banner.tsx'
import { logoHref, safeHref, themeHref } from './links.ts'
import { fallbackLocale, languageName, type Locale, textDirection, translate } from './messages/index.ts'

/** What a page needs to know about the realm it belongs to. */
export interface RealmLook {
  realmId: string
  displayName: string
  /** Whether the realm has a logo; its bytes come from /realms/{realm}/branding/logo. */
  logo: boolean
  welcomeText: string | null
  /** Version of the realm's theme; null when it has neither colours nor custom CSS, and then no sheet is linked. */
  themeVersion: string | number | null
  termsUrl?: string | null
  privacyUrl?: string | null
  supportEmail?: string | null
  /** The languages this page can be read in, each with its address; fewer than two are not shown. */
  languages?: { locale: Locale; href: string }[]
  /** Set while an administrator acts as somebody here; every page says so. */
  acting?: ActingLook | null
}

export interface ShellProps {
  /** Names the page in the body's class (`gh-page-login`), so that a realm's CSS can tell pages apart. */
  page: string
  title: string
  /** Null on pages that belong to no realm. */
  realm: RealmLook | null
  locale?: Locale
  /** Wide pages hold lists, narrow ones a form; broad ones have a menu beside them. */
  width?: 'narrow' | 'wide' | 'broad'
  /**
   * Address the page leaves for by itself. Browsers wait until the page with its frames has loaded, so no time is given:
   * a delay would only make people wait, or take a page away while they read it (WCAG 2.2.1).
   */
  goesOnTo?: string | null
  /** Path of the one script a page may load; the page has to work without it. */
  script?: string
  children: ComponentChildren
}

/** A complete HTML document. */
export function renderDocument(page: VNode): string {
  return `<!doctype html>\n${renderToString(page)}\n`
}

export function Shell({ page, title, realm, locale = fallbackLocale, width = 'narrow', ...props }: ShellProps) {
  return (
    <html lang={locale} dir={textDirection(locale)}>
      <head>
        <meta charset="utf-8" />
        <title>{`${title} · ${realm ? realm.displayName : 'Gatehouse'}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        {props.goesOnTo && <meta http-equiv="refresh" content={`0; url=${props.goesOnTo}`} />}
        <link rel="icon" href={markPath} type="image/svg+xml" />
        <link rel="stylesheet" href={styleSheetPath} />
        {realm && realm.themeVersion !== null && (
          <link rel="stylesheet" href={themeHref(realm.realmId, realm.themeVersion)} />
        )}
        {props.script && <script src={props.script} defer />}
      </head>
      <body class={`gh-page gh-page-${page} gh-${width}${realm?.acting ? ' gh-acting' : ''}`}>
        {realm?.acting && <ImpersonationBanner realmId={realm.realmId} acting={realm.acting} locale={locale} />}
        <header class={realm?.logo ? 'gh-header gh-header-logo' : 'gh-header'}>
          <Brand realm={realm} />
        </header>
        <main class="gh-main">{props.children}</main>
        <Footer realm={realm} locale={locale} />
      </body>
    </html>
  )
}

function Brand({ realm }: { realm: RealmLook | null }) {
  if (realm?.logo) {
    return <img class="gh-logo" src={logoHref(realm.realmId, realm.themeVersion)} alt={realm.displayName} />
  }
  return (
    <>
      <img class="gh-mark" src={markPath} alt="" width={40} height={40} />
      <bdi class="gh-brand-name">{realm ? realm.displayName : 'Gatehouse'}</bdi>
    </>
  )
}

function Footer({ realm, locale }: { realm: RealmLook | null; locale: Locale }) {
  const links = [
    { label: translate(locale, 'shell.terms'), href: realm?.termsUrl },
    { label: translate(locale, 'shell.privacy'), href: realm?.privacyUrl },
    { label: translate(locale, 'shell.support'), href: realm?.supportEmail ? `mailto:${realm.supportEmail}` : null },
  ].filter((link): link is { label: string; href: string } => Boolean(link.href))
  return (
    <footer class="gh-footer">
      {links.length > 0 && (
        <nav aria-label={translate(locale, 'shell.footerLinks')}>
          <ul class="gh-footer-links">
            {links.map(({ label, href }) => (
              <li key={label}>
                <a href={safeHref(href)}>{label}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <Languages realm={realm} locale={locale} />
      <p class="gh-footer-note">{translate(locale, 'shell.footer')}</p>
    </footer>
  )
}

function Languages({ realm, locale }: { realm: RealmLook | null; locale: Locale }) {
  const languages = realm?.languages ?? []
  if (languages.length < 2) return null
  return (
    <nav aria-label={translate(locale, 'shell.languages')}>
      <ul class="gh-footer-links">
        {languages.map((language) => (
          <li key={language.locale}>
            <a
              href={safeHref(language.href)}
              lang={language.locale}
              hreflang={language.locale}
              aria-current={language.locale === locale ? 'true' : undefined}
            >
              {languageName(language.locale)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
