import { createSealer, type MasterKey } from '../../server/src/platform/crypto/index.ts'
import { newId } from '../../server/src/platform/ids/index.ts'
import { makeSigningKey } from '../../server/src/domain/signing-keys/index.ts'
import type { Loading } from './connection.ts'
import { loadScopes, seedVersion } from './scopes.ts'

export interface RealmLoad {
  realmIds: string[]
  systemRealm: string
  passwordHash: string
  masterKeys: MasterKey[]
}

const seededRoles = [
  { name: 'admin', description: 'Full administration of the realm', permissions: '{realm-admin}', isDefault: false },
  {
    name: 'auditor',
    description: 'May look at everything that is recorded',
    permissions: '{view-users,view-clients,view-events}',
    isDefault: false,
  },
  { name: 'user', description: 'Every new user', permissions: '{}', isDefault: true },
]

/** Realms as the service seeds them: settings, scopes with their claims, roles, an administrator with a password, a key that opens. */
export async function loadRealms(loading: Loading, load: RealmLoad): Promise<void> {
  const { client, now } = loading
  await client.query('create temp table scale_realms (n bigint primary key, realm_id text)')
  await client.query(
    'insert into scale_realms select n, name from unnest($1::text[]) with ordinality as given(name, n)',
    [load.realmIds],
  )
  await client.query(
    `insert into realms (realm_id, system, config_version, seed_version, created_at)
     select realm_id, realm_id = $2, $1, $3, $1 from scale_realms order by realm_id`,
    [now, load.systemRealm, seedVersion],
  )
  await client.query('insert into realm_settings (realm_id) select realm_id from scale_realms order by realm_id')
  await loadScopes(loading)
  for (const [at, role] of seededRoles.entries()) {
    await client.query(
      `insert into roles (realm_id, id, name, description, default_role, permissions, created_at)
       select realm_id, pg_temp.scale_id($1, n * 8 + $2), $3, $4, $5, $6::text[], $1 from scale_realms order by realm_id`,
      [now, at, role.name, role.description, role.isDefault, role.permissions],
    )
  }
  await loadAdministrators(loading, load.passwordHash)
  await loadKeys(loading, load)
  await client.query(
    `insert into realm_counters (realm_id, name, stripe, value)
     select realm_id, name, 0, 1 from scale_realms cross join (values ('users'), ('realms')) as counted(name) order by 1, 2`,
  )
  await client.query(
    `insert into server_counters (name, stripe, value)
     select name, 0, (select count(*) from scale_realms) from (values ('users'), ('realms')) as counted(name)
     on conflict (name, stripe) do update set value = server_counters.value + excluded.value`,
  )
}

async function loadAdministrators({ client, now }: Loading, passwordHash: string): Promise<void> {
  await client.query(
    `insert into users (realm_id, id, username, username_folded, created_at)
     select realm_id, pg_temp.scale_id($1, n * 8 + 3), 'admin', 'admin', $1 from scale_realms order by realm_id`,
    [now],
  )
  await client.query(
    `insert into login_names (realm_id, name, user_id, kind)
     select realm_id, 'admin', pg_temp.scale_id($1, n * 8 + 3), 'USERNAME' from scale_realms order by realm_id`,
    [now],
  )
  await client.query(
    `insert into user_roles (realm_id, user_id, role_id, created_at)
     select realm_id, pg_temp.scale_id($1, n * 8 + 3), pg_temp.scale_id($1, n * 8 + role), $1
     from scale_realms cross join (values (0), (2)) as held(role) order by 1, 2, 3`,
    [now],
  )
  await client.query(
    `insert into credentials (realm_id, id, user_id, type, secret_hash, created_at)
     select realm_id, pg_temp.scale_id($1, n * 8 + 4), pg_temp.scale_id($1, n * 8 + 3), 'password', $2, $1
     from scale_realms order by realm_id`,
    [now, passwordHash],
  )
}

/** One pair for all of them, since making one takes longer than all the rest; sealed for each realm, so that it opens there. */
async function loadKeys({ client, now }: Loading, { realmIds, masterKeys }: RealmLoad): Promise<void> {
  const sealer = createSealer(masterKeys)
  const key = await makeSigningKey()
  const ids = realmIds.map(() => newId(now))
  const sealed = realmIds.map((realmId, at) =>
    sealer.seal(key.privateKey, `realm_keys:${realmId}:${ids[at]}:private_key`),
  )
  await client.query(
    `insert into realm_keys (realm_id, id, size, public_key, certificate, private_key_sealed, created_at)
     select realm_id, id, $4, $5, $6, sealed, $7 from unnest($1::text[], $2::uuid[], $3::bytea[]) as keys(realm_id, id, sealed)
     order by realm_id`,
    [realmIds, ids, sealed, key.size, key.publicKey, key.certificate, now],
  )
}
