// Real servers for tests and development: PostgreSQL, Redis and PgBouncer on spare loopback ports.
// Architecture 8: tests run on the real thing, and a missing server is a failure, never a skip.
// Called by test/global-setup.ts, the fault tests, scripts/services.mjs and scripts/dev.mjs.
export { startPgBouncer } from './pgbouncer.mjs'
export { startPostgres } from './postgres.mjs'
export { findSparePort, isAlive, stopProcess } from './process.mjs'
export { startRedis } from './redis.mjs'
