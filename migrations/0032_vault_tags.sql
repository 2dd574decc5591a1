-- Files of the vault have tags and can be favourites, by which they are found and fill sessions.

alter table vault_media
  add column is_favorite boolean not null default false,
  -- Slugs, each once.
  add column tags text[] not null default '{}' check (cardinality(tags) <= 20);

-- What fills a session is read from the newest on.
create index vault_media_filling on vault_media (user_id, id);
create index vault_media_favorites on vault_media (user_id, id) where is_favorite;
create index vault_media_tags on vault_media using gin (tags);
