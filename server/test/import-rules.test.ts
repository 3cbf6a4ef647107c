import { expect, test } from 'vitest'
import { findViolations } from '../../scripts/import-rules.mjs'

const planted: [rule: string, path: string, text: string, says: RegExp][] = [
  [
    'the platform knowing the domain',
    'platform/db/index.ts',
    `import { x } from '../../domain/users/index.ts'`,
    /one way/,
  ],
  ['a type of a higher layer', 'domain/users/index.ts', `import type { X } from '../../app/main.ts'`, /one way/],
  ['the domain rendering a page', 'domain/users/index.ts', `export * from '../../pages/index.ts'`, /one way/],
  ['a late import of a higher layer', 'domain/users/index.ts', `await import('../../pages/index.ts')`, /one way/],
  [
    'a way around index.ts',
    'domain/users/service.ts',
    `import { x } from '../roles/service.ts'`,
    /only through its index/,
  ],
  [
    'a protocol using another',
    'protocols/saml/index.ts',
    `import { x } from '../oidc/index.ts'`,
    /never import each other/,
  ],
  ["a sub-folder's store", 'domain/users/service.ts', `import { x } from './roles/store.ts'`, /private to its folder/],
  ['a query outside a store', 'domain/users/service.ts', `import { sql } from 'kysely'`, /only in store.ts/],
  ['the inside of the engine', 'protocols/oidc/x.ts', `import { x } from 'oidc-provider/lib/x.js'`, /internals/],
]

test.each(planted)('refuses %s', (_rule, path, text, says) => {
  expect(findViolations([{ path, text }])).toEqual([expect.stringMatching(says)])
})

test('refuses a circle of files and a circle of domain folders', () => {
  const circle = findViolations([
    { path: 'domain/users/index.ts', text: `import { a } from '../roles/index.ts'` },
    { path: 'domain/roles/index.ts', text: `import { b } from './b.ts'` },
    { path: 'domain/roles/b.ts', text: `import { c } from '../users/index.ts'` },
  ])
  expect(circle).toEqual([
    'imports run in a circle: domain/users/index.ts -> domain/roles/index.ts -> domain/roles/b.ts -> domain/users/index.ts',
    'imports run in a circle: domain/users -> domain/roles -> domain/users',
  ])
})

test('allows what the rules allow', () => {
  const fine = [
    { path: 'domain/users/store.ts', text: `import { sql } from 'kysely'` },
    { path: 'domain/users/service.ts', text: `import type { Kysely } from 'kysely'\nimport { x } from './store.ts'` },
    { path: 'domain/users/index.ts', text: `import type { A } from '../roles/index.ts'` },
    { path: 'domain/roles/index.ts', text: `import { b } from '../users/index.ts'` },
    { path: 'protocols/oidc/index.ts', text: `import { p } from '../../pages/index.ts'` },
    { path: 'domain/users/users.test.ts', text: `import { main } from '../../app/main.ts'` },
  ]
  expect(findViolations(fine)).toEqual([])
})
