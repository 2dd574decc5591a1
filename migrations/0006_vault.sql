-- Files, the private vault, and links to single media.

-- Files that no row names: being written, kept for a while, or on their way out. Whatever dies in
-- between leaves its line here, and a sweep removes the file when its time has come.
create table unclaimed_files (
  bucket text not null check (bucket in ('user-media', 'general')),
  key text not null,
  remove_after timestamptz not null,
  primary key (bucket, key)
);
create index unclaimed_files_due on unclaimed_files (remove_after);

-- What was copied or made from what, so that a takedown reaches every derivative.
create table file_origins (
  bucket text not null,
  key text not null,
  origin_bucket text not null,
  origin_key text not null,
  primary key (bucket, key, origin_bucket, origin_key)
);
create index file_origins_origin on file_origins (origin_bucket, origin_key);

create table vault_media (
  id integer generated always as identity primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null,
  original_name text not null,
  file_name text not null,
  file_path text not null unique,
  file_size bigint not null default 0 check (file_size >= 0),
  mime_type text not null,
  source text not null
    check (source in ('general', 'upload', 'smart-caption', 'babecock', 'hypnococks')),
  category text not null generated always as
    (case source when 'general' then 'upload' else source end) stored,
  caption text,
  character_name text,
  subfeed text,
  width integer not null default 0,
  height integer not null default 0,
  duration_ms integer,
  -- The file that others may see, without private metadata; the original where it has none. Null
  -- until somebody has looked.
  display_path text,
  thumbnail_widths integer[] not null default '{}',
  -- The picture's own hash first, then those of its mirrored and lightly cropped forms.
  perceptual_hashes text[] not null default '{}',
  share_to_community boolean not null default false,
  metadata jsonb not null default '{}',
  enrichment_status text not null default 'pending'
    check (enrichment_status in ('pending', 'processing', 'completed', 'failed')),
  enrichment_tries integer not null default 0,
  enrichment_started_at timestamptz,
  enriched_at timestamptz,
  created_at timestamptz not null
);
create index vault_media_newest on vault_media (user_id, created_at desc, id desc);
create index vault_media_category on vault_media (user_id, category, created_at desc, id desc);
create index vault_media_unfinished on vault_media (enrichment_started_at)
  where enrichment_status = 'processing';

-- How many files each category has: counting ten thousand rows for every page would cost more than
-- the page.
create table vault_counts (
  user_id text not null references users (id) on delete cascade,
  category text not null,
  files integer not null check (files >= 0),
  primary key (user_id, category)
);

create function count_vault_media() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into vault_counts (user_id, category, files)
      select user_id, category, count(*) from added group by user_id, category
      order by user_id, category
    on conflict (user_id, category) do update set files = vault_counts.files + excluded.files;
  else
    update vault_counts set files = vault_counts.files - gone.files
    from (select user_id, category, count(*) as files from removed group by user_id, category) gone
    where vault_counts.user_id = gone.user_id and vault_counts.category = gone.category;
  end if;
  return null;
end $$;
create trigger vault_media_added after insert on vault_media
  referencing new table as added for each statement execute function count_vault_media();
create trigger vault_media_removed after delete on vault_media
  referencing old table as removed for each statement execute function count_vault_media();

-- What a folder looked like when its files were last held against the records.
create table vault_folders (
  user_id text not null references users (id) on delete cascade,
  folder text not null,
  fingerprint text,
  listed_at timestamptz not null,
  primary key (user_id, folder)
);

create table media_shares (
  code uuid primary key,
  media_id integer not null unique references vault_media (id) on delete cascade,
  created_at timestamptz not null
);

-- A slide may show a file of the vault, or one that was copied for it and lives as long as it does.
alter table session_media
  add column vault_media_id integer references vault_media (id) on delete cascade,
  add column own_file_key text;
create index session_media_vault on session_media (vault_media_id) where vault_media_id is not null;
