// What follows a registration and a forgotten password: look into your mail. Nothing here depends on the account (S42).

import { safeHref } from '../links.ts'
import { type Locale, translate } from '../messages/index.ts'
import { type RealmLook, renderDocument, Shell } from '../shell.tsx'

export interface MailSentPageProps {
  realm: RealmLook
  locale: Locale
  kind: 'REGISTER' | 'RESET'
  loginHref: string
}

export function renderMailSentPage(props: MailSentPageProps): string {
  return renderDocument(<MailSentPage {...props} />)
}

function MailSentPage({ realm, locale, kind, loginHref }: MailSentPageProps) {
  const title = translate(locale, 'mailSent.title')
  return (
    <Shell page="mail-sent" title={title} realm={realm} locale={locale}>
      <div class="gh-card">
        <h1 class="gh-title">{title}</h1>
        <p class="gh-text">{translate(locale, `mailSent.${kind}`)}</p>
        <p class="gh-subtitle">{translate(locale, 'mailSent.help')}</p>
        <p class="gh-onward">
          <a class="gh-button gh-button-quiet" href={safeHref(loginHref)}>
            {translate(locale, 'resetPassword.back')}
          </a>
        </p>
      </div>
    </Shell>
  )
}
