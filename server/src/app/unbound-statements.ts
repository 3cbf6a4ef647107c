// The statements on tenant tables that do not name one realm, each with its reason.
// Architecture 5: on a distributed database these go to every shard, so there are few of them and none is on a hot path.
// Compared by test/rules/realm-scope.test.ts with what the service really sends, in both directions.

export interface UnboundStatement {
  /** File under server/src and the function in it. */
  where: string
  /** Matches the statement's text with single spaces. */
  pattern: RegExp
  reason: string
}

export const unboundStatements: UnboundStatement[] = [
  {
    where: 'domain/realms/store.ts hasAnyRealm',
    pattern: /^select "realm_id" from "realms" limit \$1$/,
    reason: 'Whether the database is empty, once at start; ends with the first row.',
  },
  {
    where: 'domain/realms/store.ts selectSystemRealm',
    pattern: /^select "realm_id" from "realms" where "system" = \$1$/,
    reason: 'Which realm is the system realm, once at start, over an index of that one row.',
  },
  {
    where: 'domain/realms/store.ts selectRealms',
    pattern: /^select .* from "realms" where "deleted_at" is null .*order by "realm_id" limit/,
    reason: 'The list of realms for the system realm’s administrators, one page in the order of the primary key.',
  },
  {
    where: 'domain/snapshot/store.ts readRecentChanges',
    pattern: /from "realms" where "config_changed_at" > clock_timestamp\(\)/,
    reason:
      'How a node learns of changes made on others: a few times a second, over an index of the latest changes only.',
  },
  {
    where: 'domain/counters/store.ts readMostActive',
    pattern: /^select "realm_id" from "realm_activity" where "day" = .* order by "value" desc/,
    reason: 'The most active realms of the day for the summary of the server, over an index in that order.',
  },
  {
    where: 'domain/counters/store.ts readRealmActivity',
    pattern: /from "realm_activity" where "realm_id" = any\(/,
    reason: 'The figures of the at most hundred realms that the summary names, each by its primary key.',
  },
  {
    where: 'domain/counters/store.ts deleteActivityBefore',
    pattern: /^delete from "realm_activity" where "day" </,
    reason: 'Retention: whole days go at once, over the index by day.',
  },
  {
    where: 'domain/events/retention-store.ts readRealmsWithRetention',
    pattern: /from realm_settings where settings \? 'eventRetentionDays'/,
    reason: 'Retention: finds the realms with a limit of their own, over an index of just those, page by page.',
  },
  {
    where: 'domain/events/retention-store.ts readStripedDays',
    pattern: /^select distinct realm_id as "realmId", day::text as day from audit_rollups/,
    reason: 'Retention: finds days whose stripes can be added up, over an index of just those rows.',
  },
  {
    where: 'domain/events/chain/search-store.ts readUnevenRealms',
    pattern: /^select e\.realm_id as "realmId", e\.first_id as "firstId" from \( ?select realm_id, min\(id::text/,
    reason:
      'Hash chain: finds the realms with new events once a minute, over a summary index of what was written lately.',
  },
  {
    where: 'domain/events/chain/search-store.ts readUnsealedRealms',
    pattern: /^select "realm_id" from "audit_chain_heads" where "unsealed_since" <= \$1 order by/,
    reason: 'Hash chain: finds the chains that wait for their seal, over an index of just those.',
  },
  {
    where: 'domain/sessions/store.ts deleteExpiredSessions',
    pattern: /^with ended as \( ?delete from sessions where \(realm_id, id\) in/,
    reason: 'Clean-up: sessions past their end, in small bites over the index by expiry.',
  },
  {
    where: 'domain/users/impersonate/store.ts selectOverdue',
    pattern: /from sessions where impersonator_id is not null and \(expires_at <=/,
    reason: 'Impersonated sessions past their end, whose end is an event; over an index of just the impersonated ones.',
  },
  {
    where: 'domain/users/impersonate/store.ts selectOfImpersonator',
    pattern: /from sessions where impersonator_id is not null and impersonator_id = /,
    reason: 'What an administrator of the system realm does as others, in whatever realm, once they may no longer.',
  },
  {
    where: 'domain/sign-in/store.ts deleteExpiredSignIns',
    pattern: /^delete from "?sign_ins"? where .*expires_at/,
    reason: 'Clean-up: sign-ins that nobody finished, over the index by expiry.',
  },
  {
    where: 'domain/lockout/store.ts deleteOldAttempts',
    pattern: /^delete from sign_in_attempts where \(realm_id, subject, factor\) in/,
    reason: 'Clean-up: counters of failed sign-ins that nobody touched for a day, in small bites.',
  },
  {
    where: 'domain/lockout/store.ts clearEndedLocks',
    pattern: /^update users set locked = false, locked_until = null where locked and/,
    reason:
      'Clean-up: takes the flag down where a lock has ended by itself, in small bites over an index of just those.',
  },
  {
    where: 'domain/tokens/model-store.ts deleteExpiredModels',
    pattern: /^delete from oidc_models where \(realm_id, id\) in/,
    reason: 'Clean-up: codes, tokens and requests past their end, in small bites over the index by expiry.',
  },
  {
    where: 'domain/tokens/revocation-store.ts deleteExpiredRevocations',
    pattern: /^delete from token_revocations where \(realm_id, subject\) in/,
    reason: 'Clean-up: revocations that no living token can need, in small bites over the index by expiry.',
  },
  {
    where: 'domain/tokens/activity-store.ts deleteExpiredActivity',
    pattern: /^delete from client_activity where \(realm_id, client_id, minute\) in/,
    reason: 'Clean-up: minutes whose tokens have all ended, in small bites over the index by expiry.',
  },
  {
    where: 'domain/messaging/delivery/store.ts deleteOldMessages',
    pattern: /^delete from messages where \(realm_id, id\) in/,
    reason: 'Clean-up: messages of more than a week ago, in small bites over the index by age.',
  },
  {
    where: 'domain/one-time-secrets/store.ts deleteExpiredSecrets',
    pattern: /^delete from one_time_secrets where \(realm_id, id\) in/,
    reason: 'Clean-up: codes and links past their end, in small bites over the index by expiry.',
  },
  {
    where: 'domain/provisioning/initial-access-tokens/store.ts deleteExpiredTokens',
    pattern: /^delete from initial_access_tokens where \(realm_id, id\) in/,
    reason: 'Clean-up: initial access tokens past their end, in small bites over the index by expiry.',
  },
  {
    where: 'domain/registration/store.ts readRealmsWithTtl',
    pattern: /from provisioning where settings \? 'dcrClientTtlDays'/,
    reason: 'Finds the realms whose unused registrations end, over an index of just those, page by page.',
  },
  {
    where: 'domain/device-approvals/store.ts deleteOldApprovals',
    pattern: /^delete from "device_approvals" using \(select/,
    reason: 'Clean-up: questions an hour after their end, in small bites over the index by expiry.',
  },
  {
    where: 'domain/trusted-devices/store.ts deleteExpiredDevices',
    pattern: /^delete from trusted_devices where \(realm_id, id\) in/,
    reason: 'Clean-up: trusted browsers past their end, in small bites over the index by expiry.',
  },
  {
    where: 'domain/devices/enrollments-store.ts deleteExpiredEnrollments',
    pattern: /^delete from device_enrollments where \(realm_id, id\) in/,
    reason: 'Clean-up: enrolments of devices past their end, in small bites over the index by expiry.',
  },
  {
    where: 'domain/transactions/store.ts deleteEndedTransactions',
    pattern: /^delete from transactions where \(realm_id, id\) in/,
    reason: 'Clean-up: transactions a month after their end, in small bites over the index by expiry.',
  },
  {
    where: 'app/admin-surface/store.ts deleteOldKeys',
    pattern: /^delete from idempotency_keys where \(realm_id, id\) in/,
    reason: 'Clean-up: kept answers older than a day, in small bites over the index by age.',
  },
  {
    where: 'platform/db/reseal.ts resealColumn',
    pattern: /^select .* as sealed from "\w+" where "\w+" is not null and .* order by "realm_id"/,
    reason: 'Rotation of the master key by the operator: walks every sealed value once, page by page.',
  },
]
