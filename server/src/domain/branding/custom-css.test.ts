import { describe, expect, test } from 'vitest'
import { checkCustomCss, customCssMaxBytes } from './index.ts'

const accepted = {
  'plain rules': '.gh-card { border-radius: 0; box-shadow: none }',
  variables: ':root { --gh-primary: #0a7; --gh-font: Georgia, serif; --empty: ; }',
  'media queries': '@media (width < 40em) and (prefers-color-scheme: dark) { .gh-card { padding: 1rem } }',
  supports: '@supports (display: grid) { .gh-card { display: grid } } @supports not (gap: 1px) { a { margin: 1px } }',
  keyframes:
    '@keyframes rise { from { opacity: 0 } 50% { opacity: .5 } to { opacity: 1 } } .gh-card { animation: rise 1s }',
  layers: '@layer a, b; @layer a { .gh-title { color: red } }',
  containers: '@container card (min-width: 20rem) { .gh-title { color: red } }',
  nesting: '.gh-card { &:hover { color: red } & .gh-title { color: blue } @media (width > 1px) { color: green } }',
  'our own images': '.gh-page { background: url(/assets/wave.svg) no-repeat, url("/assets/dots.png?v=2") }',
  'data images': ".gh-page { background-image: url('data:image/png;base64,iVBORw0KGgo=') }",
  calculations:
    'a { width: calc(1px + (2 * 3px)); color: color-mix(in srgb, var(--gh-primary) 20%, white) !important }',
  'harmless attributes':
    '.gh-input[type=password], [dir="rtl"] a, [aria-invalid="true"], [disabled], a[href] { color: red }',
  'selector functions':
    'a:not(.b):has(> img):is(c, d):nth-child(2n + 1 of .x)::before:dir(rtl) { content: "→ \\201C" }',
  'escapes in class names': '.sm\\:wide { color: red }',
  'scroll behaviour': 'html { scroll-behavior: smooth; overscroll-behavior: none }',
  nothing: '',
}

const refused = {
  '@import': '@import url("/assets/more.css");',
  '@import with a string': '@import "https://evil.example/x.css";',
  '@import in capitals': '@IMPORT "x";',
  '@import written with an escape': '@\\69mport "https://evil.example/x.css";',
  '@font-face': '@font-face { font-family: x; src: url(/assets/x.woff2) }',
  '@charset': '@charset "utf-7";',
  '@namespace': '@namespace x url(/assets/x);',
  '@property': '@property --x { syntax: "<url>"; inherits: true }',
  'an unknown at-rule': '@document url(https://x.example) { a { color: red } }',
  'a nested unknown at-rule': '.a { @import "x"; }',
  'a foreign url': 'a { background: url(https://evil.example/x.png) }',
  'a url without scheme': 'a { background: url(//evil.example/x.png) }',
  'a url in capitals': 'a { background: URL("HTTPS://evil.example/") }',
  'a url written with an escape': 'a { background: u\\72l("https://evil.example/") }',
  'an unquoted url written with an escape': 'a { background: \\75rl(https://evil.example/) }',
  'a url value written with escapes': 'a { background: url(\\68ttps://evil.example/) }',
  'a url in a custom property': ':root { --x: url(https://evil.example/) }',
  'a url in a @supports condition': '@supports (background: url(https://evil.example/)) { a { color: red } }',
  'a script url': 'a { background: url(javascript:alert(1)) }',
  'a data document': 'a { background: url("data:text/html,<b>") }',
  'a data url that only begins like an image': 'a { background: url("data:image/,x") }',
  'a path out of the assets': 'a { background: url(/assets/../realms/x/login/logout) }',
  'an encoded path out of the assets': 'a { background: url(/assets/%2e%2e/realms/x) }',
  'a backslash path out of the assets': 'a { background: url("/assets/..\\\\..\\\\realms") }',
  'a relative url': 'a { background: url(x.png) }',
  'image-set with a string': 'a { background: image-set("https://evil.example/x.png" 1x) }',
  'prefixed image-set': 'a { background: -webkit-image-set("https://evil.example/x.png" 1x) }',
  'image()': 'a { background: image("https://evil.example/") }',
  'src()': 'a { background: src("https://evil.example/") }',
  'attr()': 'a::before { content: attr(value) }',
  'element()': 'a { background: -moz-element(#password) }',
  'expression()': 'a { width: expression(alert(1)) }',
  'expression() with a comment in it': 'a { width: exp/**/ression(alert(1)) }',
  behavior: 'a { behavior: url(/assets/x.htc) }',
  'behavior behind a hack': 'a { *behavior: url(/assets/x.htc) }',
  'behavior written with an escape': 'a { beh\\61vior: url(/assets/x.htc) }',
  '-ms-behavior': 'a { -ms-behavior: url(/assets/x.htc) }',
  '-moz-binding': 'a { -moz-binding: url(/assets/x.xml#y) }',
  'a filter with progid': 'a { filter: progid:DXImageTransform.Microsoft.Alpha(opacity=50) }',
  'a value prefix selector': 'input[value^="a"] { background: url(/assets/a) }',
  'a value selector inside :not()': 'input:not([value$=a]) { color: red }',
  'a value selector inside :has()': 'form:has(> input[name=_csrf][value^=a]) { color: red }',
  'a value selector inside :nth-child()': 'a:nth-child(1 of [value*=a]) { color: red }',
  'a value selector inside an unknown pseudo-class': 'a:matches([value*=a]) { color: red }',
  'a value selector with a namespace': '[*|value^=a] { color: red }',
  'a value selector with an escape': '[v\\61lue^=a] { color: red }',
  'a value selector in capitals': '[VALUE^=a] { color: red }',
  'a value selector in a nested rule': '.a { &[value^=a] { color: red } }',
  'a value selector after a bare nested selector': '.a { .b [value^=a] { color: red } }',
  'an href selector': 'a[href*="token="] { color: red }',
  'the end of a style element': 'a { content: "</style><script>alert(1)</script>" }',
  'the end of a style element with an escape': 'a { content: "\\3c/style>" }',
  'the end of a style element in a comment': '/* </style> */ a { color: red }',
  'HTML comments': '<!-- a { color: red } -->',
  'a closing bracket too many': 'a { color: red } }',
  'a missing colon': 'a { color red }',
  'a broken string': 'a { content: "x\n" }',
  'a broken url': 'a { background: url(x y) }',
  'a rule without selector': '{ color: red }',
  'a NUL': 'a { color: re\0d }',
  'deep brackets': `a { width: ${'('.repeat(1000)}`,
  'deep selectors': `a${':not('.repeat(13_000)}`,
  'deep blocks': 'a{&'.repeat(15_000),
}

