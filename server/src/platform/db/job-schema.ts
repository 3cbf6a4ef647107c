// The tables of pg-boss in schema `pgboss`, installed and raised by the owning role together with our own migrations.
// The serving role could not create them, so its instances run with `migrate: false` and find everything in place.
import type pg from 'pg'
import { getConstructionPlans, getMigrationPlans } from 'pg-boss'
import bossPackage from 'pg-boss/package.json' with { type: 'json' }
import { splitStatements } from './migration-files.ts'

export const jobSchema = 'pgboss'

const wantedVersion: number = bossPackage.pgboss.schema

async function readJobSchemaVersion(client: pg.ClientBase): Promise<number | null> {
  const table = await client.query<{ found: boolean }>(
    `select to_regclass('${jobSchema}.version') is not null as found`,
  )
  if (!table.rows[0]?.found) return null
  const result = await client.query<{ version: number }>(`select version from ${jobSchema}.version`)
  return result.rows[0]?.version ?? null
}

/** What is still to be done to the job tables, as a line for the list of pending migrations, or null. */
export async function findPendingJobSchema(client: pg.ClientBase): Promise<string | null> {
  const version = await readJobSchemaVersion(client)
  if (version === wantedVersion) return null
  if (version !== null && version > wantedVersion) {
    throw new Error(
      `The job tables (schema ${jobSchema}) have version ${version}, this release knows ${wantedVersion}: ` +
        'the database was migrated by a newer release. Run that release, or restore the backup made before it.',
    )
  }
  return `${jobSchema} ${version ?? 'none'} to ${wantedVersion}`
}

/** The statements that raise the job tables; pg-boss opens and commits its own transaction in the first of them. */
export async function planJobSchema(client: pg.ClientBase): Promise<string[]> {
  const version = await readJobSchemaVersion(client)
  if (version === null) return [getConstructionPlans(jobSchema)]
  const plan = getMigrationPlans(jobSchema, version)
  // Index builds follow the transaction, because CONCURRENTLY is not allowed inside one.
  const end = plan.lastIndexOf('COMMIT;') + 'COMMIT;'.length
  return [plan.slice(0, end), ...splitStatements(plan.slice(end))]
}
