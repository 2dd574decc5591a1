-- What only grows at its end and is forgotten after a time lies in parts of a day or a month, so that
-- forgetting is dropping a part: no dead rows, nothing to clean up. The parts are made ahead by a sweep
-- (src/server/database/partitions.ts). What was there before becomes the part for everything else, so
-- no row is copied here, and the statements of the version before go on as they are.
create schema partitions;

-- The number is the session's own counter, which gives each once; a key over all parts has to name the
-- column that they are parted by.
alter table session_events drop constraint session_events_pkey,
  add primary key (session_id, seq, created_at);
alter table session_events rename to session_events_rest;
alter table session_events_rest set schema partitions;
create table session_events (
  session_id integer not null references sessions (id) on delete cascade,
  seq integer not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (session_id, seq, created_at)
) partition by range (created_at);
create index session_events_age on session_events (created_at);
alter table session_events attach partition partitions.session_events_rest default;

-- A sequence of its own: before PostgreSQL 17 a table in parts has no identity columns.
alter table activity_log alter column id drop identity,
  drop constraint activity_log_pkey, add primary key (id, created_at);
alter table activity_log rename to activity_log_rest;
alter table activity_log_rest set schema partitions;
create sequence activity_log_id_seq as bigint;
create table activity_log (
  id bigint not null default nextval('activity_log_id_seq'),
  user_id text references users (id) on delete set null,
  action text not null,
  feature text not null,
  details jsonb not null default '{}',
  ip_address text,
  user_agent text,
  session_id integer,
  created_at timestamptz not null,
  target_user_id text references users (id) on delete set null,
  primary key (id, created_at)
) partition by range (created_at);
alter sequence activity_log_id_seq owned by activity_log.id;
select setval('activity_log_id_seq', coalesce(max(id), 0) + 1, false)
from partitions.activity_log_rest;
create index activity_log_user on activity_log (user_id, id desc);
create index activity_log_target on activity_log (target_user_id, id desc)
  where target_user_id is not null;
create index activity_log_action on activity_log (action, id desc);
create index activity_log_age on activity_log (created_at);
alter table activity_log attach partition partitions.activity_log_rest default;
