// S48, S51: secrets are planted wherever one can be sent, and then looked for in everything the service writes.
// Log lines, audit lines, audit trail, every table of the database, metrics and answers.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { openSigningKey } from '../../src/domain/keys/index.ts'
import { openCaptchaSecret } from '../../src/domain/settings/index.ts'
import { createBrowser, createRealmFor, type TestRealm } from '../harness/index.ts'
import { adminPassword, must } from '../harness/realm.ts'
import { openSystemStage, type Stage } from './stage.ts'

let realm: TestRealm
let other: TestRealm
let system: Stage
/** What was planted, by what it is. */
const canaries = new Map<string, string>()
const plant = (what: string, value = `Canary-${randomBytes(12).toString('hex')}`) => {
  canaries.set(what, value)
  return value
}

beforeAll(async () => {
  ;[realm, other, system] = [await createRealmFor(), await createRealmFor(), await openSystemStage()]
  const browser = createBrowser(realm.node.url)
  await browser.login(realm.realmId, 'admin', plant('a wrong password'))
  await browser.login(realm.realmId, 'nobody', plant('a password for an unknown name'))
  await browser.login(realm.realmId, 'admin', adminPassword)
  for (const [name, value] of [...browser.cookies, ...realm.admin.cookies]) {
    if (value.length > 20) plant(`the cookie ${name} ${value.slice(0, 4)}`, value)
  }
  const user = (await realm.call('POST', '/users', { username: 'ada', email: 'ada@example.org' })).body
  const path = `/users/${user.userId}`
  await realm.call('PUT', `${path}/password`, { newPassword: plant('a new password') })
  await realm.call('POST', `${path}/credentials`, { type: 'password', value: plant('a credential') })
  await realm.call('PUT', `${path}/password`, {
    newPassword: plant('a refused password', `ada-${randomBytes(2).toString('hex')}`),
  })
  await realm.call('POST', `${path}/credentials`, { type: 'totp', secret: plant('a secret in a refused member') })
  await realm.call('POST', '/users', { username: 'eve', password: plant('a password in an unknown member') })
  await realm.call('PUT', '/settings', {
    captcha: { provider: 'turnstile', siteKey: 'site', secret: plant('a captcha secret') },
  })
  await realm.call('GET', `/users?token=${plant('a token in a query')}`)
  await realm.call('GET', '/users', undefined, { headers: { authorization: `Bearer ${plant('a bearer token')}` } })
  await realm.call('POST', '/roles', { name: 'x' }, { csrf: plant('an invented CSRF token') })
  await browser.login(realm.realmId, 'ada', canaries.get('a credential')!)
  // Kept for a repetition of the request, with the password that was generated and shown once.
  const name = `kept-${randomBytes(4).toString('hex')}`
  const made = await must(
    system.admin.write('POST', '/admin/realms', { name }, { headers: { 'idempotency-key': name } }),
    201,
  )
  plant('a generated password', made.body.adminPassword)
  const config = (await system.admin.get('/admin/audit/config')).body
  const receiver = { ...config, enabled: false, httpAuthToken: plant('a token of the audit receiver') }
  await must(system.admin.write('PUT', '/admin/audit/config', receiver), 200)
})

/** The planted values that a text contains. */
const foundIn = (text: string) => [...canaries].filter(([, value]) => text.includes(value)).map(([what]) => what)

describe('S48', () => {
  test('no secret is in a log line or an audit line', () => {
    expect(canaries.size).toBeGreaterThan(14)
    expect(foundIn(realm.node.lines.join('\n'))).toEqual([])
    expect(foundIn(JSON.stringify(realm.node.auditLines))).toEqual([])
  })

  test('no secret is in the audit trail, in the metrics or in a record', async () => {
    for (const path of ['/events?size=500', '/settings', '/users', '/sessions', '/keys', '/whoami', '/health']) {
      const answer = await realm.call('GET', path)
      expect([answer.status, foundIn(answer.text)], path).toEqual([200, []])
    }
    expect(foundIn((await system.admin.get('/admin/realms/master/events?size=500')).text)).toEqual([])
    expect(foundIn((await system.admin.get('/admin/audit/config')).text)).toEqual([])
    expect(foundIn(await realm.node.services.metrics.text())).toEqual([])
  })

  test('whatever is typed stays one valid line of bounded length', async () => {
    const nasty = [
      'line\r\nbreak {"kind":"audit","type":"FORGED"}',
      '\u001b[31mred\u001b[0m',
      '"},{"kind":"audit"',
      '\u2028\u2029\u0085',
      'x'.repeat(900_000),
    ]
    const from = realm.node.auditLines.length
    for (const username of nasty) {
      const browser = createBrowser(realm.node.url)
      const answer = await browser.login(realm.realmId, username, 'wrong-password-here')
      expect(answer.status, answer.text.slice(0, 200)).toBe(401)
      // A client sends nothing but printable characters in a header.
      const agent = username.replaceAll(/[^ -~]/g, ' ').slice(0, 8000)
      await realm.call(
        'POST',
        '/roles',
        { name: 'nobody', [username.slice(0, 200)]: 1 },
        { headers: { 'user-agent': agent } },
      )
    }
    for (const line of realm.node.auditLines.slice(from)) {
      const text = JSON.stringify(line)
      expect(text.length).toBeLessThan(12_000)
      expect(text).not.toMatch(/[\r\n\u001b]/)
      expect(line.type).not.toBe('FORGED')
    }
    for (const line of realm.node.lines) {
      expect(line.trimEnd()).not.toMatch(/[\r\n\u001b]/)
      expect(JSON.parse(line)).toBeTypeOf('object')
    }
    expect((await realm.events('&type=LOGIN_FAILURE')).filter(({ actor }) => actor.length > 300)).toEqual([])
  })

  test('the role that serves requests can neither change nor delete an event', async () => {
    const client = new pg.Client({ connectionString: realm.node.databaseUrl })
    await client.connect()
    try {
      for (const statement of [
        `update audit_events set actor = 'nobody' where realm_id = '${realm.realmId}'`,
        `delete from audit_events where realm_id = '${realm.realmId}'`,
        'truncate audit_events',
        'drop table audit_events',
        'alter table audit_events disable row level security',
        `update audit_events_default set actor = 'nobody'`,
      ]) {
        await expect(client.query(statement), statement).rejects.toThrow(/permission denied|must be owner/)
      }
    } finally {
      await client.end()
    }
  })
})

