// Prepares the servers every test file uses: one PostgreSQL with a migrated template database, and one Redis.
// Architecture 8: workers clone the template; a server that is missing fails the run, nothing is skipped.
// Called by vitest once per run; tests read the addresses with inject('adminUrl') and inject('redisUrl').
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../src/platform/db/migrate.ts'
import { startPgBouncer, startPostgres, startRedis } from './services/index.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's URL of the database `postgres`; roles `gatehouse_owner` and `gatehouse_app` are on the same server. */
    adminUrl: string
    redisUrl: string
    /**
     * With GATEHOUSE_TEST_POOLER=pgbouncer a PgBouncer in transaction mode before the same server: serving connections go
     * through its host and port, and without `prepared` they send no named statements. Null without the variable.
     */
    pooler: { url: string; prepared: boolean } | null
  }
}

const templateName = 'gatehouse_template'

async function prepareTemplate(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    for (const role of ['gatehouse_owner', 'gatehouse_app']) {
      const found = await client.query('select 1 from pg_roles where rolname = $1', [role])
      if (found.rowCount === 0) await client.query(`create role ${role} login`)
    }
    await client.query(`drop database if exists ${templateName} with (force)`)
    await client.query(`create database ${templateName} owner gatehouse_owner`)
  } finally {
    await client.end()
  }
  const ownerUrl = new URL(adminUrl)
  ownerUrl.username = 'gatehouse_owner'
  ownerUrl.password = ''
  ownerUrl.pathname = `/${templateName}`
  await migrate({ adminUrl: ownerUrl.href, appRole: 'gatehouse_app' })
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { GATEHOUSE_TEST_DATABASE_URL: givenDatabase, GATEHOUSE_TEST_REDIS_URL: givenRedis } = process.env
  const started: { stop(): Promise<void> }[] = []
  const keep = <T extends { stop(): Promise<void> }>(service: T): T => {
    started.unshift(service)
    return service
  }
  const stop = async () => {
    for (const service of started) await service.stop()
  }
  try {
    const adminUrl = givenDatabase ?? keep(await startPostgres()).url
    const redisUrl = givenRedis ?? keep(await startRedis()).url
    const wantsPooler = process.env.GATEHOUSE_TEST_POOLER === 'pgbouncer'
    const pooler = wantsPooler ? keep(await startPgBouncer({ target: adminUrl })) : null
    await prepareTemplate(adminUrl)
    project.provide('adminUrl', adminUrl)
    project.provide('redisUrl', redisUrl)
    project.provide('pooler', pooler && { url: pooler.url, prepared: pooler.prepared })
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}
