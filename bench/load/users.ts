import { foldName } from '../../server/src/platform/text/index.ts'
import type { Loading } from './connection.ts'
import { departments, firstNames, lastNames } from './names.ts'

export interface UserLoad {
  realmId: string
  users: number
  passwordHash: string
}

const twoYearsMs = 2 * 365 * 86_400_000
const halfDayMs = 12 * 3_600_000

/** The user with this number: people came evenly over two years. Also used for the actors of events. */
export function userIdSql(load: Pick<UserLoad, 'users'>, now: number, number: string): string {
  const step = Math.max(1, Math.floor(twoYearsMs / (load.users + 1)))
  return `pg_temp.scale_id(${now - twoYearsMs} + (${number}) * ${step}, ${number})`
}

/** The username of the user with this number. */
export function usernameOf(number: number): string {
  const first = firstNames[number % firstNames.length]!
  const last = lastNames[Math.floor(number / firstNames.length) % lastNames.length]!
  const round = Math.floor(number / (firstNames.length * lastNames.length))
  return foldName(`${first}.${last}${round === 0 ? '' : round}`)
}

// 2 % disabled, 0.5 % locked: half of them by an administrator, the others for some hours. One in 200 of the latter is over
// already and waits for the job that clears it.
const people = `
  select i, first, last, first_folded, last_folded, first_folded || '.' || last_folded || round as username,
    first_folded || '.' || last_folded || round || '@example.org' as email, department
  from (select i::bigint, ($3::text[])[1 + i % $5] as first, ($4::text[])[1 + i / $5 % $6] as last,
      ($7::text[])[1 + i % $5] as first_folded, ($8::text[])[1 + i / $5 % $6] as last_folded,
      ($9::text[])[1 + (i * 7) % $10] as department,
      case when i / ($5 * $6) = 0 then '' else (i / ($5 * $6))::text end as round
    from generate_series(1, $2::int) as numbers(i)) as drawn`

const insertUsers = (id: string, createdAt: string) => `
  insert into users (realm_id, id, username, username_folded, email, email_folded, email_verified, enabled, locked, locked_until,
    attributes, first_name_folded, last_name_folded, last_login_at, created_at)
  select $1, ${id}, username, username, email, email, i % 10 > 0, i % 50 > 0, i % 200 = 7,
    case when i % 400 = 7 then case when i % 80000 = 7 then $11::bigint - 60000 else $11::bigint + ${halfDayMs} end end,
    jsonb_build_object('firstName', first, 'lastName', last, 'department', department, 'employeeNumber', i::text),
    first_folded, last_folded, case when i % 3 > 0 then $11::bigint - i * 60 end, ${createdAt}
  from (${people}) as people order by i`

const attributeHash = (name: string, value: string) =>
  `substring(sha256('${name}'::bytea || '\\x00'::bytea || convert_to(${value}, 'UTF8')) for 16)`

/** Everything a user has: names to sign in by, attributes that can be searched, the default role, a password. */
export async function loadUsers({ client, now }: Loading, load: UserLoad): Promise<void> {
  const fold = (names: string[]) => names.map(foldName)
  const values = [load.realmId, load.users, firstNames, lastNames, firstNames.length, lastNames.length]
  const more = [fold(firstNames), fold(lastNames), departments, departments.length, now]
  const id = userIdSql(load, now, 'i')
  const createdAt = `${now - twoYearsMs} + i * ${Math.max(1, Math.floor(twoYearsMs / (load.users + 1)))}`
  await client.query(insertUsers(id, createdAt), [...values, ...more])
  const from = 'from users where realm_id = $1 and username_folded <> $2'
  const scope = [load.realmId, 'admin']
  await client.query(
    `insert into login_names (realm_id, name, user_id, kind)
     select $1, name, id, kind from (select username_folded as name, id, 'USERNAME' as kind ${from}
       union all select email_folded, id, 'EMAIL' ${from}) as names order by name`,
    scope,
  )
  const members = ['firstName', 'lastName', 'department', 'employeeNumber']
  const hashes = members.map((name) => `(${attributeHash(name, `attributes ->> '${name}'`)})`)
  await client.query(
    `insert into user_attribute_index (realm_id, attribute_hash, user_id)
     select $1, hash, id from (select id, hash from users cross join lateral (values ${hashes.join(', ')}) as hashed(hash)
       where realm_id = $1 and username_folded <> $2) as entries order by hash, id`,
    scope,
  )
  await loadRoles({ client, now }, load)
  await client.query(
    `insert into credentials (realm_id, id, user_id, type, secret_hash, created_at)
     select $1, pg_temp.scale_id($3, row_number() over (order by id) + 1000000), id, 'password', $4, created_at
     ${from} order by 2`,
    [...scope, now, load.passwordHash],
  )
  await client.query(
    `insert into realm_counters (realm_id, name, stripe, value) values ($1, 'users', 1, $2)
     on conflict (realm_id, name, stripe) do update set value = realm_counters.value + excluded.value`,
    [load.realmId, load.users],
  )
  await client.query(
    `insert into server_counters (name, stripe, value) values ('users', 1, $1)
     on conflict (name, stripe) do update set value = server_counters.value + excluded.value`,
    [load.users],
  )
}

/** Everybody has the default role, one in ten is staff, one in a thousand an auditor. */
async function loadRoles({ client, now }: Pick<Loading, 'client' | 'now'>, { realmId }: UserLoad): Promise<void> {
  await client.query(
    `insert into roles (realm_id, id, name, created_at) values ($1, pg_temp.scale_id($2, 7), 'staff', $2)`,
    [realmId, now],
  )
  await client.query(
    `insert into user_roles (realm_id, user_id, role_id, created_at)
     select $1, people.id, roles.id, people.created_at
     from (select *, row_number() over (order by id) as n from users where realm_id = $1 and username_folded <> 'admin') as people
     join roles on roles.realm_id = $1 and (roles.name = 'user' or roles.name = 'staff' and n % 10 = 3 or roles.name = 'auditor' and n % 1000 = 5)
     order by people.id, roles.id`,
    [realmId],
  )
}