/** Every row of every table as text; bytes are written in hexadecimal there. */
async function dump(): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: realm.node.adminDatabaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`,
    )
    const tables = new Map<string, string>()
    for (const { name } of rows) {
      const { rows: found } = await client.query<{ text: string }>(`select r::text as text from ${name} r`)
      tables.set(name, found.map(({ text }) => text).join('\n'))
    }
    return tables
  } finally {
    await client.end()
  }
}

/** How a secret might lie in a table: as it is, in hexadecimal, in Base64. */
const forms = (value: Buffer) => [
  value.toString('latin1'),
  value.toString('hex'),
  value.toString('base64').replaceAll('=', ''),
]

describe('S51', () => {
  test('a dump of the database contains no secret', async () => {
    const tables = await dump()
    expect(tables.size).toBeGreaterThan(20)
    const found: string[] = []
    for (const [table, text] of tables) {
      for (const [what, value] of canaries) {
        if (forms(Buffer.from(value)).some((form) => text.includes(form))) found.push(`${what} in ${table}`)
      }
      if (/PRIVATE KEY/.test(text)) found.push(`a PEM key in ${table}`)
    }
    expect(found).toEqual([])
  })

  test('a dump of the database contains no private key', async () => {
    const { privateKey } = await openSigningKey(realm.node.services, realm.realmId)
    const der = privateKey.export({ format: 'der', type: 'pkcs8' })
    const { d, p } = privateKey.export({ format: 'jwk' })
    const pieces = [...forms(der.subarray(40, 80)), d!.slice(10, 50), p!.slice(10, 50)]
    for (const [table, text] of await dump()) {
      for (const piece of pieces) expect(text.includes(piece), table).toBe(false)
    }
  })

  test('a secret is never shown again once it was written', async () => {
    const { captcha } = (await realm.call('GET', '/settings')).body
    expect(captcha).toMatchObject({ secret: null, secretSet: true })
    const config = (await system.admin.get('/admin/audit/config')).body
    expect([config.authConfigured, config.httpAuthToken]).toEqual([true, undefined])
  })

  test('a sealed value that is moved to another realm’s row does not open', async () => {
    const { services } = realm.node
    const owner = new pg.Client({ connectionString: realm.node.adminDatabaseUrl })
    await owner.connect()
    try {
      expect(await openCaptchaSecret(services, realm.realmId)).toBe(canaries.get('a captcha secret'))
      await owner.query(
        'update realm_settings s set sealed = o.sealed from realm_settings o where s.realm_id = $1 and o.realm_id = $2',
        [other.realmId, realm.realmId],
      )
      await expect(openCaptchaSecret(services, other.realmId)).rejects.toThrow(/authenticate/)
      await owner.query(
        `update realm_keys k set private_key_sealed = o.private_key_sealed from realm_keys o
         where k.realm_id = $1 and o.realm_id = $2`,
        [other.realmId, realm.realmId],
      )
      services.snapshots.drop(other.realmId)
      await expect(openSigningKey(services, other.realmId)).rejects.toThrow()
      await owner.query(
        `update audit_keys k set key_sealed = o.key_sealed from audit_keys o
         where k.realm_id = $1 and o.realm_id = $2 and k.id = $3 and o.id = $4`,
        [other.realmId, realm.realmId, other.adminId, realm.adminId],
      )
    } finally {
      await owner.end()
    }
  })
})
