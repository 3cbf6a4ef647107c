-- The hash chain over the audit trail: every event's place and hash, and the seals that the server's audit key signs.
-- docs/decisions/0009-audit-chain.md says why it looks like this.

-- What was written lately, whatever realm it is of. A summary of every 32 pages: writers pay next to nothing for it, where a
-- tree over all ids would cost every event an entry.
create index audit_events_lately on audit_events using brin (id) with (pages_per_range = 32, autosummarize = on);

-- Where a realm's chain ends. Whoever adds to the chain holds this row.
create table audit_chain_heads (
  realm_id        text collate "C" primary key references realms on delete cascade,
  seq             bigint not null default 0,
  hash            bytea not null,
  -- The newest event that was ever reached; what lies far below it and is not in the chain came in behind its back.
  passed_id       uuid,
  -- Number of the last seal, the place it covers, and since when something lies beyond it.
  seals           bigint not null default 0,
  sealed_seq      bigint not null default 0,
  unsealed_since  bigint
);
create index audit_chain_heads_unsealed on audit_chain_heads (unsealed_since) where unsealed_since is not null;

-- hash = SHA-256(hash before ‖ canonical JSON of the event's row, ciphertext included). Rows are never updated.
create table audit_chain (
  realm_id  text collate "C" not null references audit_chain_heads on delete cascade,
  seq       bigint not null,
  event_id  uuid not null,
  hash      bytea not null,
  primary key (realm_id, seq),
  -- No event has two places, whatever two workers do at once.
  constraint audit_chain_event_key unique (realm_id, event_id)
);
create index audit_chain_lately on audit_chain using brin (event_id) with (pages_per_range = 32, autosummarize = on);

-- A signed statement that the chain had this hash at this place at this time. Rows are never updated.
create table audit_seals (
  realm_id        text collate "C" not null references audit_chain_heads on delete cascade,
  number          bigint not null,
  seq             bigint not null,
  hash            bytea not null,
  sealed_at       bigint not null,
  -- Set when the realm's retention removes events: those below this id are gone rightly.
  removed_before  uuid,
  key_id          text not null,
  signature       bytea not null,
  primary key (realm_id, number)
);
create index audit_seals_by_seq on audit_seals (realm_id, seq);
create index audit_seals_by_time on audit_seals (realm_id, sealed_at);
create index audit_seals_of_removals on audit_seals (realm_id, number) where removed_before is not null;
