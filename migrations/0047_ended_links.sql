-- Guests are shown for 30 days whether the owner stopped a link or it expired.

-- Stopping sets an end in the past, and the same link works again when it is shared again. It was
-- stopped where this is not before `expires_at`, which nodes of the version before write alone.
alter table session_shares add column stopped_at timestamptz;
update session_shares set stopped_at = now() where expires_at < created_at;

-- Codes of links to single files, which get a new code when they are shared again.
create table stopped_media_shares (
  code uuid primary key,
  media_id integer not null references vault_media (id) on delete cascade,
  stopped_at timestamptz not null
);
create index stopped_media_shares_media on stopped_media_shares (media_id);
create index stopped_media_shares_stopped on stopped_media_shares (stopped_at);
