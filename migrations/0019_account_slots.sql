-- Who has one of the few places that an account has at a time, on whatever node. A lease that nobody
-- renews any more is as good as given back.

create table account_slots (
  kind text not null,
  user_id text not null references users (id) on delete cascade,
  slot integer not null check (slot >= 1),
  holder uuid not null,
  lease_until timestamptz not null,
  primary key (kind, user_id, slot)
);
