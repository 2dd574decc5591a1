-- What is made of the files that slides show: smaller sizes of pictures, where the eye goes, how long
-- films and animations are.

-- One for each file that a slide shows and this site holds; it goes with the file.
create table media_renditions (
  -- Both compared by their bytes: every slide that is read asks for one.
  bucket text collate "C" not null check (bucket in ('user-media', 'general')),
  key text collate "C" not null,
  user_id text not null references users (id) on delete cascade,
  status text not null default 'pending'
    check (status in ('pending', 'processing', 'done', 'failed')),
  tries integer not null default 0,
  started_at timestamptz,
  -- Small pictures of it that are there anyway: their keys, by width.
  thumbnails jsonb not null default '{}',
  -- As slides tell them. The addresses are signed, as those of slides are.
  length_ms integer,
  sizes json,
  focus json,
  primary key (bucket, key)
);
create index media_renditions_user on media_renditions (user_id);
create index media_renditions_unfinished on media_renditions (started_at)
  where status = 'processing';
create index media_renditions_waiting on media_renditions (bucket, key) where status = 'pending';

-- The files of the sizes, each with the file that it is a size of.
create table rendition_files (
  bucket text collate "C" not null,
  key text collate "C" not null,
  of_bucket text collate "C" not null,
  of_key text collate "C" not null,
  -- A thumbnail that is somebody else's to remove.
  is_borrowed boolean not null,
  primary key (bucket, key),
  foreign key (of_bucket, of_key) references media_renditions (bucket, key) on delete cascade
);
create index rendition_files_of on rendition_files (of_bucket, of_key);

-- Whatever ends a rendition, its files are due to be removed from then on.
create function abandon_rendition_files() returns trigger language plpgsql as $$
begin
  insert into unclaimed_files (bucket, key, remove_after)
  select bucket, key, '-infinity' from removed where not is_borrowed
  order by bucket, key
  on conflict (bucket, key) do update set remove_after = excluded.remove_after;
  return null;
end $$;
create trigger rendition_files_removed after delete on rendition_files
  referencing old table as removed for each statement execute function abandon_rendition_files();

-- How far a sweep has come through what was there before this table; its line goes at the end.
create table rendition_backfills (
  source text primary key,
  after_id integer not null default 0
);
insert into rendition_backfills (source) values ('vault'), ('slides'), ('published');
