-- How much each account keeps, and what it has put in the trash.

-- Every file of somebody's own that counts: originals and results, not what is made of them. A line is
-- written when the file's size is known and goes when the file is abandoned. No reference to the user:
-- checking it would wait for an account that is being deleted.
create table stored_files (
  key text collate "C" primary key,
  user_id text not null,
  -- Null for files that were there before this table, until somebody has looked.
  size bigint check (size >= 0)
);
create index stored_files_user on stored_files (user_id) include (size, key);
create index stored_files_unmeasured on stored_files (key) where size is null;

insert into stored_files (key, user_id, size)
select file_path, user_id, file_size from vault_media;
insert into stored_files (key, user_id)
select key, user_id from (
  select m.own_file_key as key, s.user_id from session_media m join sessions s on s.id = m.session_id
  union all select key, user_id from temporary_results where bucket = 'user-media'
  union all select original_path, user_id from enhancement_generations
  union all select result_path, user_id from enhancement_generations
) found
where key is not null
on conflict do nothing;

-- Records are also made for files that came into a folder past the service, and are corrected later.
create function count_stored_media() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into stored_files (key, user_id, size)
      select file_path, user_id, file_size from added order by file_path
    on conflict (key) do update set size = excluded.size;
  else
    delete from stored_files where key in (select file_path from removed);
  end if;
  return null;
end $$;
create trigger vault_media_stored after insert on vault_media
  referencing new table as added for each statement execute function count_stored_media();
create trigger vault_media_unstored after delete on vault_media
  referencing old table as removed for each statement execute function count_stored_media();
create function measure_stored_media() returns trigger language plpgsql as $$
begin
  update stored_files set size = new.file_size where key = new.file_path;
  return null;
end $$;
create trigger vault_media_measured after update of file_size on vault_media
  for each row when (old.file_size <> new.file_size) execute function measure_stored_media();

-- The trash. What is in it keeps its rows, and whatever reads sessions or the vault reads views without it.
alter table sessions add column trashed_at timestamptz;
alter table vault_media add column trashed_at timestamptz;
create index sessions_trashed on sessions (user_id, trashed_at desc, id desc)
  where trashed_at is not null;
create index sessions_purged on sessions (trashed_at) where trashed_at is not null;
create index vault_media_trashed on vault_media (user_id, trashed_at desc, id desc)
  where trashed_at is not null;
create index vault_media_purged on vault_media (trashed_at) where trashed_at is not null;

-- The views live_sessions and live_media are made after each migration (src/server/database/live-views.ts),
-- so that they have the columns that later ones add.

-- The files of what is in the trash: their addresses answer nobody.
create table trashed_files (
  bucket text collate "C" not null,
  key text collate "C" not null,
  media_id integer references vault_media (id) on delete cascade,
  session_id integer references sessions (id) on delete cascade,
  primary key (bucket, key),
  check (num_nonnulls(media_id, session_id) = 1)
);
create index trashed_files_media on trashed_files (media_id) where media_id is not null;
create index trashed_files_session on trashed_files (session_id) where session_id is not null;

-- Whether the file of the vault that a slide shows is in the trash.
alter table session_media add column in_trash boolean not null default false;

-- Pictures in the trash that owners had chosen for a session.
create table trashed_covers (
  session_id integer primary key references sessions (id) on delete cascade,
  media_id integer not null references vault_media (id) on delete cascade,
  thumbnail text not null
);
create index trashed_covers_media on trashed_covers (media_id);

-- The trash is in no category.
create or replace function count_vault_media() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into vault_counts (user_id, category, files)
      select user_id, category, count(*) from added group by user_id, category
      order by user_id, category
    on conflict (user_id, category) do update set files = vault_counts.files + excluded.files;
  else
    update vault_counts set files = vault_counts.files - gone.files
    from (
      select user_id, category, count(*) as files from removed where trashed_at is null
      group by user_id, category
    ) gone
    where vault_counts.user_id = gone.user_id and vault_counts.category = gone.category;
  end if;
  return null;
end $$;
create function count_trashed_media() returns trigger language plpgsql as $$
begin
  update vault_counts set files = files + case when new.trashed_at is null then 1 else -1 end
  where user_id = new.user_id and category = new.category;
  return null;
end $$;
create trigger vault_media_trashing after update of trashed_at on vault_media
  for each row when ((old.trashed_at is null) <> (new.trashed_at is null))
  execute function count_trashed_media();

-- Whoever listens to a session hears no more of it.
create trigger sessions_trashing after update of trashed_at on sessions
  for each row when (old.trashed_at is null and new.trashed_at is not null)
  execute function notify_session_access('id');
