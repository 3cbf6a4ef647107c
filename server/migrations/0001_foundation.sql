-- Realms, their administrators and their audit trail.
--
-- Rules of this schema (checked against the catalogue by a test): every tenant table's primary key, unique constraints and
-- foreign keys start with realm_id, so that the same tables can be distributed by realm_id; no sequences, triggers or stored
-- procedures; times are epoch milliseconds from the application's clock; `version` counts the writes of a row (ETag).

create table realms (
  realm_id           text collate "C" primary key,
  display_name       text,
  enabled            boolean not null default true,
  system             boolean not null default false,
  -- Raised by every configuration write of the realm in its own transaction; nodes poll the rows changed lately.
  config_version     bigint not null default 1,
  -- The database's clock, because pollers of many nodes compare it.
  config_changed_at  timestamptz not null default clock_timestamp(),
  -- What the realm was seeded with; a later release adds what is missing when the realm is next loaded.
  seed_version       integer not null default 1,
  deleted_at         bigint,
  created_at         bigint not null,
  version            bigint not null default 1
);
create index realms_by_change on realms (config_changed_at);
create index realms_system on realms (realm_id) where system;

create table realm_settings (
  realm_id   text collate "C" primary key references realms on delete cascade,
  -- Only the members that differ from their defaults; secrets are in `sealed`.
  settings   jsonb not null default '{}',
  sealed     bytea,
  version    bigint not null default 1
);

create table realm_keys (
  realm_id            text collate "C" not null references realms on delete cascade,
  id                  uuid not null,
  algorithm           text not null default 'RSA',
  size                integer not null,
  public_key          text not null,
  certificate         text not null,
  private_key_sealed  bytea not null,
  created_at          bigint not null,
  rotated_at          bigint,
  version             bigint not null default 1,
  primary key (realm_id, id)
);
-- One signer at any time, whatever two nodes do at once.
create unique index realm_keys_one_active on realm_keys (realm_id) where rotated_at is null;

create table roles (
  realm_id     text collate "C" not null references realms on delete cascade,
  id           uuid not null,
  name         text collate "C" not null,
  description  text,
  default_role boolean not null default false,
  permissions  text[] not null default '{}',
  created_at   bigint not null,
  version      bigint not null default 1,
  primary key (realm_id, id),
  constraint roles_name_key unique (realm_id, name)
);
create unique index roles_one_default on roles (realm_id) where default_role;

create table role_composites (
  realm_id       text collate "C" not null,
  role_id        uuid not null,
  child_role_id  uuid not null,
  primary key (realm_id, role_id, child_role_id),
  foreign key (realm_id, role_id) references roles (realm_id, id) on delete cascade,
  foreign key (realm_id, child_role_id) references roles (realm_id, id) on delete cascade
);
create index role_composites_by_child on role_composites (realm_id, child_role_id);

create table users (
  realm_id                   text collate "C" not null references realms on delete cascade,
  id                         uuid not null,
  username                   text not null,
  username_folded            text collate "C" not null,
  email                      text,
  email_folded               text collate "C",
  email_verified             boolean not null default false,
  phone                      text,
  phone_verified             boolean not null default false,
  locale                     text,
  enabled                    boolean not null default true,
  locked                     boolean not null default false,
  -- Null with locked = true: until an administrator unlocks.
  locked_until               bigint,
  attributes                 jsonb not null default '{}',
  -- Folded copies of two attributes, for the prefix search.
  first_name_folded          text collate "C",
  last_name_folded           text collate "C",
  required_actions           text[] not null default '{}',
  federation_alias           text,
  service_account_client_id  text,
  last_login_at              bigint,
  created_at                 bigint not null,
  version                    bigint not null default 1,
  primary key (realm_id, id)
) with (fillfactor = 90);
-- Lists of people. Service accounts are left out of these indexes as they are left out of the lists, so that a deep page is
-- read from the index alone.
create index users_by_id on users (realm_id, id) where service_account_client_id is null;
create index users_by_username on users (realm_id, username_folded, id) where service_account_client_id is null;
create index users_by_email on users (realm_id, email_folded, id) where service_account_client_id is null;
create index users_by_first_name on users (realm_id, first_name_folded, id) where service_account_client_id is null;
create index users_by_last_name on users (realm_id, last_name_folded, id) where service_account_client_id is null;
create index users_by_enabled on users (realm_id, enabled, id) where service_account_client_id is null;
create index users_by_locked on users (realm_id, locked, id) where service_account_client_id is null;
-- Locks by failed sign-ins in the order in which they end: a job takes the flag down where that time has passed.
create index users_by_lock_end on users (locked_until, realm_id) where locked and locked_until is not null;
create index users_service_accounts on users (realm_id, id) where service_account_client_id is not null;

