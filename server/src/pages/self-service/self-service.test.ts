import { describe, expect, test } from 'vitest'
import { type LinkPageProps, locales, type RegisterPageProps } from '../index.ts'
import { renderLinkPage, renderMailSentPage, renderRegisterPage, renderResetPasswordPage } from './index.ts'

const realm = { realmId: 'acme', displayName: 'Acme', logo: false, welcomeText: null, themeVersion: null }
const base = { realm, locale: 'en', csrf: 'csrf-value' } as const

describe('the registration', () => {
  const props: RegisterPageProps = {
    ...base,
    action: '/realms/acme/register',
    values: { email: 'a@x.example', firstName: '', lastName: '' },
    rules: [{ code: 'minLength', value: 12 }],
    errors: [],
    error: null,
    termsUrl: null,
  }

  test('asks browsers to fill in what they know', () => {
    const html = renderRegisterPage(props)
    for (const [name, autocomplete] of [
      ['email', 'email'],
      ['firstName', 'given-name'],
      ['lastName', 'family-name'],
      ['newPassword', 'new-password'],
      ['confirmPassword', 'new-password'],
    ]) {
      expect(html).toMatch(new RegExp(`name="${name}"[^>]*autocomplete="${autocomplete}"`))
    }
    expect(html).not.toContain('name="accept"')
  })

  test('wants the terms accepted where there are any, and never ticks the box itself', () => {
    const html = renderRegisterPage({ ...props, termsUrl: 'https://acme.example/terms', error: 'acceptNeeded' })
    expect(html).toMatch(/href="https:\/\/acme\.example\/terms" target="_blank" rel="noopener noreferrer"/)
    expect(html).toMatch(/name="accept" value="true" required autofocus aria-invalid="true"/)
    expect(html).not.toMatch(/ checked/)
  })

  test('one cursor waits, in the first field that is wrong', () => {
    const errors = [
      { field: 'accept', code: 'required', message: 'm' },
      { field: 'lastName', code: 'required', message: 'm' },
    ]
    const html = renderRegisterPage({ ...props, termsUrl: 'https://acme.example/terms', errors })
    expect(html.match(/autofocus/g)).toHaveLength(1)
    expect(html).toMatch(/id="lastName"[^>]*autofocus/)
  })
})

test('S42: the page after a forgotten password says the same whoever asked', () => {
  const html = renderMailSentPage({ realm, locale: 'en', kind: 'RESET', loginHref: '/realms/acme/login' })
  expect(html).toContain('If there is an account with that name')
  expect(renderResetPasswordPage({ ...base, action: '/x', username: 'ada', error: null })).toContain('value="ada"')
})

describe('a link from mail', () => {
  const props: LinkPageProps = {
    ...base,
    action: '/realms/acme/verify-email',
    kind: 'VERIFY_EMAIL',
    state: 'CONFIRM',
    token: 'one-time',
    loginHref: '/realms/acme/login',
  }

  test('is used by a button that posts the token, and the page leads nowhere by itself', () => {
    const html = renderLinkPage(props)
    expect(html).toMatch(/method="post" action="\/realms\/acme\/verify-email">[\s\S]*name="token" value="one-time"/)
    expect(html).not.toMatch(/http-equiv="refresh"|<script/)
    // The token goes nowhere but into the form.
    expect(html.match(/one-time/g)).toHaveLength(1)
  })

  test.each(['EXPIRED', 'DONE', 'OTHER_BROWSER'] as const)('has no button to use it when it is %s', (state) => {
    const html = renderLinkPage({ ...props, state })
    expect(html).not.toContain('<form')
    expect(html).not.toContain('one-time')
  })

  test('names what the administrators ask for', () => {
    const html = renderLinkPage({ ...props, kind: 'ACTIONS', actions: ['CONFIGURE_TOTP', 'INVENTED'] })
    expect(html).toMatch(/<bdi>Set up an authenticator app<\/bdi>[\s\S]*<bdi>INVENTED<\/bdi>/)
  })

  test('leads on to the application, to the sign-in, or nowhere', () => {
    const done = { ...props, state: 'DONE' } as const
    expect(renderLinkPage({ ...done, continueHref: 'https://app.example/' })).toContain('href="https://app.example/"')
    expect(renderLinkPage({ ...done, continueHref: 'javascript:alert(1)' })).toContain('href="#"')
    expect(renderLinkPage(done)).toContain('href="/realms/acme/login"')
    expect(renderLinkPage({ ...done, loginHref: null })).toContain('You can close this page.')
  })

  test.each(locales)('has words for every kind and state in %s', (locale) => {
    for (const kind of ['MAGIC_LINK', 'VERIFY_EMAIL', 'RESET_PASSWORD', 'ACTIONS', 'REGISTER'] as const) {
      for (const state of ['CONFIRM', 'EXPIRED', 'DONE', 'OTHER_BROWSER'] as const) {
        expect(renderLinkPage({ ...props, locale, kind, state })).not.toMatch(/\{\w+\}|undefined|link\./)
      }
    }
  })
})
