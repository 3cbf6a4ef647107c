// Every environment variable of the service as data: loading checks names against it, and the operator's page is made from it.

export interface ConfigVariable {
  name: string
  default: string
  meaning: string
  // A fault never repeats the value of a secret, because faults end up in logs and tickets.
  secret?: boolean
}

export const configVariables: readonly ConfigVariable[] = [
  {
    name: 'GATEHOUSE_BASE_URL',
    default: 'http://127.0.0.1:8080',
    meaning:
      'Public base URL. Every issuer, link and cookie attribute derives from it, never from a request header. Scheme, host and port only.',
  },
  { name: 'GATEHOUSE_HOST', default: '127.0.0.1', meaning: 'Address the listener binds.' },
  { name: 'GATEHOUSE_PORT', default: '8080', meaning: 'Port the listener binds; 0 takes any free port.' },
  {
    name: 'GATEHOUSE_MONITORING_PORT',
    default: 'unset',
    meaning: 'When set, `/monitoring/*` is served on this port only.',
  },
  {
    name: 'GATEHOUSE_DATABASE_URL',
    default: 'required',
    meaning: 'PostgreSQL 15 or newer, as `postgresql://user:password@host:port/database`.',
    secret: true,
  },
  {
    name: 'GATEHOUSE_DATABASE_ADMIN_URL',
    default: '= `GATEHOUSE_DATABASE_URL`',
    meaning:
      'Owning role on a direct connection, for migrations, partitions and retention. With its own role here, the other one needs no UPDATE or DELETE on audit events.',
    secret: true,
  },
  {
    name: 'GATEHOUSE_DATABASE_PREPARED',
    default: 'true',
    meaning: 'Named statements. `false` behind PgBouncer older than 1.21.',
  },
  { name: 'GATEHOUSE_DATABASE_POOL', default: '10', meaning: 'Database connections of each serving process.' },
  {
    name: 'GATEHOUSE_REDIS_URL',
    default: 'unset',
    meaning:
      'Optional Redis 7 or newer, as `redis://` or `rediss://`. Without it the service is complete on one node and correct on many.',
    secret: true,
  },
  {
    name: 'GATEHOUSE_MASTER_KEYS',
    default: 'required when the base URL is https or NODE_ENV=production; else made once in `.gatehouse/master-keys`',
    meaning: '`id:base64(32 bytes)[,older…]`: key-encryption keys. The first one encrypts, all of them decrypt.',
    secret: true,
  },
  { name: 'GATEHOUSE_BOOTSTRAP_REALM', default: 'master', meaning: 'Realm created when none exists.' },
  {
    name: 'GATEHOUSE_BOOTSTRAP_ADMIN_USERNAME',
    default: 'admin',
    meaning: 'First administrator of the bootstrap realm.',
  },
  {
    name: 'GATEHOUSE_BOOTSTRAP_ADMIN_PASSWORD',
    default: 'generated and printed once',
    meaning: 'Password of the first administrator.',
    secret: true,
  },
  {
    name: 'GATEHOUSE_TRUSTED_PROXIES',
    default: 'none',
    meaning: 'Comma-separated addresses and CIDR blocks whose `X-Forwarded-For` is believed.',
  },
  {
    name: 'GATEHOUSE_MIGRATE',
    default: 'auto',
    meaning: '`auto` migrates at start under a lock, `check` refuses to start on a pending migration.',
  },
  { name: 'GATEHOUSE_WORKER', default: 'true', meaning: 'Whether this node also runs background jobs.' },
  {
    name: 'GATEHOUSE_PROCESSES',
    default: '1',
    meaning:
      'Serving processes of this node behind one listener, supervised and restarted; metrics are summed over them. `auto` takes the available cores, respecting a cgroup limit.',
  },
  {
    name: 'GATEHOUSE_EGRESS_ALLOW',
    default: 'none',
    meaning:
      'Comma-separated `[scheme://]host-or-CIDR[:port]` on private addresses that outbound calls may reach. Scheme `http`, `ldap` or `smtp` also lifts the TLS demand for that entry.',
  },
  { name: 'GATEHOUSE_BREACH_DIR', default: 'unset', meaning: 'Directory of breached-password range files.' },
  { name: 'GATEHOUSE_BREACH_URL', default: 'unset', meaning: 'Breached-password range server.' },
  { name: 'GATEHOUSE_METRICS_MAX_REALMS', default: '1000', meaning: 'Realms with their own metric label per node.' },
  {
    name: 'GATEHOUSE_AUDIT_HTTP_URL',
    default: 'unset',
    meaning:
      'Receiver of forwarded audit events. Set here, it wins over the stored configuration and makes it read-only.',
  },
  { name: 'GATEHOUSE_AUDIT_HTTP_TOKEN', default: 'unset', meaning: 'Bearer token for that receiver.', secret: true },
  {
    name: 'GATEHOUSE_AUDIT_HTTP_TIMEOUT_MS',
    default: 'unset (stored configuration, 2000)',
    meaning: 'How long one forwarded batch may take.',
  },
  {
    name: 'GATEHOUSE_DOCS_REQUIRE_SESSION',
    default: 'false',
    meaning: 'Show the interactive API description only to signed-in administrators.',
  },
  { name: 'GATEHOUSE_LOG_LEVEL', default: 'info', meaning: '`trace`, `debug`, `info`, `warn`, `error` or `fatal`.' },
  {
    name: 'GATEHOUSE_SNAPSHOT_BYTES',
    default: '67108864',
    meaning: 'Memory for cached realm configuration in each serving process.',
  },
  {
    name: 'GATEHOUSE_HASH_CONCURRENCY',
    default: 'available cores',
    meaning: 'Passwords hashed at once in each serving process.',
  },
  {
    name: 'GATEHOUSE_DRAIN_MS',
    default: '5000 when NODE_ENV=production, else 0',
    meaning: 'How long readiness is DOWN before the listener closes, so that load balancers notice.',
  },
  {
    name: 'GATEHOUSE_SHUTDOWN_GRACE_MS',
    default: '20000',
    meaning: 'How long requests in flight may take to finish once the listener is closed.',
  },
  { name: 'GATEHOUSE_COMMIT', default: 'unknown', meaning: 'Commit of this build, shown at `/monitoring/info`.' },
  { name: 'GATEHOUSE_BUILD_TIME', default: 'unknown', meaning: 'Time of this build, shown at `/monitoring/info`.' },
]
