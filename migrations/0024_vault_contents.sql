-- Files of the vault are known by their contents, so that somebody is told before sending one again;
-- and an upload whose answer was lost is known by its key, so that sending it again makes no second.

alter table vault_media
  add column content_sha256 bytea check (length(content_sha256) = 32),
  add column upload_key uuid;

create index vault_media_content on vault_media (user_id, content_sha256)
  where content_sha256 is not null;
create unique index vault_media_upload on vault_media (user_id, upload_key)
  where upload_key is not null;
