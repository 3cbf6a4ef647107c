import { describe, expect, test } from 'vitest'
import { locales } from '../index.ts'
import { describeAgent } from './describe-agent.ts'
import {
  type ApprovalPageProps,
  formatUserCode,
  renderAnsweredPage,
  renderApprovalPage,
  renderQrSvg,
  renderUserCodePage,
} from './index.ts'

const realm = { realmId: 'acme', displayName: 'Acme', logo: false, welcomeText: null, themeVersion: null }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const now = Date.UTC(2026, 0, 15, 12)

const device: ApprovalPageProps = {
  realm,
  csrf: 'csrf-value',
  action: '/realms/acme/device',
  kind: 'device',
  client: { clientId: 'tv', name: 'Living Room TV', baseUrl: 'https://tv.example/', host: null },
  username: 'ada',
  userCode: 'BCDFGHJK',
  bindingMessage: null,
  place: { address: '203.0.113.7', userAgent: firefox, at: now - 40_000 },
  scopes: [{ name: 'openid', text: 'Know who you are', isNew: true }],
  resources: [],
  expiresAt: now + 179_000,
  now,
  fields: { user_code: 'BCDF-GHJK' },
}
const ciba: ApprovalPageProps = { ...device, kind: 'ciba', userCode: null, bindingMessage: 'W4SCT-7' }

const hostile = '<img src=x onerror=alert(1)>"\''

describe('the page for a code', () => {
  const page = { realm, csrf: 'csrf-value', action: '/realms/acme/device', userCode: '', problem: null, username: null }

  test('has a field for letters that no browser fills in or corrects', () => {
    const html = renderUserCodePage(page)
    expect(html).toMatch(/<input type="text" inputmode="text" dir="ltr" maxlength="32"[^>]* name="user_code"/)
    expect(html).toMatch(/autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus/)
    expect(html).toMatch(/<label class="gh-label" for="user_code">[\s\S]*aria-describedby="user_code-hint"/)
  })

  test.each(['missing', 'unknown', 'expired', 'used'] as const)(
    'says beside the field that a code is %s',
    (problem) => {
      const html = renderUserCodePage({ ...page, userCode: 'bcdf ghjk', problem })
      expect(html).toContain('value="BCDF-GHJK"')
      expect(html).toContain('aria-invalid="true" aria-describedby="user_code-error user_code-hint"')
      expect(html).toMatch(/id="user_code-error" role="alert"/)
    },
  )

  test('says above the form how long to wait after too many', () => {
    const html = renderUserCodePage({ ...page, problem: 'limited', retryAfterSeconds: 120 })
    expect(html).toMatch(/id="form-error" role="alert"><bdi>Too many attempts\. Wait 2 minutes/)
    expect(html).not.toContain('aria-invalid')
  })

  test.each([
    ['bcdfghjk', 'BCDF-GHJK'],
    [' bcdf - ghjk ', 'BCDF-GHJK'],
    ['B C D F G H J K', 'BCDF-GHJK'],
    ['BCDF\u2013GHJK', 'BCDF-GHJK'],
    ['\u202eBCDFGHJK\u200b', 'BCDF-GHJK'],
    ['bcd', 'bcd'],
    ['', ''],
    ['x'.repeat(500), 'x'.repeat(32)],
  ])('shows the code %j as %j', (typed, shown) => {
    expect(formatUserCode(typed)).toBe(shown)
  })
})

