-- Who may use a link, and how much a report from an address is worth.

alter table session_shares
  -- 'anyone' needs no account.
  add column access text not null default 'members' check (access in ('members', 'anyone'));

-- A password or an end closes the session to whoever has no link. Until now it stayed open where it
-- had been shared without them before.
update sessions set is_public = false, updated_at = now()
where is_public and exists (
  select from session_shares
  where session_shares.session_id = sessions.id
    and (session_shares.password_hash is not null or session_shares.expires_at is not null)
);

-- A play of somebody without an account belongs to nobody, and is forgotten after a day.
alter table plays alter column user_id drop not null;
create index plays_of_nobody on plays (created_at) where user_id is null;

-- From which address it came, as a keyed hash.
alter table reports add column reporter text;
create index reports_urgent_reporter on reports (reporter, decided_at)
  where reason in ('non_consensual', 'minor');

-- Whether it was published as adult; withdrawing it does not make it anything else.
alter table vault_media add column nsfw boolean not null default false;
update vault_media set nsfw = true where exists (
  select from community_media
  where community_media.media_id = vault_media.id and community_media.nsfw
);
