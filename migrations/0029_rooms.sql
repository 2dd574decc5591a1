-- Rooms: one session on many screens in step, and those who lead it.

create table rooms (
  -- Never used again: addresses of files name the room by it.
  id integer generated always as identity primary key,
  code text collate "C" not null,
  host_id text not null references users (id) on delete cascade,
  -- No reference: a room that is given another session would wait for whoever deletes that one, who
  -- would wait for the room.
  session_id integer not null,
  -- The link by which the host came to the session, where it was one.
  share_grant_id integer,
  status text not null check (status in ('waiting', 'playing', 'paused', 'ended')),
  -- The fence: a command changes the very state that it was worked out from, or nothing.
  sequence integer not null,
  -- The rest of the state, as the contract writes it.
  playback jsonb not null,
  created_at timestamptz not null,
  commanded_at timestamptz not null
);
-- An ended room's code is found no more than one that never was, and may be given again.
create unique index rooms_code on rooms (code) where status <> 'ended';
create index rooms_session on rooms (session_id) where status <> 'ended';
create index rooms_host on rooms (host_id);

-- Phones that lead a room.
create table room_remotes (
  id integer generated always as identity primary key,
  room_id integer not null references rooms (id) on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index room_remotes_room on room_remotes (room_id);

-- How many screens each node has in a room. A lease: what a node has not renewed is not counted.
create table room_screens (
  room_id integer not null references rooms (id) on delete cascade,
  node_id uuid not null,
  screens integer not null check (screens > 0),
  touched_at timestamptz not null default now(),
  primary key (room_id, node_id)
);
create index room_screens_node on room_screens (node_id);

-- The rooms that can be entered. The one place that says so; only the time is left to who asks.
create view open_rooms as
  select room.id, room.code, room.host_id, room.session_id, room.status, room.sequence,
    room.playback, room.created_at,
    least(
      room.commanded_at + interval '12 hours',
      case when session.user_id <> room.host_id and not session.is_public then share.expires_at end
    ) as ends_at
  from rooms room
  join users host on host.id = room.host_id and host.is_active
  join sessions session on session.id = room.session_id and session.trashed_at is null
  left join session_shares share
    on share.grant_id = room.share_grant_id and share.session_id = room.session_id
  where room.status <> 'ended'
    and not exists (select from hidden_sessions hidden where hidden.session_id = room.session_id)
    and (session.user_id = room.host_id or session.is_public or share.grant_id is not null);

create function notify_room_removed() returns trigger language plpgsql as $$
begin
  perform pg_notify('lanternist', 'room:' || old.id);
  return null;
end $$;
create trigger rooms_removed after delete on rooms
  for each row execute function notify_room_removed();

-- What a running room shows has changed: slides, whether it is for adults, how long a film is. Only
-- sessions that a room plays are told of.
create function notify_room_media(session_ids integer[]) returns void language sql as $$
  select pg_notify('lanternist', 'room_media:' || playing.session_id)
  from (
    select distinct session_id from rooms
    where status <> 'ended' and session_id = any (session_ids)
  ) playing
$$;

create function tell_slides_added() returns trigger language plpgsql as $$
begin
  if exists (select from rooms where status <> 'ended') then
    perform notify_room_media(array(select distinct session_id from added));
  end if;
  return null;
end $$;
create function tell_slides_removed() returns trigger language plpgsql as $$
begin
  if exists (select from rooms where status <> 'ended') then
    perform notify_room_media(array(select distinct session_id from removed));
  end if;
  return null;
end $$;
-- Looking after links touches many slides and changes nothing that is shown.
create function tell_slides_changed() returns trigger language plpgsql as $$
begin
  if exists (select from rooms where status <> 'ended') then
    perform notify_room_media(array(
      select distinct after.session_id from added after join removed before on before.id = after.id
      where (before.position, before.media_url, before.thumbnail, before.caption,
          before.duration_ms, before.nsfw, before.type, before.own_file_key, before.in_trash)
        is distinct from (after.position, after.media_url, after.thumbnail, after.caption,
          after.duration_ms, after.nsfw, after.type, after.own_file_key, after.in_trash)
    ));
  end if;
  return null;
end $$;
create trigger session_media_added after insert on session_media
  referencing new table as added for each statement execute function tell_slides_added();
create trigger session_media_removed after delete on session_media
  referencing old table as removed for each statement execute function tell_slides_removed();
create trigger session_media_changed after update on session_media
  referencing old table as removed new table as added
  for each statement execute function tell_slides_changed();

create function tell_session_shown() returns trigger language plpgsql as $$
begin
  perform notify_room_media(array[new.id]);
  return null;
end $$;
create trigger sessions_shown
  after update of title, thumbnail, caption_theme, nsfw_given, nsfw_media on sessions
  for each row when ((old.title, old.thumbnail, old.caption_theme, old.nsfw_given, old.nsfw_media)
    is distinct from (new.title, new.thumbnail, new.caption_theme, new.nsfw_given, new.nsfw_media))
  execute function tell_session_shown();

create function tell_length_known() returns trigger language plpgsql as $$
begin
  perform notify_room_media(array(
    select room.session_id from rooms room
    where room.status <> 'ended' and exists (
      select from session_media slide
      where slide.session_id = room.session_id and slide.type = 'video'
        and (slide.own_file_key = new.key or strpos(slide.media_url, new.key) > 0)
    )
  ));
  return null;
end $$;
create trigger media_renditions_measured after update of length_ms on media_renditions
  for each row when (old.length_ms is distinct from new.length_ms)
  execute function tell_length_known();

-- Rooms with adult pictures close to whoever takes their age back.
create trigger users_age_withdrawn after update of age_verified on users
  for each row when (old.age_verified and not new.age_verified)
  execute function notify_user_access('id');

-- A room is reported by its code.
alter table reports
  alter column share_code type text,
  drop constraint reports_target_type_check,
  add constraint reports_target_type_check check (target_type in
    ('community_media', 'community_session', 'shared_media', 'shared_session', 'room'));
