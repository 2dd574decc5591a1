-- Accounts that people have elsewhere, whose pictures this site may show for them.

create table connections (
  id uuid primary key,
  user_id text not null references users (id) on delete cascade,
  kind text not null check (kind in ('immich')),
  -- How the account is called there.
  name text not null check (length(name) between 1 and 200),
  -- Encrypted: it is sent along with every question.
  sealed_key bytea not null,
  created_at timestamptz not null,
  -- To five minutes.
  last_used_at timestamptz,
  unique (user_id, kind)
);

-- Whether a slide still shows what is streamed from there is asked for each picture:
-- '/media/connected/<connection>/<asset>/…'.
create index session_media_connected on session_media (split_part(media_url, '/', 5))
  where media_url like '/media/connected/%';
