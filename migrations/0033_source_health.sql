-- How the sources of feeds do, for whoever runs the site: all nodes write what they met last.

create table source_health (
  source text primary key,
  -- To a minute.
  succeeded_at timestamptz,
  failed_at timestamptz,
  -- Of the last failure, in the words that people were told.
  failure text
);
