import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errors } from 'oidc-provider'
import { describe, expect, test } from 'vitest'
import { errorCodes } from '../index.ts'
import { findOauthError, foreignOauthCodes, oauthErrorCodes, oauthHints, type OauthPlace } from './index.ts'

const source = fileURLToPath(new URL('../../../', import.meta.url))
const engine = dirname(createRequire(import.meta.url).resolve('oidc-provider'))

/** Parts of the engine that this service does not switch on, or has put something else in place of. */
const unusedParts = [
  'actions/credential.js', // Verifiable credentials.
  'actions/grants/pre_authorized_code.js',
  'actions/registration.js', // protocols/connect is in its place.
  'shared/attest_client_auth.js', // Attested clients.
  'helpers/check_attest_binding.js',
  'shared/check_rar.js', // Rich authorization requests.
  'helpers/configuration.js', // What it throws is for the programmer, before anything is answered.
  'helpers/interaction_policy/prompt.js', // Codes by the names of prompts; ours are login and consent.
  'shared/reject_structured_tokens.js', // Our access tokens are structured, and are taken (internals.ts).
]

const readAll = (folder: string, pattern: string, skip: (file: string) => boolean) =>
  globSync(pattern, { cwd: folder })
    .filter((file) => !skip(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))

const engineTexts = readAll(engine, '**/*.js', (file) => unusedParts.includes(file))
const engineUses = readAll(engine, '**/*.js', (file) => [...unusedParts, 'helpers/errors.js'].includes(file))
const ownTexts = ['protocols/**/*.ts', 'domain/registration/**/*.ts', 'domain/provisioning/**/*.ts'].flatMap(
  (pattern) => readAll(source, pattern, (file) => /\.(test|fixture|d)\.ts$/.test(file)),
)

type ErrorClass = new (...args: unknown[]) => Error & { error: string }
const classes = errors as unknown as Record<string, ErrorClass>
const classNames = Object.keys(classes).filter(
  (name) => !['OIDCProviderError', 'CustomOIDCProviderError'].includes(name),
)

/** One class has another code when it is about redirect URIs. */
function codesOf(name: string): string[] {
  return [...new Set(['redirect_uris', 'x'].map((text) => new classes[name]!(text).error))]
}

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!)

function findEmitted(): Set<string> {
  const thrown = [...engineUses, ...ownTexts].flatMap((text) => matches(text, /new (?:errors\.)?([A-Z]\w+)\(/g))
  const named = [...engineUses, ...ownTexts].flatMap((text) => [
    ...matches(text, /CustomOIDCProviderError\(\s*'([a-z_]+)'/g),
    ...matches(text, /\berror: '([a-z]+_[a-z_]+)'/g),
    ...matches(text, /error="([a-z_]+)"/g),
    // The checks of a sign-in name the code that `prompt=none` is answered with.
    ...matches(text, /new Check\([^)]*?'([a-z_]+_required)'/g),
    ...matches(text, /\b(login_required|consent_required)\b/g),
  ])
  const vocabulary = new Set([...classNames.flatMap(codesOf), ...Object.keys(foreignOauthCodes), ...oauthErrorCodes])
  const quoted = ownTexts.flatMap((text) => matches(text, /['"]([a-z]+(?:_[a-z]+)+)['"]/g))
  return new Set([
    ...thrown.filter((name) => classNames.includes(name)).flatMap(codesOf),
    ...named,
    ...quoted.filter((word) => vocabulary.has(word)),
  ])
}

const emitted = findEmitted()
/** Promised by the contract for surfaces that answer it in another way than by its name in their source. */
const promised = ['login_required', 'consent_required']

describe('the reference of OAuth errors', () => {
  test('finds what the service can answer', () => {
    const some = ['invalid_grant', 'invalid_target', 'temporarily_unavailable', 'invalid_redirect_uri', 'slow_down']
    for (const code of some) expect(emitted).toContain(code)
  })

  test('has every code that the protocols or the engine can answer', () => {
    // Words of our own that look like a code and are none.
    const known = new Set([...oauthErrorCodes, ...errorCodes, 'session_not_found'])
    expect([...emitted].filter((code) => !known.has(code)).sort()).toEqual([])
  })

  test('has no code that nothing answers', () => {
    expect(oauthErrorCodes.filter((code) => !emitted.has(code) && !promised.includes(code))).toEqual([])
  })

  test('calls no code foreign that is answered here', () => {
    expect(Object.keys(foreignOauthCodes).filter((code) => emitted.has(code) || findOauthError(code))).toEqual([])
  })

  test('shares one code with the problems, which means the same: both have their page at /errors/{code}', () => {
    const shared = oauthErrorCodes.filter((code) => (errorCodes as string[]).includes(code))
    // RFC 9470: the account answers it as a problem and in WWW-Authenticate at once.
    expect(shared).toEqual(['insufficient_user_authentication'])
  })

  test.each(oauthHints)('knows the description “$says” from somewhere', ({ says }) => {
    const texts = [...ownTexts, ...engineTexts].map((text) => text.toLowerCase())
    expect(texts.some((text) => text.includes(says.toLowerCase()))).toBe(true)
  })

  test('names settings that exist', () => {
    const schemas = readAll(source, 'domain/**/*schema.ts', () => false).join('\n')
    const texts = oauthErrorCodes.flatMap((code) => {
      const { explanation, remedy, causes } = findOauthError(code)!
      return [explanation, remedy, ...causes.flatMap((entry) => [entry.cause, entry.remedy])]
    })
    const hints = oauthHints.flatMap(({ cause, remedy }) => [cause, remedy])
    const names = [...texts, ...hints].flatMap((text) => matches(text, /`([a-z]+[A-Z]\w+)/g))
    expect(new Set(names).size).toBeGreaterThan(8)
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(schemas))).toEqual([])
  })
})

/** The tables of docs/integrate/errors.md, each between two comments. */
const tables: Record<string, OauthPlace[]> = {
  authorize: ['authorize'],
  token: ['token'],
  asking: ['device_authorization', 'bc-authorize', 'par'],
  register: ['connect/register'],
  api: ['userinfo', 'api'],
}

function renderTable(places: OauthPlace[]): string {
  const rows = oauthErrorCodes
    .map((code) => ({ code, ...findOauthError(code)! }))
    .filter((kind) => kind.places.some((place) => places.includes(place)))
    .map(({ code, status, explanation, remedy }) => `| \`${code}\` | ${status} | ${explanation} | ${remedy} |`)
  return ['| `error` | Status | What happened | What to do |', '|---|---|---|---|', ...rows].join('\n')
}

test('docs/integrate/errors.md has the tables of this reference (to write them: vitest run oauth-codes --update)', async () => {
  const file = fileURLToPath(new URL('../../../../../docs/integrate/errors.md', import.meta.url))
  const written = readFileSync(file, 'utf8')
  const fresh = Object.entries(tables).reduce((text, [name, places]) => {
    const between = new RegExp(`(<!-- errors: ${name} -->\n)[\\s\\S]*?(<!-- end -->)`)
    expect(text, name).toMatch(between)
    return text.replace(between, (_all, start: string, end: string) => `${start}\n${renderTable(places)}\n\n${end}`)
  }, written)
  await expect(fresh).toMatchFileSnapshot(file)
})
