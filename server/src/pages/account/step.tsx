// One change on a page of its own: a question or a form, and the way back. It works without script, and Cancel changes nothing.

import type { ComponentChildren } from 'preact'
import { Alert } from '../components/index.ts'
import { safeHref } from '../links.ts'
import { translate } from '../messages/index.ts'
import { Shell } from '../shell.tsx'
import { type AccountFrame, type AccountPageName, accountHref, ActionForm } from './frame.tsx'

interface StepPageProps {
  frame: AccountFrame
  page: AccountPageName
  title: ComponentChildren
  /** The title as plain text, for the window. */
  plainTitle: string
  alert?: string | null
  children: ComponentChildren
}

export function StepPage({ frame, page, title, plainTitle, alert = null, children }: StepPageProps) {
  return (
    <Shell page={`account-${page}`} title={plainTitle} realm={frame.realm} locale={frame.locale}>
      <div class="gh-card">
        <h1 class="gh-title">{title}</h1>
        {alert && <Alert id="form-error" message={alert} />}
        {children}
      </div>
    </Shell>
  )
}

interface StepFormProps {
  frame: AccountFrame
  page: AccountPageName
  action: string
  fields?: Readonly<Record<string, string | null>>
  submit: string
  danger?: boolean
  children?: ComponentChildren
}

export function StepForm({ frame, page, action, fields = {}, submit, danger = false, children }: StepFormProps) {
  return (
    <ActionForm frame={frame} page={page} action={action} fields={fields}>
      {children}
      <div class="gh-choices">
        <button class={danger ? 'gh-button gh-button-danger' : 'gh-button'} type="submit">
          {submit}
        </button>
        <CancelLink frame={frame} page={page} />
      </div>
    </ActionForm>
  )
}

export function CancelLink({ frame, page }: { frame: AccountFrame; page: AccountPageName }) {
  return (
    <a class="gh-button gh-button-quiet" href={safeHref(accountHref(frame, page))}>
      {translate(frame.locale, 'account.cancel')}
    </a>
  )
}
