-- What people need to keep their accounts to themselves: tokens by mail, and where they are signed in.

alter table users
  -- The language they were last spoken to in, for mail.
  add column language text,
  -- A mail that was asked for before then carries no token any more.
  add column credentials_changed_at timestamptz;

alter table sign_ins
  -- How its owner names it; the hash is never told.
  add column id uuid not null default gen_random_uuid() unique,
  add column last_seen_at timestamptz,
  add column ip_address text,
  add column user_agent text;
update sign_ins set last_seen_at = renewed_at;
alter table sign_ins alter column last_seen_at set not null;

create table account_tokens (
  -- SHA-256 of what the mail holds: reading this table lets nobody in.
  token_hash bytea primary key,
  user_id text not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('reset_password', 'confirm_email')),
  -- The address that is to be confirmed.
  email text check ((email is not null) = (purpose = 'confirm_email')),
  asked_at timestamptz not null,
  expires_at timestamptz not null
);
create index account_tokens_user on account_tokens (user_id, purpose);
create index account_tokens_expiry on account_tokens (expires_at);
