-- Imports: what was left out, and the slides that still point elsewhere and are to be copied.

alter table sessions
  -- [{ source, reason, code }], in the order in which it happened.
  add column skipped_media jsonb not null default '[]';

-- A session whose media is being copied; the row goes when nothing is left to copy.
create table session_imports (
  session_id integer primary key references sessions (id) on delete cascade,
  total integer not null check (total > 0),
  -- Counts the runs of the job; one that was overtaken by another writes nothing.
  copying integer not null default 0,
  touched_at timestamptz not null
);
create index session_imports_touched on session_imports (touched_at);

create table media_to_copy (
  media_id integer primary key references session_media (id) on delete cascade,
  session_id integer not null references session_imports (session_id) on delete cascade,
  -- How often it was begun: what brings a node down each time is not begun for ever.
  tries integer not null default 0
);
create index media_to_copy_session on media_to_copy (session_id, media_id);
