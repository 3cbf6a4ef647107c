-- Every realm an OpenID Connect issuer: clients, scopes, claims, consents, and what the engine keeps.

-- When a person's profile last changed, for the claim of that name; null since it was made.
alter table users add column updated_at bigint;

create table clients (
  realm_id                    text collate "C" not null references realms on delete cascade,
  id                          uuid not null,
  -- What the client calls itself in the protocol; never changes.
  client_id                   text collate "C" not null,
  name                        text,
  enabled                     boolean not null default true,
  public_client               boolean not null default false,
  grant_types                 text[] not null default '{}',
  redirect_uris               text[] not null default '{}',
  web_origins                 text[] not null default '{}',
  -- Names of client scopes beyond the realm's default ones.
  scopes                      text[] not null default '{}',
  allowed_resources           text[] not null default '{}',
  -- Every further member that differs from its default, by its name in the API.
  settings                    jsonb not null default '{}',
  secret_sealed               bytea,
  secret_created_at           bigint,
  -- The secret before the last regeneration, valid until its end.
  previous_secret_sealed      bytea,
  previous_secret_expires_at  bigint,
  service_account_user_id     uuid,
  created_by                  text not null default 'ADMIN',
  created_at                  bigint not null,
  version                     bigint not null default 1,
  primary key (realm_id, id),
  constraint clients_client_id_key unique (realm_id, client_id)
);
-- Clients that name their own subject: those a change of the realm's strategy does not touch.
create index clients_own_subject on clients (realm_id) where settings ? 'subjectClaim';
-- Clients whose tokens are signed with another algorithm than the usual one.
create index clients_own_algorithm on clients (realm_id) where settings ? 'tokenSigningAlg';

create table client_roles (
  realm_id     text collate "C" not null,
  id           uuid not null,
  client_uuid  uuid not null,
  name         text collate "C" not null,
  description  text,
  created_at   bigint not null,
  primary key (realm_id, id),
  constraint client_roles_name_key unique (realm_id, client_uuid, name),
  foreign key (realm_id, client_uuid) references clients (realm_id, id) on delete cascade
);

create table user_client_roles (
  realm_id        text collate "C" not null,
  user_id         uuid not null,
  client_role_id  uuid not null,
  created_at      bigint not null,
  primary key (realm_id, user_id, client_role_id),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade,
  foreign key (realm_id, client_role_id) references client_roles (realm_id, id) on delete cascade
);
create index user_client_roles_by_role on user_client_roles (realm_id, client_role_id);

create table client_mappers (
  realm_id     text collate "C" not null,
  id           uuid not null,
  client_uuid  uuid not null,
  name         text collate "C" not null,
  protocol     text not null,
  type         text not null,
  config       jsonb not null default '{}',
  created_at   bigint not null,
  version      bigint not null default 1,
  primary key (realm_id, id),
  constraint client_mappers_name_key unique (realm_id, client_uuid, name),
  foreign key (realm_id, client_uuid) references clients (realm_id, id) on delete cascade
);

create table client_scopes (
  realm_id                text collate "C" not null references realms on delete cascade,
  id                      uuid not null,
  name                    text collate "C" not null,
  description             text,
  consent_text            text,
  default_scope           boolean not null default false,
  include_in_token_scope  boolean not null default true,
  created_at              bigint not null,
  version                 bigint not null default 1,
  primary key (realm_id, id),
  constraint client_scopes_name_key unique (realm_id, name)
);

create table claims (
  realm_id          text collate "C" not null references realms on delete cascade,
  id                uuid not null,
  name              text collate "C" not null,
  -- The member of the token; the same one may come from several mappers in different scopes.
  claim             text collate "C" not null,
  source            text not null,
  source_key        text,
  value             jsonb,
  type              text not null default 'STRING',
  multivalued       boolean not null default false,
  in_id_token       boolean not null default true,
  in_access_token   boolean not null default true,
  in_userinfo       boolean not null default true,
  in_introspection  boolean not null default true,
  in_saml           boolean not null default false,
  created_at        bigint not null,
  version           bigint not null default 1,
  primary key (realm_id, id),
  constraint claims_name_key unique (realm_id, name)
);

