// Why a change first asks for the sign-in again (S39). The address leads to the sign-in and back to where the person was.

import { safeHref } from '../links.ts'
import { translate } from '../messages/index.ts'
import { renderDocument } from '../shell.tsx'
import type { AccountFrame, AccountPageName } from './frame.tsx'
import { CancelLink, StepPage } from './step.tsx'

export interface ReauthProps {
  frame: AccountFrame
  page: AccountPageName
  signInHref: string
}

export function renderReauthPage({ frame, page, signInHref }: ReauthProps): string {
  const { locale } = frame
  const title = translate(locale, 'account.reauth.title')
  return renderDocument(
    <StepPage frame={frame} page={page} title={title} plainTitle={title}>
      <p class="gh-text">{translate(locale, 'account.reauth.text')}</p>
      <div class="gh-choices gh-choices-apart">
        <a class="gh-button" href={safeHref(signInHref)}>
          {translate(locale, 'account.reauth.continue')}
        </a>
        <CancelLink frame={frame} page={page} />
      </div>
    </StepPage>,
  )
}
