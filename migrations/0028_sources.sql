-- Sources: how often far hosts are asked, and what slides know of what they show.

-- All nodes keep one budget for each host: when it was asked lately, and what is being asked now.
create table host_turns (
  host text primary key,
  asked_at timestamptz[] not null,
  -- Each begins with the moment when it ends by itself, as ISO 8601, so that a dead node's ends too.
  held text[] not null
);

alter table session_media
  -- What it shows, in its author's words.
  add column alt text,
  -- { author, licence: { name, url }, url }; null for the owner's own.
  add column credit jsonb,
  -- Where the eye goes, as its author set it: { x, y } from the top left.
  add column author_focus jsonb;

alter table community_session_media
  add column alt text,
  add column credit jsonb,
  add column author_focus jsonb;
