import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type pg from 'pg'

/** The plainest table that keeps what the engine asks to be kept. */
export const createTables = `
  create table engine_models (model text not null, id text not null, payload jsonb not null, grant_id text, uid text,
    consumed_at timestamptz, expires_at timestamptz not null, primary key (model, id));
  create index engine_models_by_grant on engine_models (grant_id) where grant_id is not null;
  create index engine_models_by_uid on engine_models (uid) where uid is not null;
  create table engine_clients (client_id text primary key, metadata jsonb not null)`

const statements = {
  client: 'select metadata as payload, null::timestamptz as consumed_at from engine_clients where client_id = $1',
  find: 'select payload, consumed_at from engine_models where model = $1 and id = $2',
  findByUid: 'select payload, consumed_at from engine_models where model = $1 and uid = $2',
  upsert: `insert into engine_models (model, id, payload, grant_id, uid, expires_at)
    values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
    on conflict (model, id) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
  consume: 'update engine_models set consumed_at = now() where model = $1 and id = $2 and consumed_at is null',
  destroy: 'delete from engine_models where model = $1 and id = $2',
  revoke: 'delete from engine_models where model = $1 and grant_id = $2',
}

interface Row {
  payload: AdapterPayload
  consumed_at: Date | null
}

/** What anybody would write first: one statement for every call of the engine, used once by compare-and-set. */
export function createPostgresAdapter(pool: pg.Pool): (model: string) => Adapter {
  const query = (name: keyof typeof statements, values: unknown[]) =>
    pool.query<Row>({ name, text: statements[name], values })
  const read = async (name: keyof typeof statements, values: unknown[]): Promise<AdapterPayload | undefined> => {
    const [row] = (await query(name, values)).rows
    if (!row?.consumed_at) return row?.payload
    return { ...row.payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) }
  }
  return (model) => ({
    find: (id) => (model === 'Client' ? read('client', [id]) : read('find', [model, id])),
    findByUid: (uid) => read('findByUid', [model, uid]),
    findByUserCode: async () => undefined,
    async upsert(id, payload, expiresIn) {
      await query('upsert', [model, id, payload, payload.grantId ?? null, payload.uid ?? null, expiresIn])
    },
    async consume(id) {
      if ((await query('consume', [model, id])).rowCount === 0) throw new errors.InvalidGrant('used before')
    },
    async destroy(id) {
      await query('destroy', [model, id])
    },
    async revokeByGrantId(grantId) {
      await query('revoke', [model, grantId])
    },
  })
}
