-- The ledger: what keeps balances right, what things cost, and the answers that are given again.

alter table users add column first_signed_in_at timestamptz;

alter table credit_accounts
  -- How much of the balance was bought: allocated credits are spent first.
  add column purchased integer not null default 0 check (purchased between 0 and balance);
create index credit_accounts_due on credit_accounts (next_allocation_at);

alter table credit_transactions
  -- How much of a debit came out of bought credits, so that a refund puts it back there.
  add column from_purchased integer not null default 0 check (from_purchased >= 0),
  add column refund_of integer unique references credit_transactions (id),
  add check ((type = 'refund') = (refund_of is not null)),
  add check (type <> 'spend' or amount < 0),
  -- A monthly allocation can lower a balance, and is a grant all the same.
  add check (type in ('spend', 'grant') or amount > 0);
create index credit_transactions_type on credit_transactions (user_id, type, id desc);

-- One allocation for each account and month, whatever the clocks and nodes do.
create table credit_allocations (
  user_id text not null references users (id) on delete cascade,
  month date not null,
  primary key (user_id, month)
);

create table feature_pricing (
  feature_key text primary key check (feature_key ~ '^[a-z][a-z0-9_]{0,99}$'),
  display_name text not null,
  credits_required integer not null check (credits_required between 0 and 1000000),
  is_premium_only boolean not null default false,
  description text not null default '',
  is_active boolean not null default true
);

insert into feature_pricing (feature_key, display_name, credits_required, description, is_active) values
  ('smart_caption', 'Smart caption', 10, 'An AI caption for one slide', true),
  ('caption_rewrite', 'Caption rewrite', 10, 'One caption, rewritten', true),
  ('caption_batch_rewrite', 'Batch captions', 8, 'Captions for many slides, for each slide', true),
  ('babecock_generate', 'Composition', 20, 'Two pictures as one', true),
  ('babecock_remix', 'Composition remix', 10, 'A composition, arranged anew', true),
  ('hypnococks_generate', 'Animation', 25, 'Several pictures as an animation', true),
  ('session_create', 'New session', 25, 'A session filled from feeds', true),
  ('session_slide_view', 'Slide view', 1, 'One slide with AI captions, shown once', true),
  ('image_censor', 'Censoring', 5, 'Regions of a picture, covered', true),
  ('image_enhance_low', 'Enhancement', 25, 'A picture, sharpened', true),
  ('image_enhance_high', 'Fine enhancement', 45, 'A picture, sharpened by a neural network', true),
  ('session_play', 'Session play', 25, 'Playing a session', false),
  ('manual_session_create', 'Manual session', 30, 'A session made by hand', false),
  ('session_import', 'Session import', 20, 'A session brought from elsewhere', false);

create table daily_bonuses (
  user_id text not null references users (id) on delete cascade,
  day date not null,
  streak integer not null check (streak > 0),
  primary key (user_id, day)
);

create table referrals (
  id integer generated always as identity primary key,
  referrer_id text not null references users (id) on delete cascade,
  referred_id text not null unique references users (id) on delete cascade,
  source text not null check (source in ('direct', 'session_share')),
  source_id text,
  paid boolean not null,
  created_at timestamptz not null,
  check (referrer_id <> referred_id)
);
create index referrals_referrer on referrals (referrer_id, created_at desc);

-- Calls with an Idempotency-Key. A claim is held by a lease while its call runs; the answer is
-- written in the transaction that has the effect.
create table idempotency_keys (
  user_id text not null references users (id) on delete cascade,
  key text not null,
  request_hash bytea not null,
  claim uuid not null,
  lease_until timestamptz not null,
  -- Set with the debit: from then on a failure is final, and is given again.
  charged boolean not null default false,
  debit_id integer references credit_transactions (id),
  status integer,
  body jsonb,
  created_at timestamptz not null,
  primary key (user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
