-- Reports about pictures and sessions, what they hide, and the pictures that never come back.

-- A thing that is out of sight: of a file of the vault, or of a session. In force while it is 'hidden'
-- until somebody decides, or 'removed' for good.
create table takedowns (
  id integer generated always as identity primary key,
  media_id integer references vault_media (id) on delete set null,
  session_id integer references sessions (id) on delete set null,
  owner_id text references users (id) on delete set null,
  state text not null check (state in ('hidden', 'removed', 'lifted')),
  -- Out of its owner's reach too.
  is_quarantine boolean not null,
  created_at timestamptz not null,
  decided_at timestamptz
);
create unique index takedowns_media on takedowns (media_id) where state <> 'lifted';
create unique index takedowns_session on takedowns (session_id) where state <> 'lifted';
create index takedowns_lifted on takedowns (media_id, session_id, decided_at) where state = 'lifted';

create table reports (
  id integer generated always as identity primary key,
  target_type text not null
    check (target_type in ('community_media', 'community_session', 'shared_media', 'shared_session')),
  target_id integer,
  share_code uuid,
  -- What it is about, behind community records and codes that may come and go.
  media_id integer references vault_media (id) on delete set null,
  session_id integer references sessions (id) on delete set null,
  reason text not null check (reason in ('non_consensual', 'minor', 'copyright', 'illegal', 'other')),
  details text not null,
  contact text,
  -- What was to be seen when it was reported, and by what its pictures are known again.
  evidence jsonb not null,
  takedown_id integer references takedowns (id) on delete set null,
  decision text check (decision in ('dismiss', 'remove', 'remove_and_block')),
  note text,
  decided_by text references users (id) on delete set null,
  decided_at timestamptz,
  created_at timestamptz not null
);
create index reports_open on reports (id) where decision is null;
create index reports_media on reports (media_id) where decision is null;
create index reports_session on reports (session_id) where decision is null;
create index reports_decided on reports (decided_at) where decision is not null;

-- Every file and session that a takedown in force has put out of sight, copies and derivatives too.
create table hidden_files (
  bucket text not null,
  key text not null,
  takedown_id integer not null references takedowns (id) on delete cascade,
  primary key (bucket, key, takedown_id)
);
create index hidden_files_takedown on hidden_files (takedown_id);

-- No reference to the session: checking it would wait for whoever holds the session, who may be
-- waiting for us.
create table hidden_sessions (
  session_id integer not null,
  takedown_id integer not null references takedowns (id) on delete cascade,
  primary key (session_id, takedown_id)
);
create index hidden_sessions_takedown on hidden_sessions (takedown_id);

-- What is made of a hidden file is hidden with it. The lock, which whoever hides takes alone, keeps
-- a file that is being made from slipping past one that is being hidden.
create function hide_derivatives() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('takedowns'));
  insert into hidden_files (bucket, key, takedown_id)
  with recursive reached as (
    select added.bucket, added.key, hidden.takedown_id
    from added
    join hidden_files hidden on hidden.bucket = added.origin_bucket and hidden.key = added.origin_key
    union
    select made.bucket, made.key, reached.takedown_id
    from reached
    join file_origins made on made.origin_bucket = reached.bucket and made.origin_key = reached.key
  )
  select bucket, key, takedown_id from reached
  on conflict do nothing;
  return null;
end $$;
create trigger file_origins_hidden after insert on file_origins
  referencing new table as added for each statement execute function hide_derivatives();

-- In the same way, what is saved of a hidden session.
create function hide_saved_session() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('takedowns'));
  insert into hidden_sessions (session_id, takedown_id)
  select new.session_id, hidden.takedown_id
  from community_sessions published
  join hidden_sessions hidden on hidden.session_id = published.session_id
  where published.id = new.community_session_id
  on conflict do nothing;
  return null;
end $$;
create trigger community_saves_hidden after insert on community_saves
  for each row execute function hide_saved_session();

-- The forms of each blocked picture, whole or lightly cropped, and the bits that each begins with.
create table blocked_hashes (
  report_id integer not null references reports (id) on delete cascade,
  form text not null,
  bits bit(256) not null,
  is_whole boolean not null,
  created_at timestamptz not null
);
create index blocked_hashes_report on blocked_hashes (report_id);

-- Known when it is published, so that saving it and sharing what was saved need no look at files.
alter table community_session_media add column perceptual_hashes text[] not null default '{}';
alter table session_media add column perceptual_hashes text[] not null default '{}';

-- What the service has to tell somebody.
create table notices (
  id integer generated always as identity primary key,
  user_id text not null references users (id) on delete cascade,
  message text not null,
  created_at timestamptz not null,
  read_at timestamptz
);
create index notices_newest on notices (user_id, id desc);
