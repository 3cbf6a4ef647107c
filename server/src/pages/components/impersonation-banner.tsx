// Says on every page of a realm that an administrator acts as somebody, and lets them stop. It stays in sight when the page moves.

import { realmPath, safeAction } from '../links.ts'
import { type Locale, translate } from '../messages/index.ts'
import { HiddenFields } from './hidden-fields.tsx'
import { Message } from './message.tsx'

export interface ActingLook {
  /** The person who is acted for. */
  username: string
  csrf: string
}

export function ImpersonationBanner({
  realmId,
  acting,
  locale,
}: {
  realmId: string
  acting: ActingLook
  locale: Locale
}) {
  return (
    <section class="gh-acting-banner" aria-label={translate(locale, 'impersonation.label')}>
      <p class="gh-acting-text">
        <strong>
          <Message locale={locale} id="impersonation.text" values={{ user: acting.username }} />
        </strong>{' '}
        {translate(locale, 'impersonation.limits')}
      </p>
      <form class="gh-acting-form" method="post" action={safeAction(realmPath(realmId, '/login/logout'))}>
        <HiddenFields values={{ _csrf: acting.csrf }} />
        <button class="gh-button gh-acting-end" type="submit">
          {translate(locale, 'impersonation.end')}
        </button>
      </form>
    </section>
  )
}
