-- Libraries that are brought along from elsewhere, restored piece by piece in the background.

create table library_imports (
  id uuid primary key,
  user_id text not null references users (id) on delete cascade,
  status text not null default 'running' check (status in ('running', 'done', 'failed')),
  -- The archive in the bucket user-media; nothing claims it, so it goes when its time has come.
  archive_key text not null,
  -- Sessions and files of the vault.
  total integer not null,
  done integer not null default 0,
  sessions integer not null default 0,
  vault_files integer not null default 0,
  skipped jsonb not null default '[]',
  error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((status = 'failed') = (error is not null))
);
-- One at a time, for each person.
create unique index library_imports_running on library_imports (user_id) where status = 'running';
create index library_imports_user on library_imports (user_id, created_at);
create index library_imports_ended on library_imports (updated_at);

-- What has been restored already, written in the transaction that restores it.
create table library_import_items (
  import_id uuid not null references library_imports (id) on delete cascade,
  item text not null,
  primary key (import_id, item)
);
