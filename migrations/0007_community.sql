-- What people have published: single media, and sessions as they were when they were published.

create table community_media (
  id integer generated always as identity primary key,
  media_id integer unique references vault_media (id) on delete set null,
  owner_id text not null references users (id) on delete cascade,
  -- The copy in the bucket 'general'.
  file_key text not null unique,
  thumbnail_key text,
  type text not null check (type in ('image', 'gif', 'video')),
  width integer not null,
  height integer not null,
  tags text[] not null default '{}',
  nsfw boolean not null,
  published_at timestamptz not null
);
create index community_media_newest on community_media (published_at desc, id desc);
-- Most callers may see only these, and they can be few among the others.
create index community_media_newest_safe on community_media (published_at desc, id desc)
  where not nsfw;
create index community_media_owner on community_media (owner_id);
create index community_media_tags on community_media using gin (tags);

create table community_sessions (
  id integer generated always as identity primary key,
  session_id integer unique references sessions (id) on delete set null,
  owner_id text not null references users (id) on delete cascade,
  -- 'copying' until all media is copied for the first time; 'withdrawn' is a tombstone, so that
  -- saving it can be refused.
  status text not null check (status in ('copying', 'published', 'withdrawn')),
  -- Counts the copyings that were begun: each has a folder of its own.
  publication integer not null default 0,
  title text not null,
  nsfw boolean not null,
  -- A drawn cover, for a session that has no picture of its own.
  thumbnail text,
  -- The first slide's thumbnail, and the copy of the picture that the owner chose instead.
  thumbnail_key text,
  cover_key text,
  media_count integer not null default 0,
  transition text not null,
  interval_min integer not null,
  interval_max integer not null,
  caption_theme text,
  ai_prompt text,
  is_manual_mode boolean not null,
  subfeeds text[] not null default '{}',
  tags text[] not null default '{}',
  category_id integer not null references categories (id),
  category_source text not null check (category_source in ('manual', 'default')),
  saved_count integer not null default 0 check (saved_count >= 0),
  published_at timestamptz not null
);
create index community_sessions_newest on community_sessions (published_at desc, id desc)
  where status = 'published';
create index community_sessions_newest_safe on community_sessions (published_at desc, id desc)
  where status = 'published' and not nsfw;
create index community_sessions_popular
  on community_sessions (saved_count desc, published_at desc, id desc) where status = 'published';
create index community_sessions_popular_safe
  on community_sessions (saved_count desc, published_at desc, id desc)
  where status = 'published' and not nsfw;
create index community_sessions_owner on community_sessions (owner_id);
create index community_sessions_tags on community_sessions using gin (tags);
create index community_sessions_category
  on community_sessions (category_id, published_at desc, id desc);

-- A publication on its way: it waits for the session's fill, is frozen as the session then is, and
-- its media are copied. What it makes anew stays as it was until all is copied.
create table community_publications (
  id integer generated always as identity primary key,
  community_session_id integer not null unique references community_sessions (id) on delete cascade,
  -- The publisher said that nothing in it is adult.
  said_safe boolean not null,
  -- Null while the fill runs.
  snapshot jsonb,
  -- The copying that may finish it; null before the first.
  copying integer,
  touched_at timestamptz not null
);
create index community_publications_age on community_publications (touched_at)
  where snapshot is not null;

create table community_session_media (
  id integer generated always as identity primary key,
  community_session_id integer not null references community_sessions (id) on delete cascade,
  position integer not null,
  -- In the bucket 'general', both.
  file_key text not null unique,
  thumbnail_key text,
  caption text,
  caption_is_ai boolean not null default false,
  type text not null check (type in ('image', 'gif', 'video')),
  title text,
  feed_post_id text,
  feed_post_url text,
  subfeed text,
  width integer,
  height integer,
  duration_ms integer,
  nsfw boolean not null default false,
  unique (community_session_id, position)
);

-- Who has saved what as which session of their own; free when saved again.
create table community_saves (
  community_session_id integer not null references community_sessions (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  session_id integer not null unique references sessions (id) on delete cascade,
  created_at timestamptz not null,
  primary key (community_session_id, user_id)
);
create index community_saves_user on community_saves (user_id);

-- Saves go with the sessions and the people they belong to, so only a trigger sees all of them.
create function count_community_saves() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update community_sessions set saved_count = saved_count + 1 where id = new.community_session_id;
  else
    update community_sessions set saved_count = saved_count - 1 where id = old.community_session_id;
  end if;
  return null;
end $$;
create trigger community_saves_counted after insert or delete on community_saves
  for each row execute function count_community_saves();

-- The files that belong to a saved session: its cover, and its slides' thumbnails.
alter table sessions add column own_thumbnail_key text;
alter table session_media add column own_thumbnail_key text;
