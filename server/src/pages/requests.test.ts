import { clientLabel } from './client-label.ts'
import { describe, expect, test } from 'vitest'
import {
  type ConsentPageProps,
  type LoggedOutPageProps,
  renderClientErrorPage,
  renderConsentPage,
  renderContinuePage,
  renderFormPostPage,
  renderLoggedOutPage,
  renderLogoutPage,
} from './index.ts'

const realm = { realmId: 'acme', displayName: 'Acme', logo: false, welcomeText: null, themeVersion: null }
const client = { clientId: 'travel-desk', name: 'Travel Desk' }

describe('the consent page', () => {
  const props: ConsentPageProps = {
    realm,
    csrf: 'csrf-value',
    action: '/realms/acme/consent',
    client: { ...client, baseUrl: 'https://travel.example/start' },
    username: 'ada',
    scopes: [
      { name: 'openid', text: 'Know who you are', isNew: true },
      { name: 'email', text: 'See your email address', isNew: true },
    ],
    resources: [{ resource: 'https://api.example/v1', scopes: ['bookings'] }],
  }

  test('offers both answers in one form that carries the CSRF value', () => {
    const forms = renderConsentPage(props).match(/<form[\s\S]*?<\/form>/g) ?? []
    expect(forms).toHaveLength(2)
    for (const form of forms) {
      expect(form).toContain('method="post" action="/realms/acme/consent"')
      expect(form).toContain('name="_csrf" value="csrf-value"')
    }
    expect(forms[0]).toMatch(/name="decision" value="allow"[\s\S]*name="decision" value="deny"/)
    expect(forms[1]).toContain('name="decision" value="switch"')
  })

  test('says who asks, for what, of whom', () => {
    const html = renderConsentPage(props)
    expect(html).toContain('<bdi>Travel Desk</bdi> wants access to your account')
    expect(html).toContain('href="https://travel.example/start"')
    expect(html).toMatch(
      /Know who you are[\s\S]*See your email address[\s\S]*https:\/\/api\.example\/v1[\s\S]*bookings/,
    )
    expect(html).toContain('<bdi>ada</bdi>')
  })

  test('calls a client without a name by its id and shows no link it does not have', () => {
    const html = renderConsentPage({ ...props, client: { clientId: 'c-1', name: ' ', baseUrl: null } })
    expect(html).toContain('<bdi>c-1</bdi> wants access')
    expect(html).not.toContain('<a class="gh-link"')
  })

  test('marks what is new only beside what was granted before', () => {
    expect(renderConsentPage(props)).not.toContain('gh-badge')
    const [first, second] = props.scopes
    const html = renderConsentPage({ ...props, scopes: [{ ...first!, isNew: false }, second!] })
    expect(html.match(/gh-badge/g)).toHaveLength(1)
    expect(html).toContain('Now it asks for more.')
  })

  test.each(['javascript:alert(1)', 'http://travel.example/', 'data:text/html,x', '//travel.example'])(
    'S47: links no home page at %j',
    (baseUrl) => {
      expect(renderConsentPage({ ...props, client: { ...client, baseUrl } })).toContain('href="#"')
    },
  )

  test('shows the letters of a look-alike host as they are looked up', () => {
    const html = renderConsentPage({ ...props, client: { ...client, baseUrl: 'https://tr\u0430vel.example/' } })
    expect(html).toContain('<bdi>xn--trvel-5ve.example</bdi>')
  })
})

