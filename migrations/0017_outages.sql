-- Who removes a file that nothing names says so first and then lets the database go: until when the
-- removal is theirs. A file whose removal has begun can no longer be claimed.
alter table unclaimed_files add column removing_until timestamptz;

-- What a sign-in at the OIDC provider needs is in the browser's cookie. Here is only that it has come
-- back, so that it comes back once.
drop table oidc_attempts;
create table used_oidc_states (
  state_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_oidc_states_expiry on used_oidc_states (expires_at);
