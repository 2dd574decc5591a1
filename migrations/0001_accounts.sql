-- People, how they are signed in, what they did, and the settings that administrators change.

create table users (
  id text primary key check (id ~ '^[A-Za-z0-9_-]{1,100}$'),
  email text not null,
  password_hash text,
  oidc_subject text unique,
  first_name text,
  last_name text,
  profile_image_url text,
  role text not null default 'user' check (role in ('user', 'admin', 'super_admin')),
  is_active boolean not null default true,
  age_verified boolean not null default false,
  -- Someone who said they are a minor stays refused until an administrator lifts it.
  under_age boolean not null default false check (not (under_age and age_verified)),
  birth_date date,
  referral_code text not null unique check (referral_code ~ '^[A-Z0-9]{8}$'),
  referred_by text references users (id) on delete set null,
  onboarding_completed boolean not null default false,
  interests jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index users_email on users (lower(email));
create index users_referred_by on users (referred_by, created_at desc) where referred_by is not null;

create table sign_ins (
  -- SHA-256 of the cookie's secret: reading this table lets nobody in.
  secret_hash bytea primary key,
  user_id text not null references users (id) on delete cascade,
  created_at timestamptz not null,
  renewed_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_ins_user on sign_ins (user_id);
create index sign_ins_expiry on sign_ins (expires_at);

-- A sign-in that has been sent to the OIDC provider and has not come back yet; used once.
create table oidc_attempts (
  state_hash bytea primary key,
  code_verifier text not null,
  nonce text not null,
  redirect text not null,
  expires_at timestamptz not null
);
create index oidc_attempts_expiry on oidc_attempts (expires_at);

create table activity_log (
  id bigint generated always as identity primary key,
  user_id text references users (id) on delete set null,
  action text not null,
  feature text not null,
  details jsonb not null default '{}',
  ip_address text,
  user_agent text,
  session_id integer,
  created_at timestamptz not null
);
create index activity_log_user on activity_log (user_id, id desc);

create table settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null
);
