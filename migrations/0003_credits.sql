-- Credit accounts and what has moved on them. The sum of an account's transactions is its balance.

create table credit_accounts (
  user_id text primary key references users (id) on delete cascade,
  balance integer not null check (balance >= 0),
  tier text not null default 'free' check (tier in ('free', 'joi_curious', 'full_access', 'vip')),
  -- The monthly date is this one's day: the account's creation, or its last tier purchase.
  anchored_at timestamptz not null,
  next_allocation_at timestamptz not null
);

create table credit_transactions (
  id integer generated always as identity primary key,
  user_id text references users (id) on delete set null,
  amount integer not null check (amount <> 0),
  type text not null check (type in ('purchase', 'spend', 'referral', 'bonus', 'refund', 'grant')),
  description text not null,
  feature_key text,
  metadata jsonb,
  balance_after integer not null check (balance_after >= 0),
  created_at timestamptz not null
);
create index credit_transactions_user on credit_transactions (user_id, id desc);
