-- The daily upkeep of the audit trail finds its work over these, without looking at every realm.

-- Realms that limit how long their events are kept; settings hold only what differs from the defaults.
create index realm_settings_event_retention on realm_settings (realm_id) where settings ? 'eventRetentionDays';

-- Days whose roll-ups still lie apart in stripes. Counting up an existing row does not touch this index.
create index audit_rollups_apart on audit_rollups (day, realm_id) where stripe > 0;
