// Behind `enrollmentUrl`: the address is for an app, and whoever opens it in a browser is told so. It never sees the token.

import { type Locale, translate } from '../messages/index.ts'
import { type RealmLook, renderDocument, Shell } from '../shell.tsx'

export interface EnrollPageProps {
  realm: RealmLook
  locale: Locale
}

export function renderEnrollPage(props: EnrollPageProps): string {
  return renderDocument(<EnrollPage {...props} />)
}

function EnrollPage({ realm, locale }: EnrollPageProps) {
  const title = translate(locale, 'enroll.title')
  return (
    <Shell page="enroll" title={title} realm={realm} locale={locale}>
      <div class="gh-card">
        <h1 class="gh-title">{title}</h1>
        <p class="gh-text">{translate(locale, 'enroll.text')}</p>
        <p class="gh-text">{translate(locale, 'enroll.how')}</p>
        <p class="gh-subtitle">{translate(locale, 'enroll.caution')}</p>
      </div>
    </Shell>
  )
}
