-- Sign-in as a flow: flows of a realm, second factors, codes and links, messages and their providers.

-- When the person accepted the realm's terms; null = never.
alter table users add column terms_accepted_at bigint;

-- Built-in flows are code; a row exists once one was edited, and for every flow a realm makes itself.
create table flows (
  realm_id      text collate "C" not null references realms on delete cascade,
  id            uuid not null,
  alias         text collate "C" not null,
  display_name  text,
  description   text,
  type          text not null,
  steps         jsonb not null,
  created_at    bigint not null,
  updated_at    bigint not null,
  version       bigint not null default 1,
  primary key (realm_id, id),
  constraint flows_alias_key unique (realm_id, alias)
);

-- The flow in use for each type; without a row the built-in one is.
create table flow_bindings (
  realm_id  text collate "C" not null references realms on delete cascade,
  type      text not null,
  alias     text collate "C" not null,
  primary key (realm_id, type)
);

-- What a passkey or security key adds to its row in `credentials`: found by the id the authenticator gave.
create table webauthn_keys (
  realm_id       text collate "C" not null,
  credential_id  text collate "C" not null,
  -- The row in `credentials`.
  id             uuid not null,
  user_id        uuid not null,
  public_key     bytea not null,
  counter        bigint not null,
  transports     text[] not null default '{}',
  primary key (realm_id, credential_id),
  foreign key (realm_id, id) references credentials (realm_id, id) on delete cascade
);
create index webauthn_keys_by_credential on webauthn_keys (realm_id, id);
create index webauthn_keys_by_user on webauthn_keys (realm_id, user_id);

-- One row for each recovery code that is not used; using one deletes it.
create table recovery_codes (
  realm_id       text collate "C" not null,
  code_hash      bytea not null,
  -- The row in `credentials`.
  credential_id  uuid not null,
  user_id        uuid not null,
  primary key (realm_id, user_id, code_hash),
  foreign key (realm_id, credential_id) references credentials (realm_id, id) on delete cascade
);
create index recovery_codes_by_credential on recovery_codes (realm_id, credential_id);

-- Codes and links sent to people: one living value for each person and purpose, a newer one replaces it.
create table one_time_secrets (
  realm_id    text collate "C" not null references realms on delete cascade,
  id          uuid not null,
  purpose     text not null,
  -- The person's id; for somebody who has no account yet, a hash of the address.
  subject     text collate "C" not null,
  value_hash  bytea not null,
  -- The sign-in it belongs to, where it is worth something in that one only.
  bound_to    uuid,
  -- Personal parts are sealed.
  details     jsonb not null default '{}',
  sealed      bytea,
  tries       integer not null default 0,
  created_at  bigint not null,
  expires_at  bigint not null,
  primary key (realm_id, id),
  constraint one_time_secrets_subject_key unique (realm_id, purpose, subject)
);
create index one_time_secrets_by_value on one_time_secrets (realm_id, value_hash);
create index one_time_secrets_by_expiry on one_time_secrets (expires_at);

-- Browsers that are not asked for a second factor for a while.
create table trusted_devices (
  realm_id      text collate "C" not null,
  id            uuid not null,
  user_id       uuid not null,
  token_hash    bytea not null,
  user_agent    text,
  created_at    bigint not null,
  last_used_at  bigint,
  expires_at    bigint not null,
  primary key (realm_id, id),
  constraint trusted_devices_token_key unique (realm_id, token_hash),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);
create index trusted_devices_by_user on trusted_devices (realm_id, user_id);
create index trusted_devices_by_expiry on trusted_devices (expires_at);

create table messaging_providers (
  realm_id         text collate "C" not null references realms on delete cascade,
  id               uuid not null,
  channel          text not null,
  driver           text not null,
  enabled          boolean not null default true,
  priority         integer not null default 0,
  from_address     text,
  from_name        text,
  config           jsonb not null default '{}',
  secret_sealed    bytea,
  -- How it went last, for health.
  last_success_at  bigint,
  last_failure_at  bigint,
  last_error       text,
  created_at       bigint not null,
  version          bigint not null default 1,
  primary key (realm_id, id),
  constraint messaging_providers_driver_key unique (realm_id, channel, driver)
);

-- Templates a realm changed; the others are code.
create table message_templates (
  realm_id      text collate "C" not null references realms on delete cascade,
  id            uuid not null,
  template_key  text not null,
  channel       text not null,
  -- '' is the template for every language that has none of its own.
  locale        text not null default '',
  subject       text,
  body          text not null,
  html          boolean not null,
  enabled       boolean not null default true,
  updated_at    bigint not null,
  version       bigint not null default 1,
  primary key (realm_id, id),
  constraint message_templates_key unique (realm_id, template_key, channel, locale)
);

-- Messages on their way. Written in the transaction of what they tell about, sent by a job, kept for a while to show how it went.
create table messages (
  realm_id        text collate "C" not null references realms on delete cascade,
  id              uuid not null,
  channel         text not null,
  template_key    text not null,
  user_id         uuid,
  -- Address and values, sealed; emptied once the message is gone or given up.
  sealed          bytea,
  -- QUEUED, SENT, FAILED, UNCONFIRMED
  status          text not null default 'QUEUED',
  tries           integer not null default 0,
  -- Set before the last byte is handed over, so that a worker that dies then never sends it twice.
  handed_over_at  bigint,
  driver          text,
  provider_id     text,
  error           text,
  created_at      bigint not null,
  expires_at      bigint not null,
  sent_at         bigint,
  primary key (realm_id, id)
);
create index messages_by_age on messages (created_at);

create table push_tokens (
  realm_id      text collate "C" not null,
  id            uuid not null,
  user_id       uuid not null,
  device_id     text,
  driver        text not null,
  token_hash    bytea not null,
  token_sealed  bytea not null,
  token_hint    text not null,
  enabled       boolean not null default true,
  created_at    bigint not null,
  last_used_at  bigint,
  version       bigint not null default 1,
  primary key (realm_id, id),
  constraint push_tokens_token_key unique (realm_id, driver, token_hash),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);
create index push_tokens_by_user on push_tokens (realm_id, user_id, id);
