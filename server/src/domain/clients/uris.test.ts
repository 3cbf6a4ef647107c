import { describe, expect, test } from 'vitest'
import { absoluteUriFault, isCustomScheme, redirectUriFault, webOriginFault, webUrlFault } from './uris.ts'

describe('S23: a redirect URI', () => {
  test.each([
    ...['https://app.example.com/cb', 'https://app.example.com', 'https://app.example.com:8443/cb?tenant=1&tenant=2'],
    ...[
      'http://127.0.0.1/cb',
      'http://127.0.0.1:8080/cb',
      'http://[::1]/cb',
      'http://[::1]:9/',
      'http://localhost:3000/cb',
    ],
    ...[
      'com.example.app:/oauth2redirect',
      'myapp://callback',
      'https://xn--bcher-kva.example/cb',
      'https://10.0.0.1/cb',
    ],
    ...['https://app.example.com/a..b/.well-known/cb', 'https://app.example.com/%C3%A9'],
  ])('may be %s', (uri) => {
    expect(redirectUriFault(uri)).toBeNull()
  })

  test.each([
    // Not absolute, or nothing behind the scheme.
    ...[
      '/cb',
      'app.example.com/cb',
      '//app.example.com/cb',
      'https:',
      'https://',
      'https:/cb',
      'https:app.example.com/cb',
    ],
    ...['', 'myapp:', 'myapp://', 'https:///cb', 'http://', 'https://:443/cb', 'https://exa mple.com/'],
    // Fragment, wildcard, user name, backslash.
    ...[
      'https://app.example.com/cb#',
      'https://app.example.com/cb#x',
      'https://*.example.com/cb',
      'https://app.example.com/*',
    ],
    ...[
      'https://user@app.example.com/cb',
      'https://user:pass@app.example.com/',
      'https://@app.example.com/',
      'myapp://a@b',
    ],
    ...['https://app.example.com\\@evil.example/', 'https:\\\\app.example.com/', 'https://app.example.com/a\\b'],
    // Schemes that run or show something.
    ...[
      'javascript:alert(1)',
      'JavaScript://x%0aalert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://a/b',
    ],
    ...[
      'about:blank',
      'view-source:https://a',
      'intent://x#Intent;end',
      'urn:ietf:wg:oauth:2.0:oob',
      'ftp://a/b',
      'mailto:a',
    ],
    // http elsewhere, and hosts that are not what they seem.
    ...[
      'http://app.example.com/cb',
      'http://127.0.0.2/cb',
      'http://2130706433/cb',
      'http://0x7f.1/cb',
      'http://127.1/cb',
    ],
    ...[
      'http://localhost.evil.example/',
      'http://127.0.0.1.evil.example/',
      'http://[::ffff:127.0.0.1]/',
      'http://localhost./',
    ],
    // Read in more than one way.
    ...[
      'https://app.example.com/a/../b',
      'https://app.example.com/..;/b',
      'https://app.example.com/%2e%2e/b',
      'https://app.example.com/.',
    ],
    ...[
      'https://app.example.com/a%2fb',
      'https://app.example.com/a%5Cb',
      'https://app.example.com/%00',
      'https://app.example.com/%zz',
    ],
    // Characters that a browser rewrites.
    ...[
      'https://app.example.com/é',
      'https://bücher.example/',
      'https://app.example.com/\t',
      'https://app.example.com/a\nb',
      ' https://app.example.com/',
    ],
    ...[
      'https://app.example.com/"<script>',
      'https://app.example.com/{id}',
      'https://app.example.com/|',
      'https://app。example.com/',
    ],
    // What the answer itself carries.
    ...[
      'https://app.example.com/cb?code=1',
      'https://app.example.com/cb?a=1&state=x',
      'https://app.example.com/cb?%63ode=1',
      'https://a.example/?iss=x',
    ],
  ])('may not be %j', (uri) => {
    expect(redirectUriFault(uri)).toBeTypeOf('string')
  })

  test('of a custom scheme is told apart from one of the web', () => {
    expect(['https://a', 'HTTP://a', 'myapp:/a', 'httpsx:/a'].map(isCustomScheme)).toEqual([false, false, true, true])
  })
})

test('a web origin is exactly what a browser sends', () => {
  const fine = [
    '+',
    'https://app.example.com',
    'https://app.example.com:8443',
    'http://localhost:3000',
    'http://[::1]:80801',
  ]
  expect(fine.slice(0, 4).map(webOriginFault)).toEqual([null, null, null, null])
  for (const origin of [
    '*',
    'null',
    'https://app.example.com/',
    'https://app.example.com:443',
    'https://App.example.com',
    'app.example.com',
    'https://*.example.com',
    'https://a@b.example',
    'ftp://a',
    'https://a.example/path',
    ' https://a.example',
    fine[4]!,
  ])
    expect(webOriginFault(origin), origin).toBeTypeOf('string')
})

test('an address of the relying party is one of the web, a resource any absolute URI without a fragment', () => {
  expect(webUrlFault('http://intranet/logout?x=1')).toBeNull()
  for (const url of [
    'intranet/logout',
    'myapp:/x',
    'javascript:alert(1)',
    'https://a.example/#x',
    'https://a@b.example/',
    'https://',
  ])
    expect(webUrlFault(url), url).toBeTypeOf('string')
  expect(['https://api.example.com', 'urn:example:api', 'api://orders'].map(absoluteUriFault)).toEqual([
    null,
    null,
    null,
  ])
  for (const uri of ['api', 'https://api.example.com/#a', 'https://a b', 'https://api.example.com\\', ''])
    expect(absoluteUriFault(uri), uri).toBeTypeOf('string')
})