describe('the sign-out pages', () => {
  test('S35: only the button that says so signs out', () => {
    const html = renderLogoutPage({ realm, action: '/realms/acme/logout/confirm', fields: { xsrf: 'x' }, client })
    expect(html).toContain('<bdi>Travel Desk</bdi> asks to sign you out.')
    expect(html).toContain('name="xsrf" value="x"')
    expect(html).toMatch(/<button[^>]* name="logout" value="yes">Sign out</)
    expect(html).toMatch(/<button class="gh-button gh-button-quiet" type="submit">Stay signed in</)
    const unnamed = renderLogoutPage({ realm, action: '/x', fields: {}, client: null })
    expect(unnamed).toContain('An application asks to sign you out.')
  })

  const done: LoggedOutPageProps = { realm, continueUrl: 'https://travel.example/bye?state=a&b=1', client }

  test('leads back to the application, and by itself only after its frames', () => {
    expect(renderLoggedOutPage(done)).toContain('href="https://travel.example/bye?state=a&amp;b=1"')
    expect(renderLoggedOutPage(done)).not.toContain('http-equiv="refresh"')
    const html = renderLoggedOutPage({ ...done, frames: ['https://mail.example/logout'] })
    expect(html).toContain('http-equiv="refresh" content="0; url=https://travel.example/bye?state=a&amp;b=1"')
    expect(html).toMatch(
      /<iframe hidden[^>]* sandbox="allow-same-origin allow-scripts" src="https:\/\/mail\.example\/logout"/,
    )
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', 'http://mail.example/', '/realms/acme/logout', 'com.app:/x'])(
    'S47: shows no frame of %j',
    (address) => {
      expect(renderLoggedOutPage({ realm, frames: [address] })).not.toContain('<iframe')
    },
  )

  test.each(['javascript:alert(1)', 'java\tscript:alert(1)', 'data:text/html,x', 'http://travel.example/', 'x'])(
    'S47: never goes on to %j',
    (continueUrl) => {
      const html = renderLoggedOutPage({ realm, continueUrl, frames: ['https://mail.example/logout'] })
      expect(html).not.toContain('http-equiv="refresh"')
      expect(html).toContain('href="#"')
    },
  )

  test('offers to sign in again where no application waits', () => {
    expect(renderLoggedOutPage({ realm })).toContain('href="/realms/acme/login"')
  })
})

describe('the pages that pass an answer on', () => {
  test('the form carries the answer to the redirect URI and has a button', () => {
    const fields = { code: 'c', state: '"s"' }
    const html = renderFormPostPage({ realm, client, action: 'https://travel.example/cb?a=1&b=2', fields })
    expect(html).toContain('method="post" action="https://travel.example/cb?a=1&amp;b=2"')
    expect(html).toMatch(/name="code" value="c"[\s\S]*name="state" value="&quot;s&quot;"[\s\S]*>Continue</)
  })

  test('a form of our own may send itself too', () => {
    const html = renderFormPostPage({ realm, client: null, action: '/realms/acme/logout/confirm', fields: {} })
    expect(html).toContain('action="/realms/acme/logout/confirm"')
  })

  test.each(['http://127.0.0.1:3000/cb', 'http://localhost:3000/cb', 'http://[::1]/cb', 'com.example.app:/cb'])(
    'apps on the device get their answer at %j',
    (address) => {
      expect(renderFormPostPage({ realm, client, action: address, fields: {} })).toContain(`action="${address}"`)
      expect(renderContinuePage({ realm, client, continueUrl: address })).toContain(`content="0; url=${address}"`)
    },
  )

  test.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    'http://travel.example/',
    '//x.example/',
    '',
  ])('S23: no answer goes to %j', (address) => {
    expect(() => renderFormPostPage({ realm, client, action: address, fields: {} })).toThrow(TypeError)
    expect(() => renderContinuePage({ realm, client, continueUrl: address })).toThrow(TypeError)
  })
})

test('an error for developers speaks to people first and gives the facts of the request', () => {
  const html = renderClientErrorPage({
    realm: null,
    status: 400,
    error: 'invalid_redirect_uri',
    title: 'The redirect URI is not registered',
    message: 'It is not one of this client’s.',
    whatToDo: 'Register it.',
    facts: [{ name: 'redirect_uri', value: 'https://travel.example/<cb>' }],
    reference: '4bf92f',
  })
  expect(html).toMatch(/Nothing is wrong with your account[\s\S]*For the developers[\s\S]*invalid_redirect_uri/)
  expect(html).toMatch(/redirect_uri<[\s\S]*https:\/\/travel\.example\/&lt;cb>[\s\S]*4bf92f/)
})

test('a name that turns text around does not change the host beside it', () => {
  const label = clientLabel({ clientId: 'https://evil.example/app', name: 'Bank \u202E' })
  expect(label).toBe('Bank (evil.example)')
})