describe('custom CSS', () => {
  test.each(Object.entries(accepted))('accepts %s', (_name, css) => {
    expect(checkCustomCss(css)).toMatchObject({ ok: true })
  })

  test.each(Object.entries(refused))('S47: refuses %s', (_name, css) => {
    expect(checkCustomCss(css)).toEqual({ ok: false, message: expect.stringMatching(/\S.*\.$/) })
  })

  test('refuses more than 64 KiB, counted in bytes', () => {
    expect(checkCustomCss(`/*${'a'.repeat(customCssMaxBytes - 4)}*/`)).toMatchObject({ ok: true })
    expect(checkCustomCss(`/*${'a'.repeat(customCssMaxBytes - 3)}*/`)).toMatchObject({ ok: false })
    expect(checkCustomCss(`/*${'é'.repeat(customCssMaxBytes / 2)}*/`)).toMatchObject({ ok: false })
  })

  test('names the line of the fault', () => {
    expect(checkCustomCss('a { color: red }\n\n@import "x";')).toEqual({
      ok: false,
      message: 'Line 3: @import is not allowed.',
    })
  })

  test('S47: gives back what was understood, not what was written', () => {
    const checked = checkCustomCss('/* note */ .a { color : red; } .b { color: blue')
    expect(checked).toMatchObject({ ok: true, css: '.a{color:red}.b{color:blue}' })
  })

  test('passes its own output again unchanged', () => {
    for (const css of Object.values(accepted)) {
      const first = checkCustomCss(css)
      expect(first.ok && checkCustomCss(first.css)).toEqual(first)
    }
  })

  test('says whether the page must allow data images', () => {
    expect(checkCustomCss(accepted['data images'])).toMatchObject({ usesDataImages: true })
    expect(checkCustomCss(accepted['our own images'])).toMatchObject({ usesDataImages: false })
  })

  test('answers a full sheet without delay', () => {
    const css = '.gh-card{color:red}'.repeat(3400)
    const start = performance.now()
    expect(checkCustomCss(css)).toMatchObject({ ok: true })
    // Generous against the few milliseconds it takes, so that a busy machine does not fail it.
    expect(performance.now() - start).toBeLessThan(1000)
  })
})
