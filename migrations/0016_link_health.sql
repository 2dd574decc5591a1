-- Whether what slides show can still be reached: when each is asked for next, and what came of it.

alter table session_media
  -- Which site to ask; null for what is ours. Bounded, because an index holds it.
  add column link_host text generated always as (
    case when vault_media_id is null and own_file_key is null
      then lower(substring(media_url from '(?i)^https?://([^/?#]{1,250})')) end
  ) stored,
  -- Null is never yet, and so as soon as possible.
  add column link_check_at timestamptz,
  -- Since when every answer but a busy or missing one was bad.
  add column link_faulty_since timestamptz,
  add column is_broken boolean not null default false;
create index session_media_links on session_media (link_host, link_check_at nulls first)
  where link_host is not null;

alter table sessions
  add column links_checked_at timestamptz,
  add column broken_count integer not null default 0 check (broken_count >= 0),
  -- Since the last fill.
  add column replaced_count integer not null default 0 check (replaced_count >= 0);

-- Sites that asked to be left alone, or do not answer: no node asks them before their time.
create table resting_hosts (
  host text primary key,
  until timestamptz not null
);
