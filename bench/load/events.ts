import { eventPartition } from '../../server/src/domain/events/partitions.ts'
import { idTime } from '../../server/src/platform/ids/index.ts'
import { type Loading, runInParallel } from './connection.ts'
import { addresses, type EventSecrets, prepareEventSecrets, sealNewestEvents, typedNames } from './event-secrets.ts'
import { userIdSql } from './users.ts'

export interface EventLoad {
  realmId: string
  events: number
  /** Users of the realm as loadUsers made them: they are the actors. */
  users: number
  masterKeys: { id: string; key: Buffer }[]
}

const dayMs = 86_400_000
const spanMs = 90 * dayMs
const clients = 50

// What a busy realm writes: of a thousand events, so many up to this one are of the type.
const mixture: [upTo: number, type: string, category: string, outcome: string][] = [
  [450, 'LOGIN_SUCCESS', 'AUTHN', 'SUCCESS'],
  [530, 'LOGIN_FAILURE', 'AUTHN', 'FAILURE'],
  [630, 'LOGOUT', 'AUTHN', 'SUCCESS'],
  [830, 'TOKEN_ISSUED', 'AUTHN', 'SUCCESS'],
  [920, 'TOKEN_REFRESHED', 'AUTHN', 'SUCCESS'],
  [935, 'MFA_CHALLENGE', 'AUTHN', 'SUCCESS'],
  [947, 'MFA_SUCCESS', 'AUTHN', 'SUCCESS'],
  [950, 'MFA_FAILURE', 'AUTHN', 'FAILURE'],
  [965, 'ADMIN_UPDATE', 'ADMIN', 'SUCCESS'],
  [973, 'ADMIN_CREATE', 'ADMIN', 'SUCCESS'],
  [976, 'ADMIN_DELETE', 'ADMIN', 'SUCCESS'],
  [980, 'ADMIN_ACTION', 'ADMIN', 'FAILURE'],
  [990, 'PASSWORD_CHANGED', 'SECURITY', 'SUCCESS'],
  [995, 'CREDENTIAL_RESET', 'SECURITY', 'SUCCESS'],
  [999, 'USER_LOCKED', 'SECURITY', 'SUCCESS'],
  [1000, 'KEY_ROTATED', 'SECURITY', 'SUCCESS'],
]

/** Picks the member of the mixture by the number r between 0 and 999. */
const pick = (at: 1 | 2 | 3) =>
  `case ${mixture.map((entry) => `when r < ${entry[0]} then '${entry[at]}'`).join(' ')} end`

/** Statement for the events of one month; their parts sealed for a person are filled with bytes of the usual length. */
function insertEvents(table: string, load: EventLoad, now: number, range: { from: number; until: number }): string {
  const start = now - spanMs
  const numberAt = (ms: number) => Math.floor(((ms - start) * load.events) / spanMs)
  const first = Math.max(1, numberAt(range.from) - 1)
  const last = Math.min(load.events, numberAt(range.until) + 1)
  const userId = userIdSql(load, now, `1 + h % ${load.users}`)
  return `
    insert into ${table} (realm_id, id, category, type, outcome, actor, resource_type, resource_id, client_id, trace_id, ip_hash,
      actor_sealed)
    select $1, pg_temp.scale_id(ms, n), ${pick(2)}, ${pick(1)}, ${pick(3)},
      case when r >= 999 then 'system' when r between 510 and 529 then 'name:' || encode(substring($3::bytea from (1 + h % ${typedNames} * 16)::int for 16), 'hex') else ${userId}::text end,
      case when r between 950 and 979 or r >= 990 then case when r = 999 then 'keys' else 'users' end end,
      case when r between 950 and 979 or r >= 990 then ${userId}::text end,
      case when r between 630 and 919 then 'app-' || h % ${clients} end,
      md5(n::text), substring($2::bytea from (1 + h / 7 % ${addresses} * 16)::int for 16), $4::bytea
    from (select n, ${start} + n * ${spanMs}::bigint / ${load.events} as ms, (n * 7919) % 1000 as r, hashint8(n)::bigint & 2147483647 as h
      from generate_series(${first}::bigint, ${last}) as numbers(n)) as drawn
    where ms >= ${range.from} and ms < ${range.until} order by n`
}

const copyIndexes = `select replace(pg_get_indexdef(i.indexrelid), 'audit_events_default', $1) as definition, i.indisprimary
  from pg_index i where i.indrelid = 'public.audit_events_default'::regclass`

/** Months are filled as plain tables, indexed, and then attached. One that is there already is filled as it is. */
export async function loadEvents(loading: Loading, load: EventLoad): Promise<void> {
  const { client, url, now } = loading
  const secrets = await prepareEventSecrets(loading, load)
  const values = [load.realmId, secrets.addressHashes, secrets.nameHashes, secrets.filler]
  const months = monthsOf(now)
  const known = await client.query<{ name: string }>(
    `select relname as name from pg_class where relispartition and relname like 'audit\\_events\\_2%'`,
  )
  const fresh = months.filter((month) => !known.rows.some(({ name }) => name === month.name))
  for (const { name } of fresh)
    await client.query(`create table ${name} (like audit_events including defaults including constraints)`)
  await runInParallel(
    url,
    months.map((month) => ({ text: insertEvents(month.name, load, now, month), values })),
  )
  const indexes = []
  for (const { name } of fresh) indexes.push(await client.query(copyIndexes, [name]))
  await runInParallel(
    url,
    indexes.flatMap(({ rows }, at) =>
      rows.map((row) => ({
        text: row.indisprimary
          ? `alter table ${fresh[at]!.name} add primary key (realm_id, id)`
          : row.definition.replace(/INDEX \S+ ON/, 'INDEX ON'),
      })),
    ),
  )
  for (const { name, fromId, untilId } of fresh)
    await client.query(
      `alter table audit_events attach partition ${name} for values from ('${fromId}') to ('${untilId}')`,
    )
  await finishEvents(loading, load, secrets)
}

async function finishEvents(loading: Loading, load: EventLoad, secrets: EventSecrets): Promise<void> {
  await sealNewestEvents(loading, load, secrets)
  // The day of an event is the day of its id, as where the service writes both.
  await loading.client.query(
    `insert into audit_rollups (realm_id, day, type, outcome, stripe, category, count)
     select realm_id, to_timestamp(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000)::date, type, outcome,
       0, category, count(*)
     from audit_events where realm_id = $1 group by 1, 2, 3, 4, 6`,
    [load.realmId],
  )
}

function monthsOf(now: number) {
  const [first, last] = [new Date(now - spanMs), new Date(now)]
  const count = (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth() + 1
  return Array.from({ length: count }, (_, at) => {
    const partition = eventPartition(first.getUTCFullYear(), first.getUTCMonth() + at)
    return { ...partition, from: idTime(partition.fromId), until: idTime(partition.untilId) }
  })
}
