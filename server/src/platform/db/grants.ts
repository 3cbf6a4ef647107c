// What the serving role may do when it is not the owner: work with rows, change no table, rewrite no audit event.
import pg from 'pg'
import { jobSchema } from './job-schema.ts'

// Audit events are evidence, and so are their places in the hash chain and its seals: not even a fault in the service can change
// or remove one (contract 10.1).
const appendOnlyTables = ['audit_events', 'audit_chain', 'audit_seals']

// Whoever could write this table could hide a migration from the runner.
const readOnlyTables = ['schema_migrations']

// A partition is reached through its parent, whose rights PostgreSQL checks. So partitions, also those made later,
// get no rights of their own, and there is no moment at which a new event partition could be changed.
const listTables = `
  select c.relname as name, c.relispartition as partition
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind in ('r', 'p')
  order by c.relname`

function chooseRights(table: string): string {
  if (readOnlyTables.includes(table)) return 'select'
  return appendOnlyTables.includes(table) ? 'select, insert' : 'select, insert, update, delete'
}

/** Makes the rights of `appRole` exactly what they should be; running it again changes nothing. */
export async function applyGrants(client: pg.ClientBase, appRole: string): Promise<void> {
  const found = await client.query('select 1 from pg_roles where rolname = $1', [appRole])
  if (found.rowCount === 0)
    throw new Error(`The role ${appRole} of GATEHOUSE_DATABASE_URL does not exist on the server`)
  const role = pg.escapeIdentifier(appRole)
  const tables = (await client.query<{ name: string; partition: boolean }>(listTables)).rows
  const statements = [
    `grant usage on schema public to ${role}`,
    `revoke create on schema public from ${role}`,
    `alter default privileges in schema public revoke all on tables from ${role}`,
    ...tables.flatMap(({ name, partition }) => {
      const table = `public.${pg.escapeIdentifier(name)}`
      const revoke = `revoke all on ${table} from ${role}`
      return partition ? [revoke] : [revoke, `grant ${chooseRights(name)} on ${table} to ${role}`]
    }),
    `grant usage on schema ${jobSchema} to ${role}`,
    `grant select, insert, update, delete on all tables in schema ${jobSchema} to ${role}`,
    `grant usage on all sequences in schema ${jobSchema} to ${role}`,
    `grant execute on all functions in schema ${jobSchema} to ${role}`,
  ]
  // One transaction: a serving node never sees its rights taken away between the revoke and the grant.
  await client.query('begin')
  try {
    await client.query(statements.join(';\n'))
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