-- Usernames and e-mail addresses share one namespace, so that no username equals another user's e-mail.
create table login_names (
  realm_id  text collate "C" not null,
  name      text collate "C" not null,
  user_id   uuid not null,
  kind      text not null check (kind in ('USERNAME', 'EMAIL')),
  primary key (realm_id, name),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);
create index login_names_by_user on login_names (realm_id, user_id);

-- One row per attribute value, by hash: an exact look-up that pages in order whatever the length of the value.
create table user_attribute_index (
  realm_id        text collate "C" not null,
  attribute_hash  bytea not null,
  user_id         uuid not null,
  primary key (realm_id, attribute_hash, user_id),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);
create index user_attribute_index_by_user on user_attribute_index (realm_id, user_id);

create table user_roles (
  realm_id    text collate "C" not null,
  user_id     uuid not null,
  role_id     uuid not null,
  created_at  bigint not null,
  primary key (realm_id, user_id, role_id),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade,
  foreign key (realm_id, role_id) references roles (realm_id, id) on delete cascade
);
create index user_roles_by_role on user_roles (realm_id, role_id, user_id);

create table credentials (
  realm_id      text collate "C" not null,
  id            uuid not null,
  user_id       uuid not null,
  type          text not null,
  label         text,
  -- A PHC string for passwords. Other types keep their material in `secret_sealed`.
  secret_hash   text,
  secret_sealed bytea,
  details       jsonb not null default '{}',
  created_at    bigint not null,
  last_used_at  bigint,
  version       bigint not null default 1,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);
create index credentials_by_user on credentials (realm_id, user_id, type);
create unique index credentials_one_password on credentials (realm_id, user_id) where type = 'password';

create table password_history (
  realm_id     text collate "C" not null,
  id           uuid not null,
  user_id      uuid not null,
  secret_hash  text not null,
  created_at   bigint not null,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);
create index password_history_by_user on password_history (realm_id, user_id, id);

-- The lockout ledger: attempts are counted before they are verified.
create table sign_in_attempts (
  realm_id           text collate "C" not null references realms on delete cascade,
  -- user:<id>; other subjects may follow.
  subject            text collate "C" not null,
  -- PASSWORD, OTP, RECOVERY …: each factor has its own counter.
  factor             text not null,
  failures           integer not null default 0,
  window_started_at  bigint not null,
  locked_until       bigint,
  locks              integer not null default 0,
  primary key (realm_id, subject, factor)
);

create table sign_ins (
  realm_id       text collate "C" not null references realms on delete cascade,
  id             uuid not null,
  -- Hash of the browser's cookie: a sign-in continues only where it began.
  browser_hash   bytea not null,
  flow_alias     text not null,
  flow_version   text not null,
  -- Where the sign-in stands: steps done, user, proofs. Only the server moves it.
  state          jsonb not null,
  continuation   jsonb not null,
  user_id        uuid,
  created_at     bigint not null,
  expires_at     bigint not null,
  version        bigint not null default 1,
  primary key (realm_id, id)
);
create index sign_ins_by_expiry on sign_ins (expires_at);

create table sessions (
  realm_id         text collate "C" not null references realms on delete cascade,
  -- The public id. The cookie's value is another one and only its hash is here.
  id               uuid not null,
  token_hash       bytea not null,
  user_id          uuid not null,
  type             text not null default 'USER',
  proofs           jsonb not null default '[]',
  remember_me      boolean not null default false,
  impersonator_id  uuid,
  upstream         jsonb,
  device           jsonb,
  source_ip        text,
  user_agent       text,
  started_at       bigint not null,
  last_access_at   bigint not null,
  last_admin_at    bigint not null,
  idle_seconds     integer not null,
  expires_at       bigint not null,
  version          bigint not null default 1,
  primary key (realm_id, id),
  constraint sessions_token_key unique (realm_id, token_hash),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
) with (fillfactor = 90);
create index sessions_by_user on sessions (realm_id, user_id, id);
create index sessions_by_expiry on sessions (expires_at);

