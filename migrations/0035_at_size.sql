-- What only shows with millions of rows: a column that was dear to work out, and tables whose rows
-- change so often that the usual moment to clean them up comes too late.

-- The host of a slide's address was worked out by a pattern that PostgreSQL spells out 250 times over:
-- a third of a millisecond and more for each slide that was written. It keeps its values, and a trigger
-- gives it new ones. No row is rewritten, and a node of the version before notices nothing.
create function link_host_of(url text) returns text language sql immutable as $$
  select case when url ~* '^https?://' then nullif(left(split_part(
    translate(lower(left(substr(url, strpos(url, '://') + 3), 250)), '?#', '//'), '/', 1), 250), '') end
$$;
create function tell_link_host() returns trigger language plpgsql as $$
begin
  new.link_host := case when new.vault_media_id is null and new.own_file_key is null
    then link_host_of(new.media_url) end;
  return new;
end $$;
alter table session_media alter column link_host drop expression;
create trigger session_media_link_host
  before insert or update of media_url, vault_media_id, own_file_key on session_media
  for each row execute function tell_link_host();

-- One row for each account or session that every debit, event or view changes: dead versions are a
-- multiple of the living. Without these, a fifth of a large table has to die first; and room on each
-- page lets a new version stay beside the old one, where no index has to be told.
alter table credit_accounts set (fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);
alter table sessions set (fillfactor = 85,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02);
alter table sign_ins set (fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
alter table vault_counts set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
alter table community_sessions set (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
alter table rooms set (fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Leases, holds and budgets: few rows at a time, written and gone within seconds. By a share of so few
-- they would be cleaned up without end, by a number they are when it is worth it.
alter table credit_holds set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
alter table account_slots set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
alter table event_streams set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
alter table room_screens set (fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
alter table host_turns set (fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
alter table idempotency_keys set (fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
alter table unclaimed_files set (autovacuum_vacuum_scale_factor = 0.05);

-- They only grow, and by much: a fifth of 25 million slides is a long time without new statistics.
alter table session_media set (autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
alter table credit_transactions set (autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02);

-- What sweeps look for every few minutes is rare among millions, and is found by its own index.
create index sessions_unfilled on sessions (updated_at) where fill_status in ('pending', 'filling');
create index idempotency_keys_unfinished on idempotency_keys (lease_until) where status is null;
create index session_media_own_file on session_media (id) where own_file_key is not null;
