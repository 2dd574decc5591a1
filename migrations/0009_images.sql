-- What the picture tools have made and nobody has kept yet. A row lives exactly as long as its file
-- is unclaimed: the sweep that removes the file after a day takes the row with it.
create table temporary_results (
  bucket text not null,
  key text not null,
  user_id text not null references users (id) on delete cascade,
  tool text not null check (tool in ('composition', 'animation', 'censoring')),
  width integer not null,
  height integer not null,
  duration_ms integer,
  -- How a composition can be taken apart again: which way it lies, and where its second picture begins.
  layout text check (layout in ('side-by-side', 'top-bottom')),
  seam integer,
  -- What it was kept as, so that keeping it twice makes one file.
  media_id integer references vault_media (id) on delete set null,
  created_at timestamptz not null,
  primary key (bucket, key),
  foreign key (bucket, key) references unclaimed_files (bucket, key) on delete cascade,
  check ((tool = 'composition') = (layout is not null and seam is not null))
);
create index temporary_results_user on temporary_results (user_id);
create index temporary_results_media on temporary_results (media_id) where media_id is not null;
