-- Other ways to be let in than a password: keys for programs, codes of an authenticator app, passkeys.
-- Of every secret that its bearer keeps, only a hash is here.

create table api_keys (
  id uuid primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  scopes text[] not null check (cardinality(scopes) > 0),
  -- The beginning of the key, by which its owner knows it again.
  prefix text not null,
  -- SHA-256: a key is 256 random bits, so nothing slower is needed.
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz,
  -- To five minutes, with where it was used from.
  last_used_at timestamptz,
  ip_address text,
  user_agent text
);
create index api_keys_user on api_keys (user_id, created_at);

-- Whoever listens with a key is judged again when it is gone, as with a sign-in.
create trigger api_keys_ended after delete on api_keys
  for each row execute function notify_user_access('user_id');

create table totp_secrets (
  user_id text primary key references users (id) on delete cascade,
  -- Encrypted: codes cannot be checked against a hash.
  sealed_secret bytea not null,
  -- Null until a first code has shown that the app has the secret.
  confirmed_at timestamptz,
  -- The last step of 30 seconds whose code was taken; each is taken once.
  last_step bigint not null default 0,
  created_at timestamptz not null
);

create table recovery_codes (
  user_id text not null references totp_secrets (user_id) on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  primary key (user_id, code_hash)
);

create table passkeys (
  id uuid primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  credential_id text not null unique,
  public_key bytea not null,
  -- How often the authenticator says that it has signed; 0 where it does not count.
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id, created_at);

-- A challenge carries its own proof; this says which have been tried.
create table used_passkey_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_passkey_challenges_expiry on used_passkey_challenges (expires_at);