describe('the question', () => {
  test('of a device asks to compare the code and says where the request came from (RFC 8628, 5.4)', () => {
    const html = renderApprovalPage(device)
    expect(html).toContain('<span aria-hidden="true">BCDF-GHJK</span>')
    expect(html).toContain('Only go on if you started this yourself on a device that shows this code.')
    expect(html).toMatch(/Firefox on Linux[\s\S]*203\.0\.113\.7[\s\S]*40 seconds ago[\s\S]*2 minutes/)
  })

  test('of an application shows its message, and not the address of its server', () => {
    const html = renderApprovalPage(ciba)
    expect(html).toMatch(/Compare this with what the application shows you[\s\S]*<bdi>W4SCT-7<\/bdi>/)
    expect(html).toContain('40 seconds ago')
    expect(html).not.toMatch(/203\.0\.113\.7|Firefox|BCDF-GHJK<\/span>/)
    expect(renderApprovalPage({ ...ciba, bindingMessage: null })).not.toContain('gh-compare')
  })

  test('sends its fields and one decision by POST, and leads nowhere by itself', () => {
    const html = renderApprovalPage(device)
    expect(html.match(/<form[^>]* method="post" action="\/realms\/acme\/device">/g)).toHaveLength(2)
    expect(html.match(/name="user_code" value="BCDF-GHJK"\/?><input type="hidden" name="_csrf"/g)).toHaveLength(2)
    expect([...html.matchAll(/name="decision" value="(\w+)"/g)].map(([, value]) => value)).toEqual([
      ...['allow', 'deny', 'switch'],
    ])
    expect(html).not.toMatch(/http-equiv="refresh"|<script/)
    expect(() => renderApprovalPage({ ...device, action: 'https://evil.example/' })).toThrow(TypeError)
  })

  test('a field that calls itself _csrf does not take the place of ours', () => {
    const html = renderApprovalPage({ ...device, fields: { _csrf: 'theirs' } })
    expect(html).not.toContain('theirs')
  })

  test('names the host of an application nobody registered, and not the home page it gives itself', () => {
    const client = { ...device.client, host: 'apps.example', baseUrl: 'https://bank.example/' }
    const html = renderApprovalPage({ ...device, client })
    expect(html).toMatch(/<p class="gh-source-host"><bdi>apps\.example<\/bdi><\/p><p>[^<]*Nobody here has checked it/)
    expect(html).not.toContain('bank.example')
    const registered = renderApprovalPage({ ...device, client: { ...client, host: null, selfRegistered: true } })
    expect(registered).toContain('The application registered itself.')
    expect(registered).not.toContain('bank.example')
  })

  test('S47: shows a hostile name, message, host, address and user agent as text', () => {
    for (const props of [device, ciba]) {
      const html = renderApprovalPage({
        ...props,
        client: { clientId: hostile, name: hostile, baseUrl: null, host: hostile },
        userCode: hostile,
        bindingMessage: hostile,
        place: { address: hostile, userAgent: hostile, at: now },
      })
      expect(html).toContain('&lt;img src=x')
      expect(html).not.toContain('<img src=x')
    }
  })

  // Direction marks, embeddings, overrides and isolates; a space of no width, a soft hyphen, a filler; line ends.
  const bidi = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'
  const unseen = '\u200b\u00ad\u2060\u3164\ufeff\u2028\u0007'

  test('S47: no sign turns the words of strangers around or hides among them', () => {
    const text = `Pay\u202e00.1${bidi}${unseen} EUR`
    const client = { clientId: 'c', name: text, baseUrl: null, host: text }
    const place = { address: text, userAgent: text, at: now }
    for (const html of [
      renderApprovalPage({ ...device, client, place, userCode: text }),
      renderApprovalPage({ ...ciba, client, bindingMessage: text }),
      renderAnsweredPage({ realm, kind: 'device', outcome: 'approved', client }),
      renderUserCodePage({ ...device, problem: null, userCode: text }),
    ]) {
      expect(html).toContain('Pay00.1')
      for (const sign of bidi + unseen) expect(html).not.toContain(sign)
    }
  })

  test('calls an application by its id when nothing of its name can be seen', () => {
    const html = renderApprovalPage({ ...device, client: { ...device.client, name: bidi + unseen } })
    expect(html).toContain('Connect <bdi>tv</bdi> to your account?')
  })

  test('keeps the signs that scripts and emoji are written with, and no pile of marks', () => {
    const text = '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u{1f469}\u200d\u{1f4bb} \u2764\ufe0f'
    expect(renderApprovalPage({ ...ciba, bindingMessage: text })).toContain(`<bdi>${text}</bdi>`)
    const piled = renderApprovalPage({ ...ciba, bindingMessage: `a${'\u0301'.repeat(50)}` })
    expect(piled).toContain(`<bdi>a${'\u0301'.repeat(3)}</bdi>`)
  })

  test.each(locales)('and its end have words for every state in %s', (locale) => {
    for (const kind of ['device', 'ciba'] as const) {
      const pages = [renderApprovalPage({ ...(kind === 'device' ? device : ciba), locale })]
      for (const outcome of ['approved', 'denied', 'ended'] as const) {
        for (const client of [device.client, null])
          pages.push(renderAnsweredPage({ realm, locale, kind, outcome, client }))
      }
      for (const html of pages) expect(html).not.toMatch(/\{\w+\}|undefined|NaN|(?:approval|answered)\.\w/)
    }
  })
})

test('a request that has ended tells nothing of the application', () => {
  const html = renderAnsweredPage({ realm, kind: 'device', outcome: 'ended', client: device.client })
  expect(html).not.toContain('Living Room')
})

describe('a user agent in words', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  test.each([
    [firefox, 'Firefox on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0 Safari/537.36`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.5 Safari/605.1`, 'Safari on macOS'],
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${webkit} CriOS/140.0 Safari/604.1`, 'Chrome on iPhone'],
    [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${webkit} Chrome/140.0 Mobile Safari/537.36`, 'Chrome on Android'],
    [`Mozilla/5.0 (SMART-TV; Linux; Tizen 8.0) ${webkit} Chrome/108.0 TV Safari/537.36`, 'Chrome on Samsung TV'],
    [`Mozilla/5.0 (Web0S; Linux/SmartTV) ${webkit} Chrome/94.0 Safari/537.36`, 'Chrome on LG TV'],
    [`Mozilla/5.0 (X11; CrOS x86_64 16000) ${webkit} Chrome/140.0 Safari/537.36`, 'Chrome on ChromeOS'],
    ['curl/8.14.1', 'curl/8.14.1'],
    ['Firefox/140.0', 'Firefox'],
    [null, 'Unknown'],
    [' \u202e ', 'Unknown'],
  ])('%j is %j', (userAgent, words) => {
    expect(describeAgent('en', userAgent)).toBe(words)
  })

  test('one that nobody knows is cut, however long', () => {
    expect(describeAgent('de', 'a'.repeat(100_000))).toBe(`${'a'.repeat(59)}…`)
    expect(describeAgent('de', firefox)).toBe('Firefox auf Linux')
  })
})

describe('the picture of a QR code', () => {
  const svg = renderQrSvg('https://id.example/realms/acme/device?user_code=BCDF-GHJK&a=<b>')

  test('is a document of its own, dark on white, with a title and a quiet zone', () => {
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 (\d+) \1"/)
    expect(svg).toContain('user_code=BCDF-GHJK&amp;a=&lt;b></title>')
    expect(svg).toMatch(/<rect width="\d+" height="\d+" fill="#fff">.*<path d="M4 4h7v1h-7z[^"]*" fill="#000">/)
  })

  test('holds no sign that XML cannot', () => {
    expect(renderQrSvg('a\u0000\u0007\ud800b')).toContain('<title>a \ufffdb</title>')
  })

  test('refuses a text that no QR code can hold', () => {
    expect(() => renderQrSvg('x'.repeat(5000))).toThrow(RangeError)
  })
})
