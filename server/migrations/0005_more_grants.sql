-- The rest of OAuth: applications that register themselves, and requests that a person answers on another device.

-- How applications may register; only what differs from the defaults (contract 4.15).
create table provisioning (
  realm_id  text collate "C" primary key references realms on delete cascade,
  settings  jsonb not null default '{}',
  version   bigint not null default 1
);
-- Realms whose registrations end when nobody uses them.
create index provisioning_client_ttl on provisioning (realm_id) where settings ? 'dcrClientTtlDays';

-- What an administrator hands out so that somebody may register a client. The token itself is not here.
create table initial_access_tokens (
  realm_id        text collate "C" not null references realms on delete cascade,
  id              uuid not null,
  token_hash      bytea not null,
  -- The scopes a registrant may name; null = what the realm allows.
  allowed_scopes  text[],
  count           integer not null,
  remaining       integer not null,
  created_by      uuid,
  created_at      bigint not null,
  expires_at      bigint not null,
  primary key (realm_id, id),
  constraint initial_access_tokens_token_key unique (realm_id, token_hash)
);
create index initial_access_tokens_by_expiry on initial_access_tokens (expires_at);

-- Clients that came by themselves: by registration (RFC 7591), or by naming the document that describes them.
create table client_registrations (
  realm_id                 text collate "C" not null,
  client_uuid              uuid not null,
  -- The hash of the registration access token; null for a client that its document describes.
  token_hash               bytea,
  initial_access_token_id  uuid,
  -- What the application says of itself and nothing here acts on: contacts, software_id and the like.
  metadata                 jsonb not null default '{}',
  -- The document of a client (CIMD): when it was read, and until when it need not be read again.
  fetched_at               bigint,
  fresh_until              bigint,
  created_at               bigint not null,
  -- To the day; a registration that nobody uses may be ended.
  last_used_at             bigint not null,
  primary key (realm_id, client_uuid),
  foreign key (realm_id, client_uuid) references clients (realm_id, id) on delete cascade
);
create index client_registrations_by_use on client_registrations (realm_id, last_used_at);