create table client_scope_claims (
  realm_id  text collate "C" not null,
  scope_id  uuid not null,
  claim_id  uuid not null,
  primary key (realm_id, scope_id, claim_id),
  foreign key (realm_id, scope_id) references client_scopes (realm_id, id) on delete cascade,
  foreign key (realm_id, claim_id) references claims (realm_id, id) on delete cascade
);
create index client_scope_claims_by_claim on client_scope_claims (realm_id, claim_id);

-- What a person allowed a client. One row for the pair; the scopes grow.
create table consents (
  realm_id     text collate "C" not null,
  user_id      uuid not null,
  client_uuid  uuid not null,
  scopes       text[] not null default '{}',
  claims       text[] not null default '{}',
  -- The resources (RFC 8707) with the scopes allowed at each.
  resources    jsonb not null default '{}',
  source       text not null default 'USER',
  agent_id     uuid,
  granted_at   bigint not null,
  updated_at   bigint not null,
  primary key (realm_id, user_id, client_uuid),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade,
  foreign key (realm_id, client_uuid) references clients (realm_id, id) on delete cascade
);
create index consents_by_client on consents (realm_id, client_uuid);

-- What the engine keeps: grants, codes, refresh tokens, interactions, pushed requests, replay marks. The id is the hash of the
-- value that travels, so nothing in here opens a door. Rows made under a grant go with it, and none can be made once it is gone.
create table oidc_models (
  realm_id    text collate "C" not null references realms on delete cascade,
  id          bytea not null,
  model       text not null,
  payload     jsonb not null,
  grant_id    bytea,
  user_id     uuid,
  client_id   text collate "C",
  session_id  uuid,
  -- Outlives the session it came from (offline access).
  offline     boolean not null default false,
  created_at  bigint not null,
  expires_at  bigint not null,
  primary key (realm_id, id),
  foreign key (realm_id, grant_id) references oidc_models (realm_id, id) on delete cascade
) with (fillfactor = 90);
create index oidc_models_by_grant on oidc_models (realm_id, grant_id) where grant_id is not null;
create index oidc_models_by_user on oidc_models (realm_id, user_id, client_id) where model = 'Grant';
create index oidc_models_by_session on oidc_models (realm_id, session_id) where model = 'Grant' and session_id is not null;
create index oidc_models_by_client on oidc_models (realm_id, client_id) where model = 'Grant';
create index oidc_models_by_expiry on oidc_models (expires_at);

-- What may be used once and was: the row is the use, so of any number of uses at once one wins.
create table oidc_consumptions (
  realm_id          text collate "C" not null,
  id                bytea not null,
  consumed_at       bigint not null,
  -- The refresh token that replaced this one, sealed under a key made from this one's value.
  successor_id      bytea,
  successor_sealed  bytea,
  primary key (realm_id, id),
  foreign key (realm_id, id) references oidc_models (realm_id, id) on delete cascade
);

-- Tokens that carry their own proof are revoked by naming them: jti:<id>, or everything issued before a moment to
-- client:<clientId>, user:<id> or realm.
create table token_revocations (
  realm_id    text collate "C" not null references realms on delete cascade,
  subject     text collate "C" not null,
  -- Tokens issued before this moment are void.
  before_at   bigint not null,
  -- When no token it could concern is alive any more.
  expires_at  bigint not null,
  primary key (realm_id, subject)
);
create index token_revocations_by_expiry on token_revocations (expires_at);

-- Tokens handed to service accounts, counted per client and minute; there is no row per token.
create table client_activity (
  realm_id    text collate "C" not null references realms on delete cascade,
  client_id   text collate "C" not null,
  minute      bigint not null,
  tokens      bigint not null,
  -- When the last of these tokens ends.
  expires_at  bigint not null,
  primary key (realm_id, client_id, minute)
);
create index client_activity_by_expiry on client_activity (expires_at);

-- One entry for a client in a session, whatever two requests do at once.
create unique index session_participants_one on session_participants (realm_id, session_id, protocol, client_id);
