-- The card of a link is the picture that other sites show beside it. A session has at most one.

create table session_cards (
  session_id integer primary key references sessions (id) on delete cascade,
  -- Identifies the slides that it was made from.
  source text not null,
  claim text not null,
  -- Null when nobody is making it.
  lease_until timestamptz,
  -- Null if no picture could be made.
  key text collate "C",
  -- The stored file that it was made from. Null for a picture of another site.
  of_bucket text collate "C",
  of_key text collate "C",
  made_at timestamptz,
  foreign key (of_bucket, of_key) references media_renditions (bucket, key) on delete cascade
);
create index session_cards_of on session_cards (of_bucket, of_key);

-- Whichever statement replaces or deletes a card, its file is due to be removed.
create function abandon_card() returns trigger language plpgsql as $$
begin
  perform replace_picture(old.key, null);
  return null;
end $$;
create trigger card_replaced after update of key on session_cards
  for each row when (old.key is not null and old.key is distinct from new.key)
  execute function abandon_card();
create trigger card_removed after delete on session_cards
  for each row when (old.key is not null) execute function abandon_card();