create table session_participants (
  realm_id      text collate "C" not null,
  id            uuid not null,
  session_id    uuid not null,
  protocol      text not null,
  client_id     text not null,
  -- What the protocol calls the session at this client: sid, SessionIndex with NameID …
  session_key   jsonb not null default '{}',
  logout_state  text,
  created_at    bigint not null,
  primary key (realm_id, id),
  foreign key (realm_id, session_id) references sessions (realm_id, id) on delete cascade
);
create index session_participants_by_session on session_participants (realm_id, session_id);
create index session_participants_by_client on session_participants (realm_id, client_id, session_id);

-- Keys under which the personal parts of audit events are sealed. Erasing a person deletes their key.
create table audit_keys (
  realm_id     text collate "C" not null references realms on delete cascade,
  -- The user's id, or an id derived from realm and month for subjects that are not known.
  id           uuid not null,
  key_sealed   bytea not null,
  created_at   bigint not null,
  primary key (realm_id, id)
);

-- The id is a UUID v7, so ranges of it are ranges of time and the primary key needs no third column. Rows are never updated.
create table audit_events (
  realm_id          text collate "C" not null,
  id                uuid not null,
  category          text not null,
  type              text not null,
  outcome           text not null,
  -- A user id, client:<clientId>, system, or name:<keyed hash of the name as typed>.
  actor             text collate "C" not null,
  resource_type     text,
  resource_id       text,
  client_id         text,
  session_id        uuid,
  impersonator_id   uuid,
  agent_id          uuid,
  trace_id          text,
  ip_hash           bytea,
  -- Typed name, source IP and user agent, under the actor's key.
  actor_key_id      uuid,
  actor_sealed      bytea,
  -- The detail, under the key of the person it is about.
  detail_key_id     uuid,
  detail_sealed     bytea,
  primary key (realm_id, id)
) partition by range (id);
create index audit_events_by_type on audit_events (realm_id, type, id);
create index audit_events_by_category on audit_events (realm_id, category, id);
create index audit_events_by_outcome on audit_events (realm_id, outcome, id);
create index audit_events_by_actor on audit_events (realm_id, actor, id);
create index audit_events_by_resource_type on audit_events (realm_id, resource_type, id) where resource_type is not null;
create index audit_events_by_resource_id on audit_events (realm_id, resource_id, id) where resource_id is not null;
create index audit_events_by_client on audit_events (realm_id, client_id, id) where client_id is not null;
create index audit_events_by_ip on audit_events (realm_id, ip_hash, id) where ip_hash is not null;
-- Catches what no month holds, so that a missing partition never loses an event.
create table audit_events_default partition of audit_events default;

-- Totals per day, kept in the transaction of the events and spread over stripes so that writers do not queue on one row.
create table audit_rollups (
  realm_id  text collate "C" not null references realms on delete cascade,
  day       date not null,
  type      text not null,
  outcome   text not null,
  stripe    smallint not null,
  category  text not null,
  count     bigint not null,
  primary key (realm_id, day, type, outcome, stripe)
);

create table idempotency_keys (
  realm_id         text collate "C" not null references realms on delete cascade,
  -- Hash of actor, route and key.
  id               bytea not null,
  request_hash     bytea not null,
  -- Sealed, because an answer may hold a secret that is shown once.
  response_sealed  bytea,
  created_at       bigint not null,
  primary key (realm_id, id)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table realm_jobs (
  realm_id     text collate "C" not null references realms on delete cascade,
  id           uuid not null,
  type         text not null,
  status       text not null,
  -- Who started it: they may read the result, and so may realm-admins.
  created_by   text not null,
  result       jsonb,
  created_at   bigint not null,
  finished_at  bigint,
  version      bigint not null default 1,
  primary key (realm_id, id)
);

-- How many users, sessions … a realm has; never counted by scanning.
create table realm_counters (
  realm_id  text collate "C" not null references realms on delete cascade,
  name      text not null,
  stripe    smallint not null,
  value     bigint not null,
  primary key (realm_id, name, stripe)
);

-- What happened in a realm on a day, for the list of the most active ones.
create table realm_activity (
  realm_id  text collate "C" not null references realms on delete cascade,
  day       date not null,
  name      text not null,
  value     bigint not null,
  primary key (realm_id, day, name)
);
create index realm_activity_top on realm_activity (day, name, value desc);

-- Server-wide tables: no realm_id, kept on the coordinator where the tenant tables are distributed.
create table server_counters (
  name    text not null,
  stripe  smallint not null,
  value   bigint not null,
  primary key (name, stripe)
);

create table server_settings (
  name       text primary key,
  value      jsonb not null,
  sealed     bytea,
  version    bigint not null default 1
);
