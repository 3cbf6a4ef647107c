// Who answers, and the way out for somebody else. A form of its own, so that the two answers stay the only buttons of theirs.

import { safeAction } from '../links.ts'
import { type Locale, translate } from '../messages/index.ts'
import { Avatar } from './avatar.tsx'
import { HiddenFields } from './hidden-fields.tsx'

export interface AccountProps {
  locale: Locale
  /** Gets `decision=switch`. */
  action: string
  /** Sent along unseen. */
  fields: Readonly<Record<string, string>>
  username: string
}

export function Account({ locale, action, fields, username }: AccountProps) {
  return (
    <form class="gh-whoami" method="post" action={safeAction(action)}>
      <HiddenFields values={fields} />
      <Avatar name={username} />
      <div class="gh-whoami-text">
        <p class="gh-profile-label">{translate(locale, 'consent.signedInAs')}</p>
        <p class="gh-whoami-name">
          <bdi>{username}</bdi>
        </p>
        <button class="gh-link gh-link-button" type="submit" name="decision" value="switch">
          {translate(locale, 'consent.switch')}
        </button>
      </div>
    </form>
  )
}
