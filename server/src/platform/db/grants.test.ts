import pg from 'pg'
import { getRollbackPlans, PgBoss } from 'pg-boss'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createScratchDatabase, type ScratchDatabase } from '../../../test/services/scratch-database.ts'
import { migrate } from './migrate.ts'

let database: ScratchDatabase
let app: pg.Client

beforeEach(async () => {
  database = await createScratchDatabase({ migrated: true })
  app = new pg.Client({ connectionString: database.appUrl })
  await app.connect()
})

afterEach(async () => {
  await app.end()
  await database.drop()
})

const migrateAgain = () => migrate({ adminUrl: database.ownerUrl, appRole: 'gatehouse_app' })
const event = `insert into audit_events (realm_id, id, category, type, outcome, actor)
  values ('demo', '018f0000-0000-7000-8000-000000000001', 'ADMIN', 'CREATE', 'SUCCESS', 'system')`
const partition = `create table audit_events_2024 partition of audit_events
  for values from ('018f0000-0000-7000-8000-000000000000') to ('01900000-0000-7000-8000-000000000000')`

test('the serving role adds audit events and can neither change nor remove one', async () => {
  await app.query(event)
  expect((await app.query('select type from audit_events')).rows).toEqual([{ type: 'CREATE' }])
  for (const forbidden of [
    'update audit_events set type = null',
    'delete from audit_events',
    'truncate audit_events',
  ]) {
    await expect(app.query(forbidden)).rejects.toThrow('permission denied for table audit_events')
  }
})

test('a partition made later takes events and is closed to the serving role, before and after migrating again', async () => {
  await database.run(partition)
  await app.query(event)
  for (const migrated of [false, true]) {
    if (migrated) await migrateAgain()
    await expect(app.query('delete from audit_events_2024')).rejects.toThrow('permission denied')
    await expect(app.query(`update audit_events_2024 set type = 'x'`)).rejects.toThrow('permission denied')
  }
  expect((await app.query('select 1 from audit_events')).rowCount).toBe(1)
})

test('rights given by hand on an event partition are taken back by the next migration', async () => {
  await database.run(partition)
  await database.run('grant all on audit_events_2024, audit_events to gatehouse_app')
  await migrateAgain()
  await expect(app.query('delete from audit_events_2024')).rejects.toThrow('permission denied')
  await expect(app.query('delete from audit_events')).rejects.toThrow('permission denied')
})

test('the serving role works with other tables, changes none of them and cannot rewrite the history of migrations', async () => {
  await app.query(`insert into realms (realm_id, created_at) values ('demo', 0)`)
  await app.query(`update realms set enabled = false where realm_id = 'demo'`)
  await app.query(`delete from realms where realm_id = 'demo'`)
  await expect(app.query('alter table realms add column planted text')).rejects.toThrow('must be owner')
  await expect(app.query('create table planted (id text)')).rejects.toThrow('permission denied for schema public')
  await expect(app.query('delete from schema_migrations')).rejects.toThrow('permission denied')
})

test('a role that does not exist is named', async () => {
  const options = { adminUrl: database.ownerUrl, appRole: 'nobody_here' }
  await expect(migrate(options)).rejects.toThrow('The role nobody_here of GATEHOUSE_DATABASE_URL does not exist')
})

test('the serving role makes queues, sends, fetches and completes jobs without touching the schema', async () => {
  const boss = new PgBoss({ connectionString: database.appUrl, schema: 'pgboss', migrate: false, createSchema: false })
  const errors: Error[] = []
  boss.on('error', (error) => errors.push(error))
  await boss.start()
  await boss.createQueue('mail', { heartbeatSeconds: 10, retryLimit: 2, policy: 'standard' })
  const id = await boss.send('mail', { to: 'someone' })
  const [job] = await boss.fetch<{ to: string }>('mail')
  expect(job).toMatchObject({ id, data: { to: 'someone' } })
  await boss.complete('mail', job?.id ?? '')
  await boss.schedule('mail', '0 3 * * *')
  await boss.supervise('mail')
  const done = await boss.getJobById('mail', id ?? '')
  expect(done?.state).toBe('completed')
  await boss.stop({ graceful: false })
  expect(errors).toEqual([])
})

test('an older job schema is raised with the migrations, and the serving role refuses to start on it before', async () => {
  const before = await database.run('select version from pgboss.version')
  await database.run(getRollbackPlans('pgboss', before.rows[0].version))
  const boss = new PgBoss({ connectionString: database.appUrl, schema: 'pgboss', migrate: false, createSchema: false })
  await expect(boss.start()).rejects.toThrow('requires migrations')
  await boss.stop({ graceful: false })
  expect((await migrateAgain()).applied).toEqual([expect.stringMatching(/^pgboss \d+ to \d+$/)])
  expect((await database.run('select version from pgboss.version')).rows).toEqual(before.rows)
})
