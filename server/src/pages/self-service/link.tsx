// Where links from mail lead (contract 4.5b). Opening one changes nothing: mail scanners open links, people press buttons.

import { HiddenFields, Message } from '../components/index.ts'
import { safeAction, safeHref } from '../links.ts'
import { type Locale, translate } from '../messages/index.ts'
import { describeAction } from '../names.ts'
import { type RealmLook, renderDocument, Shell } from '../shell.tsx'

export interface LinkPageProps {
  realm: RealmLook
  locale: Locale
  csrf: string
  /** Gets the token by POST. */
  action: string
  kind: 'MAGIC_LINK' | 'VERIFY_EMAIL' | 'RESET_PASSWORD' | 'ACTIONS' | 'REGISTER'
  state: 'CONFIRM' | 'EXPIRED' | 'DONE' | 'OTHER_BROWSER'
  token: string | null
  /** Of ACTIONS: the required actions the person is asked for. */
  actions?: string[]
  loginHref: string | null
  continueHref?: string | null
}

export function renderLinkPage(props: LinkPageProps): string {
  return renderDocument(<LinkPage {...props} />)
}

function LinkPage(props: LinkPageProps) {
  const { realm, locale, kind, state } = props
  const values = { realm: realm.displayName }
  if (state === 'CONFIRM') {
    return (
      <Shell page="link" title={translate(locale, `link.${kind}.title`, values)} realm={realm} locale={locale}>
        <div class="gh-card">
          <h1 class="gh-title">
            <Message locale={locale} id={`link.${kind}.title`} values={values} />
          </h1>
          <ConfirmForm {...props} />
        </div>
      </Shell>
    )
  }
  const title = translate(locale, state === 'DONE' ? `link.${kind}.done` : endKeys[state].title)
  return (
    <Shell page="link" title={title} realm={realm} locale={locale}>
      <div class="gh-card">
        <h1 class="gh-title">{title}</h1>
        {state !== 'DONE' && <p class="gh-text">{translate(locale, endKeys[state].text)}</p>}
        <Onward {...props} />
      </div>
    </Shell>
  )
}

const endKeys = {
  EXPIRED: { title: 'link.expired.title', text: 'link.expired.text' },
  OTHER_BROWSER: { title: 'link.otherBrowser.title', text: 'link.otherBrowser.text' },
} as const

function ConfirmForm({ locale, kind, csrf, action, token, actions = [] }: LinkPageProps) {
  return (
    <>
      <p class="gh-text">{translate(locale, `link.${kind}.text`)}</p>
      {kind === 'ACTIONS' && actions.length > 0 && (
        <div class="gh-rules gh-todo">
          <ul>
            {actions.map((id) => (
              <li key={id}>
                <bdi>{describeAction(locale, id)}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
      <form class="gh-form" method="post" action={safeAction(action)}>
        <HiddenFields values={{ _csrf: csrf, token }} />
        <button class="gh-button" type="submit">
          {translate(locale, `link.${kind}.submit`)}
        </button>
      </form>
    </>
  )
}

function Onward({ locale, state, loginHref, continueHref = null }: LinkPageProps) {
  if (continueHref !== null) {
    return (
      <p class="gh-onward">
        <a class="gh-button" href={safeHref(continueHref)}>
          {translate(locale, 'link.continue')}
        </a>
      </p>
    )
  }
  if (loginHref === null) return <p class="gh-subtitle">{translate(locale, 'link.close')}</p>
  return (
    <p class="gh-onward">
      <a class={state === 'DONE' ? 'gh-button' : 'gh-button gh-button-quiet'} href={safeHref(loginHref)}>
        {translate(locale, 'link.signIn')}
      </a>
    </p>
  )
}
