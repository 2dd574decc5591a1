-- Enhancing pictures: who has agreed to it, and every generation with its credits and its files.

create table enhancement_consents (
  user_id text not null references users (id) on delete cascade,
  version integer not null,
  accepted_at timestamptz not null,
  primary key (user_id, version)
);

create table enhancement_generations (
  id integer generated always as identity primary key,
  user_id text not null references users (id) on delete cascade,
  status text not null default 'pending' check (status in ('pending', 'completed', 'failed')),
  quality text not null check (quality in ('low', 'high')),
  requested_provider text not null check (requested_provider in ('provider_a', 'provider_b')),
  actual_provider text check (actual_provider in ('provider_a', 'provider_b')),
  -- Files in the bucket user-media; what a URL says follows from these.
  original_path text,
  provider_path text,
  result_path text,
  result_width integer,
  result_height integer,
  processing_time_ms integer,
  error_message text,
  credit_charged boolean not null default false,
  debit_id integer references credit_transactions (id),
  refunded_at timestamptz,
  refund_transaction_id integer references credit_transactions (id),
  -- Renewed by the node that works on it; past it, nobody does.
  lease_until timestamptz not null,
  -- Where its result was saved, once.
  media_id integer references vault_media (id) on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (status <> 'completed' or (result_path is not null and actual_provider is not null)),
  check (status = 'failed' or error_message is null),
  check ((refunded_at is null) = (refund_transaction_id is null))
);
create index enhancement_generations_user on enhancement_generations (user_id, created_at);
create index enhancement_generations_leases on enhancement_generations (lease_until)
  where status = 'pending';
create index enhancement_generations_failed on enhancement_generations (updated_at)
  where status = 'failed';
create index enhancement_generations_media on enhancement_generations (media_id)
  where media_id is not null;
