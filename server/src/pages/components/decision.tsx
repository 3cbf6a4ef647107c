// The two answers to what an application asks for.

import type { ComponentChildren } from 'preact'
import { safeAction } from '../links.ts'
import { type Locale, translate } from '../messages/index.ts'
import { HiddenFields } from './hidden-fields.tsx'

export interface DecisionProps {
  locale: Locale
  /** Gets `decision` = `allow` or `deny`. */
  action: string
  /** Sent along unseen. */
  fields: Readonly<Record<string, string>>
  /** Words right above the buttons. */
  children?: ComponentChildren
}

export function Decision({ locale, action, fields, children }: DecisionProps) {
  return (
    <form class="gh-form" method="post" action={safeAction(action)}>
      <HiddenFields values={fields} />
      {children}
      <div class="gh-choices">
        <button class="gh-button" type="submit" name="decision" value="allow">
          {translate(locale, 'consent.allow')}
        </button>
        <button class="gh-button gh-button-quiet" type="submit" name="decision" value="deny">
          {translate(locale, 'consent.deny')}
        </button>
      </div>
    </form>
  )
}
