-- Captions: those that were written once, sessions that are captioned in the background, and credits
-- that are promised to calls in flight.

-- Credits that calls in flight will cost. They count against the balance that others are held to. One
-- that is owed belongs to a caption that was delivered; it is taken after the answer, or by a sweep.
create table credit_holds (
  id uuid primary key,
  user_id text not null references users (id) on delete cascade,
  feature_key text not null,
  description text not null,
  credits integer not null check (credits >= 0),
  is_owed boolean not null default false,
  expires_at timestamptz not null
);
create index credit_holds_user on credit_holds (user_id);
create index credit_holds_expiry on credit_holds (expires_at);

-- A caption by the hash of all that it depends on. While it is being written a claim under a lease
-- stands here, so that every node waits for the first.
create table caption_cache (
  key bytea primary key,
  caption text,
  claim uuid not null,
  lease_until timestamptz not null,
  created_at timestamptz not null
);
create index caption_cache_age on caption_cache (created_at);

-- Pictures of which a provider said that they may show a minor. They are never asked about again.
create table refused_pictures (
  picture_hash bytea primary key,
  created_at timestamptz not null
);

create table caption_jobs (
  id uuid primary key,
  user_id text not null references users (id) on delete cascade,
  -- Outlives its session, so that what was not done can still be paid back.
  session_id integer references sessions (id) on delete set null,
  steering text,
  status text not null check (status in ('pending', 'running', 'completed', 'failed')),
  debit_id integer references credit_transactions (id),
  -- What each slide was charged.
  credits_each integer not null check (credits_each >= 0),
  -- Who works on it: a worker that was overtaken writes nothing.
  run uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index caption_jobs_unfinished on caption_jobs (updated_at)
  where status in ('pending', 'running');
create index caption_jobs_user on caption_jobs (user_id);
create index caption_jobs_session on caption_jobs (session_id);

create table caption_job_slides (
  job_id uuid not null references caption_jobs (id) on delete cascade,
  media_id integer not null,
  position integer not null,
  state text not null default 'pending' check (state in ('pending', 'done', 'failed')),
  primary key (job_id, media_id)
);
