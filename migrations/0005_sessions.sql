-- Sessions, their slides, how they are shared and played, and what happens to them meanwhile.

create table sessions (
  id integer generated always as identity primary key,
  user_id text not null references users (id) on delete cascade,
  title text not null,
  subfeeds text[] not null default '{}',
  category_id integer not null references categories (id),
  category_source text not null check (category_source in ('manual', 'default')),
  interval_min integer not null check (interval_min between 1 and 60),
  interval_max integer not null check (interval_max between interval_min and 60),
  transition text not null check (transition in ('fade', 'slide', 'zoom', 'flip', 'none')),
  thumbnail text,
  -- Whether the owner chose the thumbnail; else it is a made cover, or the first picture.
  thumbnail_given boolean not null default false,
  ai_prompt text,
  caption_theme text,
  is_public boolean not null default false,
  share_to_community boolean not null default false,
  is_favorite boolean not null default false,
  is_manual_mode boolean not null default false,
  is_imported boolean not null default false,
  import_source text,
  import_url text,
  tags text[] not null default '{}',
  -- What the owner said; what is shown also looks at the slides and the theme.
  nsfw_given boolean not null default false,
  nsfw_media boolean not null default false,
  media_count integer not null default 0 check (media_count >= 0),
  fill_status text not null default 'ready'
    check (fill_status in ('pending', 'filling', 'ready', 'failed')),
  fill_error text,
  -- Counts the fills that were promised; one that was overtaken by another writes nothing.
  fill_number integer not null default 0,
  -- The debit of session_create, while a failed first fill would still give it back.
  fill_debit_id integer references credit_transactions (id),
  event_seq integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index sessions_user on sessions (user_id, id desc);
create index sessions_category on sessions (category_id);

create table session_media (
  id integer generated always as identity primary key,
  session_id integer not null references sessions (id) on delete cascade,
  position integer not null check (position >= 0),
  media_url text not null,
  thumbnail text,
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
  unique (session_id, position) deferrable initially deferred
);

create table session_shares (
  code uuid primary key,
  session_id integer not null unique references sessions (id) on delete cascade,
  expires_at timestamptz,
  password_hash text,
  created_at timestamptz not null
);

create table plays (
  id integer generated always as identity primary key,
  session_id integer not null references sessions (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  created_at timestamptz not null
);
create index plays_session on plays (session_id);
create index plays_user on plays (user_id);

create table play_views (
  play_id integer not null references plays (id) on delete cascade,
  media_id integer not null,
  primary key (play_id, media_id)
);

-- What listeners of a session are told, numbered without gaps so that they can go on where they stopped.
create table session_events (
  session_id integer not null references sessions (id) on delete cascade,
  seq integer not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (session_id, seq)
);
create index session_events_age on session_events (created_at);
