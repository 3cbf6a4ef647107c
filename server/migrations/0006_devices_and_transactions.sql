-- What people hold in their hands: devices with keys of their own, questions they answer there, and transactions they sign.

-- What a device adds to its row in `credentials`, whose label is the device's name: the public half of its key.
create table device_keys (
  realm_id    text collate "C" not null,
  -- The row in `credentials`; shown as the device's id.
  id          uuid not null,
  user_id     uuid not null,
  platform    text not null,
  -- JWK, P-256.
  public_key  jsonb not null,
  -- RFC 7638, so that one key is one device.
  thumbprint  text collate "C" not null,
  primary key (realm_id, id),
  constraint device_keys_thumbprint_key unique (realm_id, thumbprint),
  foreign key (realm_id, id) references credentials (realm_id, id) on delete cascade
);
create index device_keys_by_user on device_keys (realm_id, user_id);

-- Tokens by which a device is enrolled, and how far each has come. The token itself is not here.
create table device_enrollments (
  realm_id     text collate "C" not null,
  -- Shown as enrollmentId once it is started.
  id           uuid not null,
  token_hash   bytea not null,
  user_id      uuid not null,
  -- The sign-in that waits for the device, where one does.
  sign_in_id   uuid,
  device_name  text,
  platform     text,
  challenge    text,
  created_at   bigint not null,
  expires_at   bigint not null,
  started_at   bigint,
  used_at      bigint,
  -- The device that came of it.
  device_id    uuid,
  primary key (realm_id, id),
  constraint device_enrollments_token_key unique (realm_id, token_hash),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);
create index device_enrollments_by_user on device_enrollments (realm_id, user_id);
create index device_enrollments_by_sign_in on device_enrollments (realm_id, sign_in_id) where sign_in_id is not null;
create index device_enrollments_by_expiry on device_enrollments (expires_at);

-- Questions of a sign-in that are answered in another place: by push, by a device's key, or by reading a QR code.
create table device_approvals (
  realm_id         text collate "C" not null references realms on delete cascade,
  id               uuid not null,
  -- PUSH, KEY, QR
  kind             text not null,
  -- PENDING, SCANNED, APPROVED, DENIED, CONFIRMED; EXPIRED follows from the time.
  status           text not null default 'PENDING',
  -- Who is asked; of a QR code, who read it.
  user_id          uuid,
  sign_in_id       uuid not null,
  client_id        text,
  action           text not null,
  -- The number that the screen shows, and those to choose from on the device.
  number           integer,
  choices          integer[],
  -- Whether an answer counts only with a signature of an enrolled device.
  needs_signature  boolean not null default false,
  source_ip        text,
  user_agent       text,
  -- The device whose key signed the answer, or the session that gave it.
  answered_by      uuid,
  answered_at      bigint,
  -- An answer opens one door once.
  used_at          bigint,
  created_at       bigint not null,
  expires_at       bigint not null,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade
);
create index device_approvals_by_sign_in on device_approvals (realm_id, sign_in_id);
create index device_approvals_by_user on device_approvals (realm_id, user_id) where user_id is not null;
create index device_approvals_by_expiry on device_approvals (expires_at);

-- Transactions that a person signs and the application consumes once.
create table transactions (
  realm_id      text collate "C" not null,
  id            uuid not null,
  -- PENDING, SIGNED, REJECTED, CONSUMED; EXPIRED follows from the time.
  status        text not null default 'PENDING',
  type          text not null,
  title         text not null,
  -- The details in canonical form (RFC 8785): exactly what was hashed.
  details       text not null,
  hash          text not null,
  user_id       uuid not null,
  client_uuid   uuid not null,
  client_id     text not null,
  required_acr  text,
  callback_url  text,
  -- TOTP, WEBAUTHN, DEVICE or PASSWORD, once it is signed.
  method        text,
  signature     text,
  created_at    bigint not null,
  expires_at    bigint not null,
  signed_at     bigint,
  rejected_at   bigint,
  consumed_at   bigint,
  version       bigint not null default 1,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references users (realm_id, id) on delete cascade,
  foreign key (realm_id, client_uuid) references clients (realm_id, id) on delete cascade
);
create index transactions_by_user on transactions (realm_id, user_id, id);
create index transactions_by_client on transactions (realm_id, client_uuid);
create index transactions_by_expiry on transactions (expires_at);

-- Sessions in which an administrator acts as somebody are few; they are looked for by who acts, and when they end.
create index sessions_by_impersonator on sessions (impersonator_id) where impersonator_id is not null;

-- What was sent to somebody is found when they ask for it, and when they are erased.
create index messages_by_user on messages (realm_id, user_id) where user_id is not null;
