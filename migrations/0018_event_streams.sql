-- Open event streams: how many an account has on all nodes together, and at once the word to every
-- node when somebody may no longer listen.

-- A node that has open streams. One that is silent for too long is dead, and its streams with it.
create table event_stream_nodes (
  id uuid primary key,
  touched_at timestamptz not null default now()
);

-- One row for each open stream. The slots of an account are numbered, so that the key alone keeps
-- two nodes from giving out the last one twice. No reference to the user: checking it would wait
-- for an account that is being deleted.
create table event_streams (
  user_id text not null,
  slot integer not null check (slot >= 1),
  node_id uuid not null references event_stream_nodes (id) on delete cascade,
  primary key (user_id, slot)
);
create index event_streams_node on event_streams (node_id);

-- Triggers, because these rows are changed in many places and by cascades, and each of them can
-- close a stream. The notification only says whose streams are to be judged again.
create function notify_user_access() returns trigger language plpgsql as $$
begin
  perform pg_notify('lanternist', 'user_access:' || (to_jsonb(old) ->> tg_argv[0]));
  return null;
end $$;
create function notify_session_access() returns trigger language plpgsql as $$
begin
  perform pg_notify('lanternist',
    'session_access:' || (to_jsonb(coalesce(old, new)) ->> tg_argv[0]));
  return null;
end $$;

create trigger sign_ins_ended after delete on sign_ins
  for each row execute function notify_user_access('user_id');
create trigger users_disabled after update of is_active on users
  for each row when (old.is_active and not new.is_active)
  execute function notify_user_access('id');
create trigger sessions_closed after update of is_public on sessions
  for each row when (old.is_public and not new.is_public)
  execute function notify_session_access('id');
create trigger sessions_removed after delete on sessions
  for each row execute function notify_session_access('id');
create trigger session_shares_changed after update or delete on session_shares
  for each row execute function notify_session_access('session_id');
create trigger session_hidden after insert on hidden_sessions
  for each row execute function notify_session_access('session_id');

-- A share code is a capability: the log says that a session was shared, not how to open it.
update activity_log set details = details - 'shareCode' where action = 'session_shared';
