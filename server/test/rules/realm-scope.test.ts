// Every statement on a tenant table names its realm, or is in the one list of those that cannot.
// Architecture 5, S1. The whole surface and every job is run while the statements are heard.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { contributions } from '../../src/app/module-list.ts'
import { runReseal } from '../../src/app/reseal.ts'
import { unboundStatements } from '../../src/app/unbound-statements.ts'
import { newId } from '../../src/platform/ids/index.ts'
import { accountRoutes } from '../../src/protocols/account/routes/index.ts'
import { createBrowser, startTestNode, type TestNode } from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'
import { prepareExample, send } from '../sweeps/example-request.ts'
import { readTenantTables } from '../sweeps/fingerprint.ts'
import { sweptRoutes } from '../sweeps/route-table.ts'
import { openRealmStage, openSystemStage, type Stage } from '../sweeps/stage.ts'
import { listenToStatements, namesItsRealm } from './statements.ts'

const sourceFolder = new URL('../../src/', import.meta.url)
let statements: string[]
let tenantTables: string[]

beforeAll(async () => {
  const listener = listenToStatements()
  try {
    // From the first moment of an empty database on.
    const node = await startTestNode()
    const system = await openSystemStage(node)
    const realm = await openRealmStage(node)
    for (const swept of sweptRoutes) {
      const stage = swept.isServer ? system : realm
      const example = await prepareExample(stage, swept)
      if (swept.isWrite) await send(stage.admin, example, { query: { dryRun: 'true' } })
      await send(stage.admin, example)
      if (!swept.isWrite && swept.route.query)
        await askEachFilter(stage, example.path, swept.route.query as z.ZodObject)
    }
    await signInAndOut(realm)
    await realm.admin.write('PUT', `/admin/realms/${realm.realmId}/settings`, { eventRetentionDays: 1 })
    tenantTables = await readTenantTables(node)
    // What happened is written down when a node stops; the next one shows it, and two days later there is much to tidy up.
    await node.stop()
    const database = { url: node.databaseUrl, adminUrl: node.adminDatabaseUrl }
    const next = await startTestNode({ database })
    await (await openSystemStage(next)).admin.get('/admin/metrics/summary')
    next.clock.advance(2 * 86_400_000)
    const more = jobData(next, realm.realmId)
    for (const job of contributions.flatMap((contribution) => contribution.jobs ?? [])) {
      await job.handle(next.services, { realmId: realm.realmId, ...more[job.name] })
    }
    await next.stop()
    await runReseal(next.services.config, () => undefined)
  } finally {
    listener.stop()
  }
  statements = [...listener.texts]
}, 60_000)

/** What jobs are given beyond the realm, where they cannot do without. */
function jobData({ services }: TestNode, realmId: string): Record<string, Record<string, string>> {
  const seal = (text: string, place: string) => services.sealer.seal(text, place).toString('base64url')
  const mail = JSON.stringify({ email: 'ada@example.org', locale: null, firstName: 'Ada', token: 'token' })
  return {
    'sign-in.link': { signInId: newId() },
    'sign-in.reset': { nameSealed: seal('admin', `reset-request:${realmId}`) },
    'users.registration-mail': { mailSealed: seal(mail, `registration-mail:${realmId}`) },
    'impersonation.depart': { impersonatorId: newId() },
    'messages.send': { messageId: newId(), id: newId() },
    'transactions.call-back': { transactionId: newId(), status: 'SIGNED' },
  }
}

async function askEachFilter(stage: Stage, path: string, query: z.ZodObject): Promise<void> {
  const values: Record<string, string[]> = {
    ...{ page: ['0', '1'], size: ['1'], count: ['true'], exact: ['true'], enabled: ['true'], locked: ['true'] },
    ...{ userId: [stage.adminId], after: [stage.adminId], before: [stage.adminId], actor: ['admin', stage.adminId] },
    ...{ sort: ['asc', 'username', '-email', 'createdAt'], attribute: ['a:b'], serviceAccounts: ['true'] },
    ...{ from: ['2020-01-01'], to: ['2030-01-01'], effective: ['true', 'false'] },
  }
  for (const name of Object.keys(query.shape)) {
    for (const value of values[name] ?? ['admin']) {
      await stage.admin.get(`${path}?${new URLSearchParams({ [name]: value })}`)
      await stage.admin.get(`${path}?${new URLSearchParams({ [name]: value, count: 'true' })}`)
    }
  }
}

