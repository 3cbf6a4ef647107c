import pg from 'pg'
import { pendingMigrations } from './migrate.ts'

export interface Finding {
  level: 'ok' | 'warn' | 'fail'
  text: string
}

// PostgreSQL 15 is the oldest the schema is tested on.
const oldestServer = 150_000

/** What an operator should know about the database: reachable, new enough, migrated, roles apart. Changes nothing. */
export async function diagnoseDatabase(config: { databaseUrl: string; databaseAdminUrl: string }): Promise<Finding[]> {
  const client = new pg.Client({ connectionString: config.databaseUrl, connectionTimeoutMillis: 3000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number; events: boolean | null }>(
      `select current_setting('server_version_num')::int as version,
        case when to_regclass('public.audit_events') is null then null
          else has_table_privilege('public.audit_events', 'update') end as events`,
    )
    const { version, events } = rows[0]!
    const pending = await pendingMigrations({ url: config.databaseUrl })
    const sameRole = config.databaseUrl === config.databaseAdminUrl || events === true
    return [
      version >= oldestServer
        ? { level: 'ok', text: `PostgreSQL ${Math.floor(version / 10_000)}` }
        : { level: 'fail', text: 'PostgreSQL 15 or newer is needed' },
      pending.length === 0
        ? { level: 'ok', text: 'the schema is up to date' }
        : { level: 'warn', text: `pending migrations: ${pending.join(', ')}` },
      sameRole
        ? {
            level: 'warn',
            text: 'the serving role may change audit events: give GATEHOUSE_DATABASE_ADMIN_URL a role of its own',
          }
        : { level: 'ok', text: 'the serving role cannot change audit events' },
    ]
  } catch (error) {
    return [{ level: 'fail', text: `the database cannot be used: ${(error as Error).message}` }]
  } finally {
    await client.end().catch(() => undefined)
  }
}