async function signInAndOut({ node, realmId }: Stage): Promise<void> {
  const browser = createBrowser(node.url)
  await browser.login(realmId, 'nobody', 'wrong-password-here')
  await browser.login(realmId, 'admin', 'wrong-password-here')
  await browser.login(realmId, 'admin', adminPassword)
  await browser.login(realmId, 'admin', adminPassword)
  await browser.get(`/realms/${realmId}/account`)
  for (const { method, path } of accountRoutes) {
    if (method === 'GET') await browser.get(`/realms/${realmId}/account${path}`)
  }
  await browser.get(`/console/${realmId}/`)
  await browser.get(`/realms/${realmId}/branding/theme.css`)
  await browser.send('POST', `/realms/${realmId}/login/logout`, { headers: { 'x-xsrf-token': browser.csrf() } })
}

/** Answers of the queue and of the catalogue are not about tenants. */
const ofTenants = () => statements.filter((text) => !/\bpgboss\b|\bpg_\w+|information_schema/.test(text))

describe('S1: a statement on a tenant table', () => {
  test('names its realm or is in the list', () => {
    expect(tenantTables.length).toBeGreaterThan(15)
    expect(statements.length).toBeGreaterThan(100)
    const unbound = ofTenants().filter((text) => !namesItsRealm(text, tenantTables))
    const unknown = unbound.filter((text) => !unboundStatements.some(({ pattern }) => pattern.test(text)))
    expect(unknown, 'bind it to one realm, or name it in app/unbound-statements.ts with the reason').toEqual([])
  })

  test.each(unboundStatements.map((entry) => [entry.where, entry]))(
    'that is in the list is still there: %s',
    (_where, entry) => {
      const heard = ofTenants().filter((text) => entry.pattern.test(text))
      expect(heard, 'no statement matches any more: take it off the list').not.toEqual([])
      expect(
        heard.filter((text) => namesItsRealm(text, tenantTables)),
        'names its realm by now',
      ).toEqual([])
      const [file, name] = entry.where.split(' ') as [string, string]
      const source = readFileSync(new URL(file, sourceFolder), 'utf8')
      expect(source).toMatch(new RegExp(`function ${name}\\b`))
      expect(entry.reason.length).toBeGreaterThan(20)
    },
  )

  test('that says of itself that it is bound to no realm is in the list', () => {
    const saying = globSync('**/*.ts', { cwd: fileURLToPath(sourceFolder) }).flatMap((file) => {
      const source = readFileSync(new URL(file, sourceFolder), 'utf8')
      const marked = source.matchAll(
        /Not bound to one realm[^/]*\*\/\s*(?:export )?(?:async )?(?:function|const) (\w+)/g,
      )
      return [...marked].map(([, name]) => `${file} ${name}`)
    })
    expect(saying.length).toBeGreaterThan(5)
    const listed = unboundStatements.map(({ where }) => where)
    expect(saying.filter((where) => !listed.includes(where))).toEqual([])
  })

  test.each([
    ['select "id" from "users" where "id" = $1', false],
    ['select "id" from "users" where "realm_id" = $1', true],
    ['select * from users u join roles r on r.id = u.id where u.realm_id = $1', false],
    ['select * from users u join roles r on r.realm_id = u.realm_id where u.realm_id = $1', true],
    ['update "users" set "enabled" = $1 where "id" = $2', false],
    ['delete from "sessions" where "realm_id" = any($1::text[])', false],
    ['insert into "roles" ("id", "name") values ($1, $2)', false],
    [
      'insert into "roles" ("realm_id", "name") values ($1, $2) on conflict ("realm_id") do update set "name" = $3',
      true,
    ],
    ['with gone as (delete from roles where id = $1 returning id) select * from gone', false],
    ['select 1 from server_counters', true],
  ])('is judged by its words: %s', (text, verdict) => {
    expect(namesItsRealm(text, ['users', 'roles', 'sessions'])).toBe(verdict)
  })
})
